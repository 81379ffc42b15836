import type { Block, ReadResult } from "../../chains/block.ts";
import type { ChainReader } from "../../chains/reader.ts";
import type { WatchedTarget } from "../watch/watch-list.ts";
import { addSample, type Measuring } from "./measure-activity.ts";

/** Why targets could not be read, by target. */
export type Problems = Map<string, string>;

/** A failed target is retried sooner than its interval. */
const retrySeconds = 15;

/** Reads the state of all targets whose interval has passed, in one batch. */
export async function measureState(
  measuring: Measuring & { block: Block },
  reader: ChainReader,
): Promise<Problems> {
  const { engine, block } = measuring;
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
  let offset = 0;
  for (const { target, reads } of plans) {
    const targetResults = results.slice(offset, offset + reads.length);
    offset += reads.length;
    const problem = interpret(measuring, target, targetResults);
    if (problem) problems.set(target.id, problem);
    const wait = problem
      ? Math.min(retrySeconds, target.contract.pollingSeconds)
      : target.contract.pollingSeconds;
    engine.polls.set(target.id, block.time + wait);
  }
  return problems;
}

/** Turns results into a sample, or returns why there is none. */
function interpret(measuring: Measuring, target: WatchedTarget, results: ReadResult[]): string | undefined {
  const { engine, block, measured } = measuring;
  const { meter, config, contract } = target;
  const context = { time: block.time, previous: engine.newest(target.series_id) };
  const reading = meter.interpret?.(config, results, contract.subject, context);
  if (!reading) return "this meter reads no state";
  if ("problem" in reading) return reading.problem;
  addSample(measuring, { series_id: target.series_id, org_id: contract.org_id, reading });
  for (const rule of target.rules) if (!rule.matcher) measured.rules.add(rule);
  return undefined;
}
