import type { TimedReading } from "../../meters/meter.ts";
import { Series } from "../watch/series.ts";
import type { Summarise } from "./aggregate.ts";
import { evaluateWindow, type WindowResult } from "./evaluate-window.ts";
import { nextDue } from "./next-due.ts";
import type { Rule } from "./rule.ts";
import { advance, initialState, type RuleState } from "./rule-state.ts";

/** What a rule would have done: one entry for each time that it would have fired. Times are block times. */
export type Episode = {
  fired_at: number;
  resolved_at: number | null;
  value: number | null;
  tx_hash: string | null;
};

/** How many readings are looked at before others have their turn: some milliseconds. */
const breath = 200_000;
/** What working out a baseline costs for each of its windows, in readings. */
const ofBaseline = 10;

/**
 * Takes a rule through readings as the engine would, with the same judgement; times between readings count as well. That may
 * take long, so `rest` lets others have their turn now and then.
 */
export async function replay(
  rule: Rule,
  readings: readonly TimedReading[],
  until: number,
  summarise: Summarise | undefined,
  rest: () => Promise<void>,
): Promise<{ episodes: Episode[]; values: number[] }> {
  const series = new Series(Number.POSITIVE_INFINITY);
  const run = { state: initialState, episodes: [] as Episode[], values: [] as number[] };
  let due = nextDue(rule, run.state, series, rule.since);
  let looked = 0;
  const evaluateAt = async (now: number) => {
    const windowResult = evaluateWindow(rule, series, now, summarise);
    run.state = stepTo(rule, run, windowResult, now);
    due = nextDue(rule, run.state, series, now);
    looked += 1 + windowResult.window.length + ofBaseline * (windowResult.baseline?.windows ?? 0);
    if (looked < breath) return;
    looked = 0;
    await rest();
  };
  const catchUp = async (now: number) => {
    while (due !== null && due < now) await evaluateAt(due);
  };
  for (const [index, reading] of readings.entries()) {
    await catchUp(reading.time);
    series.add(reading);
    const isLastOfMoment = readings[index + 1]?.time !== reading.time;
    if (isLastOfMoment) await evaluateAt(reading.time);
  }
  await catchUp(until);
  return run;
}

function stepTo(
  rule: Rule,
  run: { state: RuleState; episodes: Episode[]; values: number[] },
  windowResult: WindowResult,
  now: number,
): RuleState {
  if (windowResult.value !== null) run.values.push(windowResult.value);
  const { state, step } = advance(rule, run.state, windowResult, now);
  const open = run.episodes.at(-1);
  if (step.does === "resolve" && open) open.resolved_at = now;
  if (step.does === "fire") {
    const tx_hash = windowResult.window.at(-1)?.tx_hash ?? null;
    run.episodes.push({ fired_at: now, resolved_at: null, value: windowResult.value, tx_hash });
  }
  return state;
}
