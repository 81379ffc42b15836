import { setImmediate } from "node:timers/promises";
import type { App } from "../../app.ts";
import type { Chain } from "../../chains/chain.ts";
import { familyOf } from "../../chains/families.ts";
import { offloadFor } from "../../lib/concurrency/worker-pool.ts";
import type { Code } from "../../store/engine/contract-code.ts";
import { maxDefinitionBytes } from "../../store/engine/definition-sizes.ts";
import { listRuleStates, listStatesOf } from "../../store/engine/rule-states.ts";
import {
  findAbi,
  listWatchChanges,
  listWatched,
  newestWatchChange,
  type WatchRow,
} from "../../store/engine/watch.ts";
import type { BlockPoint } from "../block-point.ts";
import { initialState } from "../evaluate/rule-state.ts";
import { compileContract } from "./compile.ts";
import { EngineState } from "./engine-state.ts";
import { fillSeries } from "./load-series.ts";
import { ruleKey } from "./rule-groups.ts";
import type { WatchedContract } from "./watch-list.ts";

const maxPageSize = 2_000;
const firstId = "00000000-0000-0000-0000-000000000000";

/** The loaded state and the height as of which it was loaded; it cannot be rolled back below that height. */
export type Loaded = { engine: EngineState; watchVersion: number; height: number };

/**
 * Loads the engine state of a chain as of a block: contracts, rule states and recent samples. `headTime` is the time of the newest
 * block that the nodes show.
 */
export async function loadEngineState(
  app: App,
  chain: Chain,
  position: BlockPoint,
  headTime = position.time,
): Promise<Loaded> {
  const engine = new EngineState(chain, { maxGroups: app.config.groupsInMemory });
  engine.observeHead(headTime);
  // Read before the contracts: a concurrent change is then applied again, never missed.
  const watchVersion = await newestWatchChange(app.db, chain.chain);
  const versions = await loadRuleStates(app, engine, chain, position);
  for (let [after, limit] = [firstId, maxPageSize]; ; ) {
    const page = { afterId: after, limit, maxBytes: maxDefinitionBytes };
    const rows = await listWatched(app.db, chain.chain, position.time, page);
    dropFormerStates(engine, rows, versions);
    await addContracts(app, engine, chain, rows, position);
    const last = rows.at(-1);
    if (!last) {
      engine.removePaused(position.time);
      return { engine, watchVersion, height: position.height };
    }
    after = last.id;
    // Where pages are short, the sizes of few contracts are enough.
    limit = Math.min(2 * rows.length, maxPageSize);
  }
}

/** Loads the states of all rules. Returns the versions that they belong to. */
async function loadRuleStates(
  app: App,
  engine: EngineState,
  chain: Chain,
  position: BlockPoint,
): Promise<Map<string, number>> {
  const rows = await listRuleStates(app.db, chain.chain, position.height);
  for (const { rule_id, group, state } of rows) engine.states.set(ruleKey(rule_id, group), state);
  return new Map(rows.map(({ rule_id, version }) => [rule_id, version]));
}

/**
 * A rule that was changed after the states were read begins without one. With the state of its former version it could seem to be
 * firing, and its first event would be lost.
 */
function dropFormerStates(
  engine: EngineState,
  rows: WatchRow[],
  versions: ReadonlyMap<string, number>,
): void {
  for (const { id, version } of rows.flatMap(({ rules }) => rules)) {
    if ((versions.get(id) ?? version) === version) continue;
    engine.states.set(ruleKey(id, undefined), initialState);
    engine.states.resetGroups(id);
  }
}

/** Applies the configuration changes that were made since the last call. */
export async function applyConfigChanges(
  app: App,
  loaded: Loaded,
  chain: Chain,
  position: BlockPoint,
): Promise<void> {
  const { ids, rows, newest } = await listWatchChanges(
    app.db,
    chain.chain,
    loaded.watchVersion,
    position.time,
    maxDefinitionBytes,
  );
  const removed = new Set(ids);
  for (const row of rows) removed.delete(row.id);
  for (const id of removed) loaded.engine.watchList.remove(id);
  // The stored states of a changed rule and of its groups were deleted.
  const rule_ids = rows.flatMap(({ rules }) => rules.map(({ id }) => id));
  for (const rule_id of rule_ids) loaded.engine.states.resetGroups(rule_id);
  for (const { rule_id, group, state } of await listStatesOf(app.db, rule_ids, position.height)) {
    loaded.engine.states.set(ruleKey(rule_id, group), state);
  }
  for (const { id } of rows) {
    // Upgrades were not followed while the contract was not monitored.
    if (!loaded.engine.watchList.contract(id)) loaded.engine.unread.set(id, position.time);
  }
  await addContracts(app, loaded.engine, chain, rows, position);
  loaded.watchVersion = newest;
}

/**
 * Gives a contract the code that it has from a block on, undefined if it is unknown: the ABI of the code decodes its activity.
 * Targets and rules stay as they were loaded. A change of theirs applies between batches, together with its stored state.
 */
export async function changeCode(
  app: App,
  engine: EngineState,
  contract: WatchedContract,
  code: Code | undefined,
  position: BlockPoint,
): Promise<void> {
  const { org_id, subject } = contract;
  const { chain, address } = subject;
  const abiAt = (of: string) => findAbi(app.db, org_id, chain.chain, of);
  const abi = await abiAt(address);
  const implementation_abi = code?.implementation ? await abiAt(code.implementation) : null;
  const stored = { chain, address, abi, implementation_abi, code: code ?? null };
  const changed = await familyOf(chain).compileSubject(stored, offloadFor(app.workers, org_id));
  engine.changeCode(contract, changed, code, position.time);
}

async function addContracts(
  app: App,
  engine: EngineState,
  chain: Chain,
  rows: WatchRow[],
  position: BlockPoint,
): Promise<void> {
  const contracts: WatchedContract[] = [];
  for (const row of rows) {
    contracts.push(await compileContract(chain, row, offloadFor(app.workers, row.org_id)));
    // Rules and targets take a while to compile as well.
    await setImmediate();
  }
  await fillSeries(app, engine, contracts, position);
  for (const contract of contracts) engine.watch(contract, position.time);
  engine.evictGroups();
}
