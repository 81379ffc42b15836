import type { Activity } from "../../chains/activity.ts";
import type { Block } from "../../chains/block.ts";
import { familyOf } from "../../chains/families.ts";
import type { ChainReader } from "../../chains/reader.ts";
import type { Code } from "../../store/engine/contract-code.ts";
import { type Evaluation, evaluate } from "../evaluate/evaluate.ts";
import { type Measured, measureActivity } from "../measure/measure-activity.ts";
import { measureState, type Problems } from "../measure/measure-state.ts";
import type { EngineState } from "../watch/engine-state.ts";
import type { WatchedContract } from "../watch/watch-list.ts";

/** What one block led to. */
export type BlockResult = {
  measured: Measured;
  problems: Problems;
  /** Those that were called or emitted something themselves. */
  touched: WatchedContract[];
  /** The code that contracts have from now on. */
  upgrades: Map<WatchedContract, Code>;
  evaluations: Evaluation[];
};

const noTraces =
  "The node gives no traces (debug_traceBlockByHash), so that calls made by other contracts are not seen.";

/** Takes one block through decode, measure and evaluate. State is read only where the chain can still tell it. */
export async function processBlock(
  engine: EngineState,
  block: Block,
  reader: ChainReader,
  readsState: boolean,
): Promise<BlockResult> {
  const measured: Measured = { samples: [], rules: new Set() };
  const family = familyOf(engine.watchList.chain);
  const touched = family.decodeBlock(block, engine.watchList);
  measureActivity(engine, block, touched, measured);
  const problems: Problems = readsState ? await measureState(engine, block, reader, measured) : new Map();
  if (!block.internal_calls) {
    for (const target of engine.watchList.tracing) problems.set(target.id, noTraces);
  }
  const evaluations = evaluate(engine, block, measured.rules);
  const upgrades = family.code.findUpgrades(block, engine.watchList);
  return { measured, problems, touched: activeIn(touched), upgrades, evaluations };
}

/** A meter may have had another address looked at, whose life is not the contract's. */
function activeIn(touched: ReadonlyMap<WatchedContract, Activity>): WatchedContract[] {
  return [...touched].flatMap(([contract, { calls, events }]) =>
    calls.length > 0 || events.some(({ address }) => address === contract.subject.address) ? [contract] : [],
  );
}
