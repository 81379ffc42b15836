import type { TimedReading } from "../../meters/meter.ts";
import { Series } from "../watch/series.ts";
import { advanceRule } from "./advance-rule.ts";
import type { Summarise } from "./aggregate.ts";
import { evaluateWindow, type WindowResult } from "./evaluate-window.ts";
import { nextDue } from "./next-due.ts";
import { findOccurrences } from "./occurrences.ts";
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

/**
 * Replays a rule over readings with the engine's own evaluation, including the times between readings at which it is due.
 * A replay may take long, so it calls `yieldToOthers` regularly to keep the process responsive.
 */
export async function replay(
  rule: Rule,
  readings: readonly TimedReading[],
  until: number,
  summarise: Summarise | undefined,
  yieldToOthers: () => Promise<void>,
): Promise<{ episodes: Episode[]; values: number[] }> {
  if (rule.isEach) return replayOccurrences(rule, readings, yieldToOthers);
  const series = new Series(Number.POSITIVE_INFINITY);
  const run = { state: initialState, episodes: [] as Episode[], values: [] as number[] };
  let due = nextDue(rule, run.state, series, rule.since);
  let evaluated = 0;
  const evaluateAt = async (now: number) => {
    const windowResult = evaluateWindow(rule, series, now, summarise);
    run.state = advance(rule, run, windowResult, now);
    due = nextDue(rule, run.state, series, now);
    evaluated += 1 + windowResult.window.length + baselineWindowCost * (windowResult.baseline?.windows ?? 0);
    if (evaluated < readingsPerSlice) return;
    evaluated = 0;
    await yieldToOthers();
  };
  const catchUp = async (now: number) => {
    while (due !== null && due < now) await evaluateAt(due);
  };
  for (const [index, reading] of readings.entries()) {
    await catchUp(reading.time);
    series.add(reading);
    const isLastAtTime = readings[index + 1]?.time !== reading.time;
    if (isLastAtTime) await evaluateAt(reading.time);
  }
  await catchUp(until);
  return run;
}

/** An occurrence has nothing to resolve. */
async function replayOccurrences(
  rule: Rule,
  readings: readonly TimedReading[],
  yieldToOthers: () => Promise<void>,
): Promise<{ episodes: Episode[]; values: number[] }> {
  const episodes: Episode[] = [];
  for (let from = 0; from < readings.length; from += readingsPerSlice) {
    const slice = readings.slice(from, from + readingsPerSlice);
    const fresh = slice.map((reading, index) => ({
      reading,
      previous: readings[from + index - 1],
      block_hash: "",
    }));
    for (const { reading } of findOccurrences(rule, initialState, fresh)) {
      const { time: fired_at, value, tx_hash } = reading;
      episodes.push({ fired_at, resolved_at: null, value, tx_hash });
    }
    await yieldToOthers();
  }
  return { episodes, values: readings.map(({ value }) => value) };
}

function advance(
  rule: Rule,
  run: { state: RuleState; episodes: Episode[]; values: number[] },
  windowResult: WindowResult,
  now: number,
): RuleState {
  if (windowResult.value !== null) run.values.push(windowResult.value);
  const { state, step } = advanceRule(rule, run.state, windowResult, now);
  const open = run.episodes.at(-1);
  if (step.does === "resolve" && open) open.resolved_at = now;
  if (step.does === "fire") {
    const tx_hash = windowResult.window.at(-1)?.tx_hash ?? null;
    run.episodes.push({ fired_at: now, resolved_at: null, value: windowResult.value, tx_hash });
  }
  return state;
}
