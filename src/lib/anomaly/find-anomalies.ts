import { medianOf, robustScore } from "./robust.ts";

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
const leastMinutes = 180;
const mostMinutes = 1440;
/** Below these scores nothing is worth a line; a level drifts more than a count spikes. */
const leastScore = 4;
const leastLevelScore = 6;
/** Patterns of gaps and runs need some examples. */
const leastExamples = 20;

/**
 * Judges the newest minute of something that is counted: `counts` holds how much each minute had, zeros too, oldest
 * first.
 */
export function judgeCount(counts: readonly number[]): Anomaly[] {
  if (counts.length <= leastMinutes) return [];
  const recent = counts.slice(-mostMinutes - 1);
  const value = recent.at(-1) as number;
  const earlier = recent.slice(0, -1);
  const { score, expected } = robustScore(value, earlier, 1);
  const found: Anomaly[] = [];
  if (score >= leastScore) found.push({ kind: value > expected ? "spike" : "drop", score, value, expected });
  return [...found, ...judgeSilence(recent)];
}

/** Nothing for longer than ever before, of something that used to happen. */
function judgeSilence(counts: readonly number[]): Anomaly[] {
  const active = counts.flatMap((count, minute) => (count > 0 ? [minute] : []));
  if (active.length <= leastExamples) return [];
  const gaps = active.slice(1).map((minute, index) => minute - (active[index] as number));
  const silent = counts.length - 1 - (active.at(-1) as number);
  // What comes every hour may well come half an hour late.
  const { score, expected } = robustScore(silent, gaps, Math.max(1, medianOf(gaps) / 2));
  const isLongest = silent > Math.max(...gaps);
  return isLongest && silent > expected && score >= leastLevelScore
    ? [{ kind: "silence", score, value: silent, expected }]
    : [];
}

/** A level as it was read in a minute. */
export type Level = { minute: number; value: number };

/** Judges the newest reading of something that stands at a level, oldest reading first. */
export function judgeLevel(levels: readonly Level[]): Anomaly[] {
  const newest = levels.at(-1);
  const oldest = levels[0];
  if (!newest || !oldest || newest.minute - oldest.minute < leastMinutes) return [];
  const values = levels
    .filter(({ minute }) => minute >= newest.minute - mostMinutes)
    .map(({ value }) => value);
  return [...judgeDeviation(values), ...judgeJump(values), ...judgeFrozen(values)];
}

function judgeDeviation(values: readonly number[]): Anomaly[] {
  const value = values.at(-1) as number;
  const earlier = values.slice(0, -1);
  const { score, expected } = robustScore(value, earlier, hundredth(earlier) / 2);
  return score >= leastLevelScore ? [{ kind: "deviation", score, value, expected }] : [];
}

/** One step much larger than the steps before it. */
function judgeJump(values: readonly number[]): Anomaly[] {
  const steps = values.slice(1).map((value, index) => value - (values[index] as number));
  const step = steps.at(-1);
  if (step === undefined || steps.length <= leastExamples) return [];
  const { score } = robustScore(step, steps.slice(0, -1), hundredth(values.slice(0, -1)) / 2);
  const before = values.at(-2) as number;
  return score >= leastLevelScore
    ? [{ kind: "jump", score, value: values.at(-1) as number, expected: before }]
    : [];
}

/** The same value for much longer than ever before, of something that used to change. */
function judgeFrozen(values: readonly number[]): Anomaly[] {
  const runs: number[] = [];
  let length = 0;
  for (const [index, value] of values.entries()) {
    if (index > 0 && value !== values[index - 1]) {
      runs.push(length);
      length = 0;
    }
    length++;
  }
  if (runs.length <= leastExamples) return [];
  const { score } = robustScore(length, runs, 1);
  const isLongest = length > Math.max(...runs);
  const value = values.at(-1) as number;
  return isLongest && score >= leastLevelScore * 2
    ? [{ kind: "frozen", score, value, expected: medianOf(runs) }]
    : [];
}

/** A feed that is later than it promises to be. At twice its heartbeat it is worth a warning, at four times an alarm. */
export function judgeStale(ageSeconds: number, heartbeatSeconds: number): Anomaly[] {
  const score = (3 * ageSeconds) / heartbeatSeconds;
  return ageSeconds > heartbeatSeconds
    ? [{ kind: "stale", score, value: ageSeconds, expected: heartbeatSeconds }]
    : [];
}

export function severityOf(score: number): "info" | "warning" | "critical" {
  if (score >= 12) return "critical";
  return score >= 6 ? "warning" : "info";
}

/** What is small beside a level, so that a level that stands still is not alarmed by a rounding. */
function hundredth(values: readonly number[]): number {
  return Math.max(Math.abs(medianOf(values)) / 100, Number.EPSILON);
}
