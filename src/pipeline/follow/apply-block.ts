import { type App, newId } from "../../app.ts";
import type { Block } from "../../chains/block.ts";
import type { ChainReader } from "../../chains/reader.ts";
import { defaultWindowSeconds, type TimedReading } from "../../meters/meter.ts";
import type { Code } from "../../store/engine/contract-code.ts";
import type { BlockPoint } from "../block-point.ts";
import { addToChangeSet, type ChangeSet } from "../commit/change-set.ts";
import { summariserOf } from "../evaluate/summariser.ts";
import { unreadText } from "../measure/find-unread.ts";
import type { EngineState } from "../watch/engine-state.ts";
import { changeCode } from "../watch/load-state.ts";
import type { WatchedContract, WatchedTarget } from "../watch/watch-list.ts";
import type { AuxiliaryReads } from "./auxiliary-reads.ts";
import { type BlockResult, processBlock } from "./process-block.ts";
import { resolveBeacons } from "./resolve-beacons.ts";

/** The engine state that blocks are applied to, and the change set that collects what to write. */
export type Applying = {
  app: App;
  engine: EngineState;
  reader: ChainReader;
  auxiliary: AuxiliaryReads;
  changes: ChangeSet;
  /** The block that the blocks follow; everything up to it is in the store. */
  parent: BlockPoint;
};

/** Applies one block to the engine state and adds its changes to the change set. */
export async function applyBlock(applying: Applying, block: Block, readsState: boolean): Promise<void> {
  const { app, engine, reader, auxiliary, changes, parent } = applying;
  const stored = { db: app.db, samplesUpTo: parent.height, statesUpTo: parent.height };
  const { time } = changes.blocks.at(-1) ?? parent;
  const result = await processBlock(engine, block, auxiliary, { stored, time, readsState });
  const { measured, evaluations } = result;
  await addToChangeSet(
    changes,
    block,
    { samples: measured.samples, evaluations },
    {
      makeId: () => newId(app),
      now: () => app.clock.now(),
      setState: (key, state) => engine.states.set(key, state),
    },
  );
  if (result.upgrades.size > 0) {
    const { patience } = auxiliary;
    const codes = await resolveBeacons(engine, { reader, patience }, result.upgrades, block);
    await applyCodeChanges(applying, codes, block);
  }
  for (const contract of result.touched) changes.activity.set(contract.id, block.time);
  recordReadings(engine, changes, result);
  recordUnread(changes, measured, block);
}

/** Adds the samples, events and readings of a block that was measured outside of the chain's own steps. */
export async function addResult(
  app: App,
  engine: EngineState,
  changes: ChangeSet,
  block: Block,
  { measured, problems, evaluations }: Pick<BlockResult, "measured" | "problems" | "evaluations">,
): Promise<void> {
  await addToChangeSet(
    changes,
    block,
    { samples: measured.samples, evaluations },
    {
      makeId: () => newId(app),
      now: () => app.clock.now(),
      setState: (key, state) => engine.states.set(key, state),
    },
  );
  recordReadings(engine, changes, { measured, problems });
  recordUnread(changes, measured, block);
}

function recordUnread(changes: ChangeSet, { unread }: BlockResult["measured"], { height }: Block): void {
  for (const [{ id, generation }, reason] of unread)
    changes.unread.set(id, { generation, height, problem: unreadText(reason, height) });
}

/** Records the implementations that contracts have from a block on, and decodes by them from then on. */
export async function applyCodeChanges(
  { app, engine, changes }: Applying,
  codes: ReadonlyMap<WatchedContract, Code>,
  position: BlockPoint,
): Promise<void> {
  for (const [contract, code] of codes) {
    changes.codes.push({ contract_id: contract.id, height: position.height, ...code });
    if (code.implementation || code.beacon || contract.code?.implementation) {
      await changeCode(app, engine, contract, code, position);
    } else contract.code = code;
  }
}

/** Adds the newest reading or the problem of every target that was measured. */
export function recordReadings(
  engine: EngineState,
  changes: ChangeSet,
  { measured, problems, readable = [] }: Pick<BlockResult, "measured" | "problems"> & Partial<BlockResult>,
): void {
  for (const { id, generation } of readable) changes.readings.set(id, { generation, isReadable: true });
  const newest = new Map(measured.samples.map(({ series_id, reading }) => [series_id, reading]));
  for (const [series_id, reading] of newest) {
    const target = engine.watchList.targetOf(series_id);
    if (!target) continue;
    const value = shownValue(engine, target, reading);
    changes.readings.set(target.id, { generation: target.generation, value, time: reading.time });
  }
  for (const [target_id, problem] of problems) {
    const generation = engine.watchList.target(target_id)?.generation;
    const isUnsupported = problem.isUnsupported ?? false;
    if (generation) changes.readings.set(target_id, { generation, problem: problem.problem, isUnsupported });
  }
}

/** The newest value or, where the meter summarises, its summary of the recent window; null with too little data. */
function shownValue(
  engine: EngineState,
  target: WatchedTarget,
  { time, value }: TimedReading,
): number | null {
  const summarise = summariserOf({ target });
  if (!summarise) return value;
  return summarise(engine.series(target.series_id).between(time - defaultWindowSeconds(target), time));
}
