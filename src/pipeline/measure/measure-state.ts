import type { Block, ReadResult } from "../../chains/block.ts";
import { backoffAfter } from "../../lib/concurrency/exponential-backoff.ts";
import type { Patience } from "../../lib/concurrency/patience.ts";
import type { Problem } from "../../meters/meter.ts";
import type { WatchedContract, WatchedTarget } from "../watch/watch-list.ts";
import { addSample, addToObservers, addToRule, type Measuring } from "./measure-activity.ts";
import { secondsUntilCheck } from "./slow-checks.ts";
import type { SettledPoll, StatePolls } from "./state-polls.ts";

/** Why targets could not be read, by target. */
export type Problems = Map<string, Problem>;

/** A failed target is retried sooner than its interval, and less often the longer it fails. */
const retrySeconds = { first: 15, max: 300 };
/** A contract may become what the meter measures, when it is initialised. */
const unsupportedRetrySeconds = 3600;

/** Has the state of contracts that were active in the block read, except of targets that wait to be retried. */
export function pollTouched(
  measuring: Measuring,
  touched: readonly WatchedContract[],
  polls: StatePolls,
): void {
  const { engine, block } = measuring;
  for (const { targets } of touched)
    for (const target of targets)
      if (target.meter.reads && isReadAtActivity(target, measuring) && polls.failuresOf(target.id) === 0)
        engine.pollSoon(target, block.time);
}

/** State whose changes are events is read now and then when the contract is active, because attackers avoid the events. */
const activityCheckSeconds = 120;

function isReadAtActivity(
  { meter, config, series_id }: WatchedTarget,
  { engine, block }: Measuring,
): boolean {
  if (!meter.checkSeconds) return true;
  const newest = engine.newest(series_id);
  // Changes of some kinds have no event, such as those of the singleton of a Safe.
  if (!newest || meter.minPollingSeconds?.(config, newest) === 0) return newest !== undefined;
  return block.time >= newest.time + activityCheckSeconds;
}

/** Starts to read the targets whose interval has passed, waits a little, and applies every read that has settled. */
export async function measureState(
  measuring: Measuring & { block: Block },
  polls: StatePolls,
  patience: Patience,
): Promise<Problems> {
  const { engine, block } = measuring;
  const due = engine.polls.removeDue(block.time).flatMap((target_id) => {
    const target = engine.watchList.target(target_id);
    return target ? [{ target, previous: engine.newest(target.series_id) }] : [];
  });
  const { height, hash, time } = block;
  if (due.length > 0) await patience.waitFor(polls.start(due, { height, hash, time }));
  return applySettledPolls(measuring, polls);
}

/** Turns the reads that have settled into samples, dated at the block at which they were read. */
export function applySettledPolls(measuring: Measuring, polls: StatePolls): Problems {
  const problems: Problems = new Map();
  const { engine, block } = measuring;
  for (const poll of polls.removeSettled()) {
    const { target } = poll;
    // A target that was changed or removed in the meantime was scheduled again with its contract.
    if (engine.watchList.target(target.id) !== target) continue;
    if (!poll.results || isOvertaken(measuring, poll)) {
      engine.polls.set(target.id, block.time);
      continue;
    }
    const problem = interpret(measuring, polls, { ...poll, results: poll.results });
    if (problem) problems.set(target.id, problem);
    engine.polls.set(target.id, block.time + waitSeconds(measuring, poll, problem, polls));
  }
  return problems;
}

/** A late read is of no use when the series already has a reading of the same block or a later one, from a log. */
function isOvertaken({ engine, block }: Measuring, { target, block: at }: SettledPoll): boolean {
  const newest = engine.newest(target.series_id);
  return newest !== undefined && at.height < block.height && newest.height >= at.height;
}

function waitSeconds(
  { engine, block }: Measuring,
  { target }: SettledPoll,
  problem: Problem | undefined,
  polls: StatePolls,
): number {
  const { pollingSeconds } = target.contract;
  if (problem?.isUnsupported) return unsupportedRetrySeconds;
  if (!problem)
    return Math.max(pollingSeconds, secondsUntilCheck(target, engine.newest(target.series_id), block.time));
  const waitSeconds = backoffAfter(polls.failuresOf(target.id), retrySeconds);
  return Math.min(waitSeconds, Math.max(retrySeconds.first, pollingSeconds));
}

/** Turns results into a sample, or returns why there is none. */
function interpret(
  { engine, measured }: Measuring,
  { state }: StatePolls,
  { target, block, results }: SettledPoll & { results: readonly ReadResult[] },
): Problem | undefined {
  const context = { time: block.time, height: block.height, previous: engine.newest(target.series_id) };
  const reading = state.interpret(target, results, context);
  if (!reading) return { problem: "This meter reads no state." };
  if ("problem" in reading) return reading;
  const at = { engine, block, measured };
  const fresh = addSample(at, {
    ...{ series_id: target.series_id, org_id: target.contract.org_id },
    reading,
  });
  for (const rule of target.rules)
    if (!rule.matcher && !rule.group_by && !engine.precedes(block, rule)) addToRule(at, rule, [fresh]);
  addToObservers(at, target);
  return undefined;
}
