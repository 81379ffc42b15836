import { type App, newId } from "../../app.ts";
import type { Block } from "../../chains/block.ts";
import type { ChainReader } from "../../chains/reader.ts";
import { ownWindowSeconds, type TimedReading } from "../../meters/meter.ts";
import type { Code } from "../../store/engine/contract-code.ts";
import { addToOutcome, type Outcome } from "../commit/change-set.ts";
import { summariserOf } from "../evaluate/evaluate.ts";
import type { Memory } from "../watch/engine-state.ts";
import { readByCode } from "../watch/load-state.ts";
import type { WatchedContract, WatchedTarget } from "../watch/watch-list.ts";
import { askBeacons } from "./discover-code.ts";
import { type Processed, processBlock } from "./process-block.ts";

/** Takes one block into memory and into what is to be written. */
export async function takeInBlock(
  app: App,
  memory: Memory,
  reader: ChainReader,
  outcome: Outcome,
  block: Block,
  readsState: boolean,
): Promise<void> {
  const processed = await processBlock(memory, block, reader, readsState);
  addToOutcome(outcome, block, processed.measured.samples, processed.evaluations, {
    makeId: () => newId(app),
    now: () => app.clock.now(),
    setState: (rule_id, state) => memory.setState(rule_id, state),
  });
  if (processed.upgrades.size > 0) {
    const codes = await askBeacons(memory, reader, processed.upgrades, block);
    await takeInCodes(app, memory, outcome, codes, block);
  }
  for (const contract of processed.touched) outcome.activity.set(contract.id, block.time);
  noteReadings(memory, outcome, processed);
}

/** Has contracts read by the code that they have from a block on. */
export async function takeInCodes(
  app: App,
  memory: Memory,
  outcome: Outcome,
  codes: ReadonlyMap<WatchedContract, Code>,
  at: { height: number; time: number },
): Promise<void> {
  for (const [contract, code] of codes) {
    outcome.codes.push({ contract_id: contract.id, height: at.height, ...code });
    if (code.implementation || code.beacon || contract.code?.implementation) {
      await readByCode(app, memory, contract, code, at);
    } else contract.code = code;
  }
}

function noteReadings(memory: Memory, outcome: Outcome, { measured, problems }: Processed): void {
  const newest = new Map(measured.samples.map(({ series_id, reading }) => [series_id, reading]));
  for (const [series_id, reading] of newest) {
    const target = memory.watchList.targetOf(series_id);
    if (!target) continue;
    const value = shownValue(memory, target, reading);
    outcome.readings.set(target.id, { generation: target.generation, value, time: reading.time });
  }
  for (const [target_id, problem] of problems) {
    const generation = memory.watchList.target(target_id)?.generation;
    if (generation) outcome.readings.set(target_id, { generation, problem });
  }
}

/** Where single readings say little, what their meter makes of the last ones; null while that is too little. */
function shownValue(memory: Memory, target: WatchedTarget, { time, value }: TimedReading): number | null {
  const summarise = summariserOf({ target });
  if (!summarise) return value;
  return summarise(memory.series(target.series_id).between(time - ownWindowSeconds(target), time));
}
