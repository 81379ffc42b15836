import { medianOf } from "../median.ts";
import type { Severity } from "../severity.ts";
import { robustScore } from "./robust.ts";

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

/** Something unusual in one minute. */
export type Anomaly = { kind: AnomalyKind; score: number; value: number; expected: number };

/** Three hours must be known before anything is called unusual, and a day is compared with. */
const minMinutes = 180;
const maxMinutes = 1440;
/** Below these scores nothing is worth a line; a level drifts more than a count spikes. */
const minScore = 4;
const minLevelScore = 6;
/** Patterns of gaps and runs need some examples. */
const minExamples = 20;

/**
 * Judges the newest minute of something that is counted: `counts` holds how much each minute had, zeros too, oldest
 * first.
 */
export function scoreCount(counts: readonly number[]): Anomaly[] {
  if (counts.length <= minMinutes) return [];
  const recent = counts.slice(-maxMinutes - 1);
  const value = recent.at(-1) as number;
  const earlier = recent.slice(0, -1);
  const { score, expected } = robustScore(value, earlier, 1);
  const found: Anomaly[] = [];
  if (score >= minScore) found.push({ kind: value > expected ? "spike" : "drop", score, value, expected });
  return [...found, ...scoreSilence(recent)];
}

/** Nothing for longer than ever before, of something that used to happen. */
function scoreSilence(counts: readonly number[]): Anomaly[] {
  const active = counts.flatMap((count, minute) => (count > 0 ? [minute] : []));
  if (active.length <= minExamples) return [];
  const gaps = active.slice(1).map((minute, index) => minute - (active[index] as number));
  const silent = counts.length - 1 - (active.at(-1) as number);
  // What comes every hour may well come half an hour late.
  const { score, expected } = robustScore(silent, gaps, Math.max(1, medianOf(gaps) / 2));
  const isLongest = silent > Math.max(...gaps);
  return isLongest && silent > expected && score >= minLevelScore
    ? [{ kind: "silence", score, value: silent, expected }]
    : [];
}

/** A level as it was read in a minute. */
export type Level = { minute: number; value: number };

/** Judges the newest reading of something that stands at a level, oldest reading first. */
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
  const { score, expected } = robustScore(value, earlier, hundredth(earlier) / 2);
  return score >= minLevelScore ? [{ kind: "deviation", score, value, expected }] : [];
}

/** One step much larger than the steps before it. */
function scoreJump(values: readonly number[]): Anomaly[] {
  const steps = values.slice(1).map((value, index) => value - (values[index] as number));
  const step = steps.at(-1);
  if (step === undefined || steps.length <= minExamples) return [];
  const { score } = robustScore(step, steps.slice(0, -1), hundredth(values.slice(0, -1)) / 2);
  const before = values.at(-2) as number;
  return score >= minLevelScore
    ? [{ kind: "jump", score, value: values.at(-1) as number, expected: before }]
    : [];
}

/** The same value for much longer than ever before, of something that used to change. */
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
  const { score } = robustScore(length, runs, 1);
  const isLongest = length > Math.max(...runs);
  const value = values.at(-1) as number;
  return isLongest && score >= minLevelScore * 2
    ? [{ kind: "frozen", score, value, expected: medianOf(runs) }]
    : [];
}

/** A feed that is later than it promises to be. At twice its heartbeat it is worth a warning, at four times an alarm. */
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

/** What is small beside a level, so that a level that stands still is not alarmed by a rounding. */
function hundredth(values: readonly number[]): number {
  return Math.max(Math.abs(medianOf(values)) / 100, Number.EPSILON);
}
