import type { App } from "../../app.ts";
import type { Block } from "../../chains/block.ts";
import type { Chain } from "../../chains/chain.ts";
import { familyOf } from "../../chains/families.ts";
import { makePause } from "../../lib/concurrency/pauses.ts";
import { offloadFor } from "../../lib/concurrency/worker-pool.ts";
import { listStatesOf } from "../../store/engine/rule-states.ts";
import { listWatchedOf, type WatchRow } from "../../store/engine/watch.ts";
import type { BlockPoint } from "../block-point.ts";
import { type ChangeSet, emptyChangeSet } from "../commit/change-set.ts";
import { evaluate } from "../evaluate/evaluate.ts";
import { addGroupReadings, measureActivity, nothingMeasured } from "../measure/measure-activity.ts";
import { compileContract, missesTransactions } from "../watch/compile.ts";
import { EngineState } from "../watch/engine-state.ts";
import { loadGroupsOf } from "../watch/load-groups.ts";
import { fillSeries } from "../watch/load-series.ts";
import { ruleKey } from "../watch/rule-groups.ts";
import { transactionAddressesOf } from "../watch/transaction-addresses.ts";
import type { WatchedContract, WatchedRule, WatchedTarget } from "../watch/watch-list.ts";
import { addResult } from "./apply-block.ts";
import type { Earlier } from "./process-block.ts";

/** Rules may be due at most this often between two blocks. */
const maxTimers = 200;

/** The part of a contract that suspended addresses have kept from being measured. */
export async function suspendedPart(app: App, chain: Chain, row: WatchRow): Promise<WatchedContract> {
  const offload = offloadFor(app.workers, row.org_id);
  const contract = await compileContract(chain, { ...row, suspended_addresses: [] }, offload);
  const suspended = new Set(row.suspended_addresses);
  const misses = new Set(contract.targets.filter((target) => missesTransactions(target, suspended)));
  contract.targets = contract.targets.flatMap((target) => partOf(target, misses) ?? []);
  return contract;
}

function partOf(target: WatchedTarget, misses: ReadonlySet<WatchedTarget>): WatchedTarget | undefined {
  if (misses.has(target)) {
    // Its polls went on, and with them the state of its rules: only what each transaction did is new.
    if (target.meter.pollsAlone) target.rules = target.rules.map(toOccurrences);
    return target;
  }
  // It was measured all the time. Only rules that also depend on one that was not are evaluated again.
  target.rules = target.rules.filter(({ others }) => others.some((other) => misses.has(other.target)));
  const { measure: _, reads: __, ...meter } = target.meter;
  return target.rules.length > 0 ? { ...target, meter } : undefined;
}

function toOccurrences(rule: WatchedRule): WatchedRule {
  return rule.others.length > 0 || rule.condition.operator === "absent" ? rule : { ...rule, isEach: true };
}

/** The addresses whose transactions the suspended parts of contracts need. */
export function addressesToRead(contracts: readonly WatchedContract[]): Set<string> {
  const targets = contracts.flatMap((contract) => contract.targets).filter(({ meter }) => meter.measure);
  return new Set(targets.flatMap((target) => transactionAddressesOf(target)));
}

export async function loadSuspendedParts(
  app: App,
  chain: Chain,
  contract_ids: string[],
): Promise<WatchedContract[]> {
  const parts: WatchedContract[] = [];
  for (const row of await listWatchedOf(app.db, contract_ids))
    parts.push(await suspendedPart(app, chain, row));
  return parts;
}

/** Where a catch-up is, and the newest block of the chain. */
export type CatchUpPoint = { after: BlockPoint; newest: BlockPoint; headTime: number };

/** Measures and evaluates past blocks for the suspended parts of contracts. Returns what to write. */
export async function applyPast(
  app: App,
  chain: Chain,
  contracts: WatchedContract[],
  blocks: readonly Block[],
  { after, newest, headTime }: CatchUpPoint,
): Promise<ChangeSet> {
  const engine = new EngineState(chain, { maxGroups: app.config.groupsInMemory });
  engine.observeHead(headTime);
  const rule_ids = contracts.flatMap(({ targets }) =>
    targets.flatMap(({ rules }) => rules.map(({ id }) => id)),
  );
  for (const { rule_id, group, state } of await listStatesOf(app.db, rule_ids, after.height))
    engine.states.set(ruleKey(rule_id, group), state);
  // Targets that were measured all the time have readings up to the newest block.
  await fillSeries(app, engine, contracts, { height: newest.height, time: after.time });
  for (const contract of contracts) engine.watch(contract, after.time);
  const changes = emptyChangeSet();
  const stored = { db: app.db, samplesUpTo: newest.height, statesUpTo: after.height };
  let last = after;
  for (const block of blocks) {
    // Rules that are due between two blocks are evaluated at their own time, as if there had been a block.
    for (let left = maxTimers; left > 0; left--) {
      const due = Math.ceil(engine.due.nextTime() ?? Infinity);
      if (due <= last.time || due >= block.time) break;
      const between = emptyBlock({ height: Math.min(last.height + 1, block.height - 1), time: due });
      await applyOne(app, engine, changes, between, { stored, time: last.time });
      last = between;
    }
    await applyOne(app, engine, changes, block, { stored, time: last.time });
    last = block;
  }
  return { ...changes, blocks: [] };
}

function emptyBlock({ height, time }: BlockPoint): Block {
  return { height, time, hash: String(height), parent_hash: "", transactions: [], logs: [] };
}

async function applyOne(
  app: App,
  engine: EngineState,
  changes: ChangeSet,
  block: Block,
  { stored, time: before }: Earlier,
): Promise<void> {
  engine.startBlock(block.time);
  const measured = nothingMeasured();
  const pause = makePause();
  const measuring = { engine, block, measured };
  const touched = await familyOf(engine.watchList.chain).decodeBlock(block, engine.watchList, pause);
  await measureActivity(measuring, touched, pause);
  await loadGroupsOf(stored, engine, block, { before, seen: measured.grouped });
  await addGroupReadings(measuring, pause);
  const evaluations = await evaluate(engine, block, measured, pause);
  await addResult(app, engine, changes, block, { measured, problems: new Map(), evaluations });
}
