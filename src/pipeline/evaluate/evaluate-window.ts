import type { TimedReading } from "../../meters/meter.ts";
import type { Series } from "../watch/series.ts";
import { aggregate, type Summarise } from "./aggregate.ts";
import { type Baseline, baselineOf, scoreOf } from "./baseline.ts";
import { coversWindow, evaluateValue, type WindowValue } from "./evaluate-value.ts";
import type { Condition, Operator, Rule } from "./rule.ts";

/** What a rule's condition makes of its window at a moment of block time. */
export type WindowResult = {
  /** Null when there is nothing to judge. */
  holds: boolean | null;
  value: number | null;
  /** The clause that was judged, in words. */
  clause: string;
  window: readonly TimedReading[];
  baseline: Baseline | undefined;
  /** It holds because there is nothing to judge, and the rule wants to hear of that. */
  isNoData: boolean;
};

/** Judges a condition over the window that ends at `now`. */
export function evaluateWindow(
  rule: Rule,
  series: Series,
  now: number,
  summarise: Summarise | undefined,
): WindowResult {
  const { condition } = rule;
  const window = series.between(now - condition.window_seconds, now);
  const found = compareWindow(rule, series, window, now, summarise);
  if (found.holds === null && isMissingData(rule, window, now)) {
    const clause = `no data for ${condition.window_seconds} s`;
    return { window, baseline: undefined, clause, value: null, holds: true, isNoData: true };
  }
  // What happened has left the window, and with it what was wrong: the next time is news.
  const holds = found.holds ?? (!rule.isPolled && window.length === 0 ? false : null);
  const clause = wordsOf(condition, found.value);
  return { window, baseline: undefined, isNoData: false, clause, ...found, holds };
}

/** A rule may want to hear of a target that gives nothing, once it has listened for a whole window. */
function isMissingData(rule: Rule, window: readonly TimedReading[], now: number): boolean {
  return rule.no_data === "alert" && window.length === 0 && coversWindow(rule, now);
}

type Found = WindowValue & { baseline?: Baseline };

function compareWindow(
  rule: Rule,
  series: Series,
  window: readonly TimedReading[],
  now: number,
  summarise: Summarise | undefined,
): Found {
  const { operator, window_seconds } = rule.condition;
  switch (operator) {
    case "absent":
      return evaluateAbsence(rule, window, now);
    case "changed":
      return evaluateChange(series, window, now - window_seconds);
    case "change_pct_gt":
    case "change_pct_lt":
      return evaluateChangePercent(rule.condition, series, window, now - window_seconds);
    case "anomaly":
      return rule.isScore
        ? evaluateScore(rule.condition, window, summarise)
        : evaluateAnomaly(rule.condition, series, now, summarise);
    default:
      return evaluateValue(rule, series, window, now, summarise);
  }
}

/** Silence can be judged only once the rule has listened for a whole window. */
function evaluateAbsence(rule: Rule, window: readonly TimedReading[], now: number): Found {
  if (window.length > 0) return { value: window.length, holds: false };
  return { value: 0, holds: coversWindow(rule, now) ? true : null };
}

/** Whether anything in the window differs from what was before it. */
function evaluateChange(series: Series, window: readonly TimedReading[], start: number): Found {
  const newest = window.at(-1);
  if (!newest) return { value: null, holds: null };
  let before = series.at(start);
  for (const reading of window) {
    if (before && stateOf(before) !== stateOf(reading)) return { value: newest.value, holds: true };
    before = reading;
  }
  return { value: newest.value, holds: false };
}

/** A meter that watches more than a number says what to compare under `state`. */
function stateOf(reading: TimedReading): unknown {
  return reading.evidence?.state ?? reading.value;
}

/** From the value that held when the window began to the newest one, in percent of the former. */
function evaluateChangePercent(
  { operator, threshold }: Condition,
  series: Series,
  window: readonly TimedReading[],
  start: number,
): Found {
  const newest = window.at(-1);
  const base = series.at(start) ?? window[0];
  if (!newest || !base || base.value === 0) return { value: null, holds: null };
  const value = ((newest.value - base.value) / Math.abs(base.value)) * 100;
  return { value, holds: operator === "change_pct_gt" ? value > threshold : value < threshold };
}

/** What is a score already is not scored once more. */
function evaluateScore(
  { aggregation, window_seconds, threshold }: Condition,
  window: readonly TimedReading[],
  summarise: Summarise | undefined,
): Found {
  const value = aggregate(aggregation, window, window_seconds, summarise);
  return { value, holds: value === null ? null : value > threshold };
}

function evaluateAnomaly(
  { aggregation, window_seconds, threshold }: Condition,
  series: Series,
  now: number,
  summarise: Summarise | undefined,
): Found {
  const read = (end: number) =>
    aggregate(aggregation, series.between(end - window_seconds, end), window_seconds, summarise);
  const baseline = baselineOf(series, now, window_seconds, read);
  const value = read(now);
  if (!baseline || value === null) return { value: null, holds: null };
  return { value, baseline, holds: scoreOf(value, baseline, aggregation) > threshold };
}

const words: Record<Operator, string> = {
  gt: "above",
  gte: "at least",
  lt: "below",
  lte: "at most",
  eq: "equal to",
  neq: "other than",
  between: "between",
  outside: "outside",
  change_pct_gt: "change in % above",
  change_pct_lt: "change in % below",
  changed: "changed",
  anomaly: "anomaly score above",
  absent: "absent",
};

function wordsOf(condition: Condition, value: number | null): string {
  const { operator, threshold, threshold_high, aggregation, window_seconds } = condition;
  const what = `${aggregation} over ${window_seconds} s`;
  if (operator === "changed" || operator === "absent") return `${what}: ${words[operator]}`;
  const bound =
    operator === "between" || operator === "outside" ? `${threshold} and ${threshold_high}` : threshold;
  return `${what} is ${value ?? "unknown"}: ${words[operator]} ${bound}`;
}
