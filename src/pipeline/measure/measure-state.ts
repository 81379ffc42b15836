import type { Block, ReadResult } from "../../chains/block.ts";
import type { ChainReader } from "../../chains/reader.ts";
import type { EngineState } from "../watch/engine-state.ts";
import type { WatchedTarget } from "../watch/watch-list.ts";
import { addSample, type Measured } from "./measure-activity.ts";

/** Why targets could not be read, by target. */
export type Problems = Map<string, string>;

/** A target that failed is tried again soon, not only after its whole interval. */
const retrySeconds = 15;

/** Reads the targets whose interval has passed, all of them in one go. */
export async function measureState(
  engine: EngineState,
  block: Block,
  reader: ChainReader,
  measured: Measured,
): Promise<Problems> {
  const problems: Problems = new Map();
  const due = engine.polls.take(block.time).flatMap((target_id) => engine.watchList.target(target_id) ?? []);
  if (due.length === 0) return problems;
  const plans = due.map((target) => ({
    target,
    reads: target.meter.reads?.(target.config, target.contract.subject) ?? [],
  }));
  const results = await reader.read(
    plans.flatMap(({ reads }) => reads),
    block,
  );
  let at = 0;
  for (const { target, reads } of plans) {
    const own = results.slice(at, at + reads.length);
    at += reads.length;
    const problem = interpret(engine, block, target, own, measured);
    if (problem) problems.set(target.id, problem);
    const wait = problem
      ? Math.min(retrySeconds, target.contract.pollingSeconds)
      : target.contract.pollingSeconds;
    engine.polls.set(target.id, block.time + wait);
  }
  return problems;
}

/** Turns results into a sample, or says why there is none. */
function interpret(
  engine: EngineState,
  block: Block,
  target: WatchedTarget,
  results: ReadResult[],
  measured: Measured,
): string | undefined {
  const { meter, config, contract } = target;
  const context = { time: block.time, previous: engine.newest(target.series_id) };
  const reading = meter.interpret?.(config, results, contract.subject, context);
  if (!reading) return "this meter reads no state";
  if ("problem" in reading) return reading.problem;
  addSample(engine, block, target.series_id, contract.org_id, reading, measured);
  for (const rule of target.rules) if (!rule.matcher) measured.rules.add(rule);
  return undefined;
}
