import { type Baseline, baselineOf, robustScore } from "../../lib/anomaly/baseline.ts";
import { sumOf, type TimedReading } from "../meter.ts";

/** The parameters of the score; see the config of the meter. */
export type Scoring = {
  algorithm: "basic" | "robust";
  bounds: number;
  seasonality: "none" | "hourly" | "daily" | "weekly";
  direction: "both" | "above" | "below";
};

/** Selects the earlier minutes to compare with: those with the same key. `neededMinutes` is the minimum history. */
type Season = { neededMinutes: number; keyOf: (minute: number) => number };

const minutesPerDay = 1440;

const seasons = {
  none: { neededMinutes: 180, keyOf: () => 0 },
  // Buckets of five minutes: with buckets of one, three hours of history would give only three minutes to compare with.
  hourly: { neededMinutes: 180, keyOf: (minute) => Math.floor((minute % 60) / 5) },
  daily: { neededMinutes: 3 * minutesPerDay, keyOf: (minute) => Math.floor((minute % minutesPerDay) / 60) },
  weekly: {
    neededMinutes: 21 * minutesPerDay,
    keyOf: (minute) => Math.floor((minute % (7 * minutesPerDay)) / 60),
  },
} satisfies Record<Scoring["seasonality"], Season>;

/** Added to the deviation, so that a single occurrence on a quiet contract is not unusual. */
const minDeviation = 1;

/**
 * Returns the score of the newest complete minute: its distance from the median in deviations, 0 within the bounds, and
 * null with too little history.
 */
export function scoreNewestMinute(scoring: Scoring, window: readonly TimedReading[]): number | null {
  const { value, baseline } = compareNewestMinute(scoring, window) ?? {};
  return value === undefined || !baseline ? null : scoreOf(scoring, value, baseline);
}

/** Returns the count of the newest complete minute and its baseline. Skips the oldest minute, which may be incomplete. */
export function compareNewestMinute(
  scoring: Pick<Scoring, "algorithm" | "seasonality">,
  window: readonly TimedReading[],
): { value: number; baseline: Baseline } | null {
  const [oldest, newest] = [window[0], window.at(-1)];
  if (!oldest || !newest) return null;
  const first = minuteOf(oldest) + 1;
  const scored = minuteOf(newest) - 1;
  const season = seasonFor(scoring, scored - first);
  if (!season) return null;
  const counts = countByMinute(window, first, scored);
  const from = scoring.algorithm === "basic" ? Math.max(0, scored - first - minutesPerDay) : 0;
  const key = season.keyOf(scored);
  const earlier = counts.slice(from, -1).filter((_, index) => season.keyOf(first + from + index) === key);
  if (earlier.length === 0) return null;
  return { value: counts.at(-1) ?? 0, baseline: baselineOf(earlier) };
}

/** Returns the length of the history. Adds a margin, because the oldest reading within it may be late. */
export function historySeconds({
  algorithm,
  seasonality,
}: Pick<Scoring, "algorithm" | "seasonality">): number {
  const { neededMinutes } = seasons[algorithm === "basic" ? "none" : seasonality];
  return Math.max(25 * 60, neededMinutes + 120) * 60;
}

function minuteOf({ time }: TimedReading): number {
  return Math.floor(time / 60);
}

/** Weekly seasonality needs three weeks of history; until then the daily season is used. */
function seasonFor({ seasonality }: Pick<Scoring, "seasonality">, minutes: number): Season | undefined {
  const candidates = seasonality === "weekly" ? [seasons.weekly, seasons.daily] : [seasons[seasonality]];
  return candidates.find(({ neededMinutes }) => minutes >= neededMinutes);
}

function countByMinute(window: readonly TimedReading[], first: number, last: number): Float64Array {
  const counts = new Float64Array(last - first + 1);
  for (const reading of window) {
    const index = minuteOf(reading) - first;
    if (index >= 0 && index < counts.length) counts[index] = (counts[index] ?? 0) + sumOf(reading);
  }
  return counts;
}

function scoreOf({ bounds, direction }: Scoring, value: number, baseline: Baseline): number {
  const { median } = baseline;
  if ((direction === "above" && value < median) || (direction === "below" && value > median)) return 0;
  const score = robustScore(value, baseline, minDeviation);
  return score > bounds ? score : 0;
}
