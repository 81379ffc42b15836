import type { Activity } from "../../chains/activity.ts";
import type { Block } from "../../chains/block.ts";
import { familyOf } from "../../chains/families.ts";
import { makePause } from "../../lib/concurrency/pauses.ts";
import type { Code } from "../../store/engine/contract-code.ts";
import { evaluate } from "../evaluate/evaluate.ts";
import type { Evaluation } from "../evaluate/evaluation.ts";
import {
  addGroupReadings,
  type Measured,
  measureActivity,
  nothingMeasured,
} from "../measure/measure-activity.ts";
import { measureState, type Problems, pollTouched } from "../measure/measure-state.ts";
import type { EngineState } from "../watch/engine-state.ts";
import { loadGroupsOf, type StoredGroups } from "../watch/load-groups.ts";
import type { WatchedContract, WatchedTarget } from "../watch/watch-list.ts";
import type { AuxiliaryReads } from "./auxiliary-reads.ts";

/** The result of processing one block. */
export type BlockResult = {
  measured: Measured;
  problems: Problems;
  /** Targets that could not be read before, and can be now. */
  readable: readonly WatchedTarget[];
  /** The contracts that were called or emitted an event. */
  touched: WatchedContract[];
  /** The implementations that contracts have after this block. */
  upgrades: Map<WatchedContract, Code>;
  evaluations: Evaluation[];
};

/** What is known before a block: what the store has, and the time of the block before. */
export type Earlier = { stored: StoredGroups; time: number };

/** Decodes, measures and evaluates one block. State is read only if `readsState`: nodes do not keep old state. */
export async function processBlock(
  engine: EngineState,
  block: Block,
  { polls, patience, activity, traces }: AuxiliaryReads,
  { stored, time: before, readsState }: Earlier & { readsState: boolean },
): Promise<BlockResult> {
  engine.startBlock(block.time);
  const measured = nothingMeasured();
  const family = familyOf(engine.watchList.chain);
  const pause = makePause();
  const touched = await family.decodeBlock(block, engine.watchList, pause);
  const measuring = { engine, block, measured };
  await measureActivity(measuring, touched, pause);
  await loadGroupsOf(stored, engine, block, { before, seen: measured.grouped });
  await addGroupReadings(measuring, pause);
  const active = activeIn(touched);
  const elsewhere = activity.removeUpTo(block.height, engine.watchList);
  if (readsState) pollTouched(measuring, [...active, ...elsewhere, ...mentionedIn(block, engine)], polls);
  const problems: Problems = readsState ? await measureState(measuring, polls, patience) : new Map();
  const { problem, readable } = traces.status.at(block, engine.watchList);
  if (problem) for (const { id } of engine.watchList.tracing) problems.set(id, { problem });
  const evaluations = await evaluate(engine, block, measured, pause);
  const upgrades = family.code.findUpgrades(block, engine.watchList);
  return { measured, problems, readable, touched: active, upgrades, evaluations };
}

/** The contracts that events of other contracts name. */
function mentionedIn(block: Block, { watchList }: EngineState): WatchedContract[] {
  const { holders } = watchList.plan;
  if (holders.size === 0) return [];
  return [...new Set(familyOf(watchList.chain).mentionedIn?.(block))].flatMap((address) =>
    [...watchList.at(address)].filter(({ subject }) => subject.address === address),
  );
}

/** Leaves out contracts of which only an address that a meter added was active. */
function activeIn(touched: ReadonlyMap<WatchedContract, Activity>): WatchedContract[] {
  return [...touched].flatMap(([contract, { calls, events }]) =>
    calls.length > 0 || events.some(({ address }) => address === contract.subject.address) ? [contract] : [],
  );
}
