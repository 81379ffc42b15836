import type { TimedReading } from "../../meters/meter.ts";
import { Series } from "../watch/series.ts";
import { advanceRule } from "./advance-rule.ts";
import { evaluateParts, type PartSource } from "./evaluate-parts.ts";
import { nextDue } from "./next-due.ts";
import { type FreshReading, findOccurrences } from "./occurrences.ts";
import type { Rule } from "./rule.ts";
import { initialState, type RuleState } from "./rule-state.ts";

/** One time that a rule would have fired. Times are block times. */
export type Episode = {
  fired_at: number;
  resolved_at: number | null;
  value: number | null;
  tx_hash: string | null;
};

/** The number of readings evaluated between two calls of `yieldToOthers`: some milliseconds. */
const readingsPerSlice = 200_000;
/** The cost of one window of a baseline, in readings. */
const baselineWindowCost = 10;

/** A condition of a rule with the stored readings of its target. */
export type ReplaySource = Omit<PartSource, "series"> & { readings: readonly TimedReading[] };

/**
 * Replays a rule over readings with the engine's own evaluation, including the times between readings at which it is due.
 * A replay may take long, so it calls `yieldToOthers` regularly to keep the process responsive.
 */
export async function replay(
  rule: Rule,
  replaySources: readonly ReplaySource[],
  until: number,
  yieldToOthers: () => Promise<void>,
): Promise<Run> {
  const sources = replaySources.map((replaySource) => ({
    ...replaySource,
    series: new Series(Number.POSITIVE_INFINITY),
    added: 0,
  }));
  const run: Run = { state: initialState, episodes: [], values: [] };
  // A group exists from its first reading on.
  const isGroup = replaySources[0]?.readings[0]?.group !== undefined;
  let due = isGroup ? null : nextDue(rule, run.state, sources, rule.since);
  let evaluated = 0;
  const evaluateAt = async (now: number, fresh: readonly FreshReading[]) => {
    evaluated += rule.isEach ? addOccurrences(rule, run, sources, fresh) : advance(rule, run, sources, now);
    due = nextDue(rule, run.state, sources, now);
    if (evaluated < readingsPerSlice) return;
    evaluated = 0;
    await yieldToOthers();
  };
  for (const now of timesOf(replaySources)) {
    while (due !== null && due < now) await evaluateAt(due, []);
    await evaluateAt(now, addReadings(sources, now));
  }
  while (due !== null && due < until) await evaluateAt(due, []);
  return run;
}

type Run = { state: RuleState; episodes: Episode[]; values: number[] };
type Playing = ReplaySource & PartSource & { added: number };

/** The times of all readings, ascending, each once. */
function timesOf(sources: readonly ReplaySource[]): Iterable<number> {
  const times = sources.map(({ readings }) => readings.map(({ time }) => time));
  const [ownTimes = []] = times;
  if (times.length === 1) return new Set(ownTimes);
  return new Set(times.flat().sort((a, b) => a - b));
}

/** Adds the readings up to a time to their series. Returns those of the rule's own target. */
function addReadings(sources: Playing[], now: number): FreshReading[] {
  const fresh: FreshReading[] = [];
  for (const [index, source] of sources.entries()) {
    for (let reading = source.readings[source.added]; reading && reading.time <= now; ) {
      if (index === 0) fresh.push({ reading, previous: source.readings[source.added - 1], block_hash: "" });
      source.series.add(reading);
      source.added += 1;
      reading = source.readings[source.added];
    }
  }
  return fresh;
}

/** Adds the occurrences among new readings; each has nothing to resolve. Returns the effort, in readings. */
function addOccurrences(rule: Rule, run: Run, sources: Playing[], fresh: readonly FreshReading[]): number {
  const others = sources.slice(1);
  const now = fresh.at(-1)?.reading.time ?? 0;
  const context = others.length > 0 ? evaluateParts(rule, others, now) : undefined;
  for (const { reading } of fresh) run.values.push(reading.value);
  if (context && !context.holds) return fresh.length + context.window.length;
  for (const { reading } of findOccurrences(rule, initialState, fresh)) {
    const { time: fired_at, value, tx_hash } = reading;
    run.episodes.push({ fired_at, resolved_at: null, value, tx_hash });
  }
  return fresh.length + (context?.window.length ?? 0);
}

/** Evaluates the windows that end at a time. Returns the effort, in readings. */
function advance(rule: Rule, run: Run, sources: Playing[], now: number): number {
  const windowResult = evaluateParts(rule, sources, now);
  if (windowResult.value !== null) run.values.push(windowResult.value);
  const { state, step } = advanceRule(rule, run.state, windowResult, now);
  const open = run.episodes.at(-1);
  if (step.does === "resolve" && open) open.resolved_at = now;
  if (step.does === "fire") {
    const tx_hash = windowResult.window.at(-1)?.tx_hash ?? null;
    run.episodes.push({ fired_at: now, resolved_at: null, value: windowResult.value, tx_hash });
  }
  run.state = state;
  return 1 + windowResult.window.length + baselineWindowCost * (windowResult.baseline?.windows ?? 0);
}
