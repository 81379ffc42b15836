import type { App } from "../../app.ts";
import type { Chain } from "../../chains/chain.ts";
import type { Fork } from "../../chains/reader.ts";
import { listCodeBefore } from "../../store/engine/contract-code.ts";
import { recordHead } from "../../store/engine/cursors.ts";
import { listStatesAt } from "../../store/engine/rule-states.ts";
import { loadGroups } from "../watch/load-groups.ts";
import { changeCode, type Loaded, loadEngineState } from "../watch/load-state.ts";
import { ruleKey } from "../watch/rule-groups.ts";

/** Rolls the engine state back to the fork. The store is rolled back when the new branch is committed. */
export async function rollBack(
  app: App,
  chain: Chain,
  loaded: Loaded,
  { ancestor, depth, isLate }: Fork,
): Promise<void> {
  app.log.warn(
    { chain: chain.chain, depth, to: ancestor.height },
    isLate ? "logs came late, blocks are read again" : "chain reorganised",
  );
  const isDeep = depth > chain.finality_depth;
  // A few blocks may span hours of block time, after which the readings that windows of that time need are trimmed.
  if (isDeep || ancestor.height < loaded.height || !loaded.engine.coversWindowsAt(ancestor.time)) {
    Object.assign(loaded, await loadEngineState(app, chain, ancestor));
    loaded.engine.scheduleAllLateState(ancestor);
  } else {
    const states = await listStatesAt(app.db, chain.chain, ancestor.height);
    await loadEvicted(app, loaded, states, ancestor);
    loaded.engine.rollBackTo(
      ancestor,
      states.map(({ rule_id, group, state }) => ({ key: ruleKey(rule_id, group), state })),
    );
  }
  for (const { contract_id, code } of await listCodeBefore(app.db, chain.chain, ancestor.height)) {
    const contract = loaded.engine.watchList.contract(contract_id);
    if (contract) await changeCode(app, loaded.engine, contract, code, ancestor);
  }
  if (isDeep && !isLate) await markDegraded(app, chain, { ancestor, depth });
}

/** Loads the groups whose state the rollback restores, if they were evicted. Their windows are needed again. */
async function loadEvicted(
  app: App,
  { engine }: Loaded,
  states: Awaited<ReturnType<typeof listStatesAt>>,
  { height, time }: Fork["ancestor"],
): Promise<void> {
  const stored = { db: app.db, samplesUpTo: height, statesUpTo: height };
  const wanted = states.flatMap(({ rule_id, group }) => {
    const rule = engine.watchList.rule(rule_id);
    return rule && group !== undefined ? [{ rule, group }] : [];
  });
  await loadGroups(stored, engine, wanted, time);
}

/** A reorganisation beyond the finality depth should never happen: the chain is followed, but staff must know. */
async function markDegraded(app: App, chain: Chain, { ancestor, depth }: Fork): Promise<void> {
  const degraded_reason =
    `A reorganisation was ${depth} blocks deep, back to block ${ancestor.height}; ` +
    `blocks deeper than ${chain.finality_depth} were considered final.`;
  app.log.error({ chain: chain.chain, depth }, degraded_reason);
  await recordHead(app.db, chain.chain, { degraded_reason });
}
