import type { Severity } from "../severity.ts";
import { baselineOf, robustScore } from "./baseline.ts";
import { medianOf } from "./median.ts";

export type AnomalyKind = "spike" | "drop" | "silence" | "jump" | "deviation" | "frozen" | "stale";
export const anomalyKinds: readonly AnomalyKind[] = [
  "spike",
  "drop",
  "silence",
  "jump",
  "deviation",
  "frozen",
  "stale",
];

/** An anomaly in one minute. */
export type Anomaly = { kind: AnomalyKind; score: number; value: number; expected: number };

/** The history that a score needs, and the history that it uses, in minutes. */
const minMinutes = 180;
const maxMinutes = 1440;
/** The smallest scores that count as an anomaly. Levels drift, so their bound is higher. */
const minScore = 4;
const minLevelScore = 6;
/** The smallest number of earlier gaps or runs to compare with. */
const minExamples = 20;

/** Scores the newest minute of a counted series. `counts` has one entry per minute, zeros included, oldest first. */
export function scoreCount(counts: readonly number[]): Anomaly[] {
  if (counts.length <= minMinutes) return [];
  const recent = counts.slice(-maxMinutes - 1);
  const value = recent.at(-1) as number;
  const earlier = recent.slice(0, -1);
  const { score, expected } = compareWith(earlier, value, 1);
  const anomalies: Anomaly[] = [];
  if (score >= minScore)
    anomalies.push({ kind: value > expected ? "spike" : "drop", score, value, expected });
  return [...anomalies, ...scoreSilence(recent)];
}

/** A gap that is longer than the earlier gaps. */
function scoreSilence(counts: readonly number[]): Anomaly[] {
  const active = counts.flatMap((count, minute) => (count > 0 ? [minute] : []));
  if (active.length <= minExamples) return [];
  const gaps = active.slice(1).map((minute, index) => minute - (active[index] as number));
  const silent = counts.length - 1 - (active.at(-1) as number);
  // A tolerance of half the usual gap.
  const { score, expected } = compareWith(gaps, silent, Math.max(1, medianOf(gaps) / 2));
  const isLongest = silent > Math.max(...gaps);
  return isLongest && silent > expected && score >= minLevelScore
    ? [{ kind: "silence", score, value: silent, expected }]
    : [];
}

/** The level of one minute. */
export type Level = { minute: number; value: number };

/** Scores the newest reading of a level series. `levels` are oldest first. */
export function scoreLevel(levels: readonly Level[]): Anomaly[] {
  const newest = levels.at(-1);
  const oldest = levels[0];
  if (!newest || !oldest || newest.minute - oldest.minute < minMinutes) return [];
  const values = levels
    .filter(({ minute }) => minute >= newest.minute - maxMinutes)
    .map(({ value }) => value);
  return [...scoreDeviation(values), ...scoreJump(values), ...scoreFrozen(values)];
}

function scoreDeviation(values: readonly number[]): Anomaly[] {
  const value = values.at(-1) as number;
  const earlier = values.slice(0, -1);
  const { score, expected } = compareWith(earlier, value, hundredth(earlier) / 2);
  return score >= minLevelScore ? [{ kind: "deviation", score, value, expected }] : [];
}

/** A step that is much larger than the earlier steps. */
function scoreJump(values: readonly number[]): Anomaly[] {
  const steps = values.slice(1).map((value, index) => value - (values[index] as number));
  const step = steps.at(-1);
  if (step === undefined || steps.length <= minExamples) return [];
  const { score } = compareWith(steps.slice(0, -1), step, hundredth(values.slice(0, -1)) / 2);
  const before = values.at(-2) as number;
  return score >= minLevelScore
    ? [{ kind: "jump", score, value: values.at(-1) as number, expected: before }]
    : [];
}

/** A value that stays unchanged for much longer than before. */
function scoreFrozen(values: readonly number[]): Anomaly[] {
  const runs: number[] = [];
  let length = 0;
  for (const [index, value] of values.entries()) {
    if (index > 0 && value !== values[index - 1]) {
      runs.push(length);
      length = 0;
    }
    length++;
  }
  if (runs.length <= minExamples) return [];
  const { score } = compareWith(runs, length, 1);
  const isLongest = length > Math.max(...runs);
  const value = values.at(-1) as number;
  return isLongest && score >= minLevelScore * 2
    ? [{ kind: "frozen", score, value, expected: medianOf(runs) }]
    : [];
}

/** Scores the age of a feed. Twice the heartbeat is a warning, four times is critical. */
export function scoreStale(ageSeconds: number, heartbeatSeconds: number): Anomaly[] {
  const score = (3 * ageSeconds) / heartbeatSeconds;
  return ageSeconds > heartbeatSeconds
    ? [{ kind: "stale", score, value: ageSeconds, expected: heartbeatSeconds }]
    : [];
}

export function severityOf(score: number): Severity {
  if (score >= 12) return "critical";
  return score >= 6 ? "warning" : "info";
}

/** One hundredth of the level: the deviation that a constant level may have without an anomaly. */
function hundredth(values: readonly number[]): number {
  return Math.max(Math.abs(medianOf(values)) / 100, Number.EPSILON);
}

/** Returns how unusual a value is after earlier ones, and the value that was to be expected. */
function compareWith(earlier: readonly number[], value: number, minDeviation: number) {
  const baseline = baselineOf(earlier);
  return { score: robustScore(value, baseline, minDeviation), expected: baseline.median };
}
