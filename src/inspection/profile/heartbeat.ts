/** The time between two updates of a feed, in Unix seconds. */
export type Interval = { from: number; to: number };

/** The heartbeats that feeds are configured with, in seconds. */
const usualHeartbeats = [
  60, 300, 600, 900, 1200, 1800, 3600, 7200, 14_400, 28_800, 43_200, 86_400, 172_800, 604_800,
];
/** With fewer intervals, the past says little about what is usual. */
export const minIntervals = 5;
/** Without a regular rhythm, the updates may follow the price, and the heartbeat may be longer than all of them. */
const minIrregularHeartbeat = 3600;
/** Outages among the intervals, as a share of them; gaps that are more frequent belong to the rhythm. */
const maxOutageShare = 0.05;

/**
 * Returns the heartbeat that the intervals of a feed show. Updates that wait for the heartbeat are of about the same length, which
 * no interval exceeds but for a few outages. If there are no such updates, they follow the price, and the heartbeat is one that
 * leaves room for twice the longest interval.
 */
export function heartbeatOf(intervals: readonly Interval[]): number {
  const sorted = intervals.toSorted((a, b) => lengthOf(a) - lengthOf(b));
  const plateau = plateauOf(sorted);
  if (plateau !== undefined)
    return usualHeartbeats.find((one) => keepsTo(plateau, one)) ?? Math.ceil(plateau);
  const longest = sorted.length > 0 ? lengthOf(sorted.at(-1) as Interval) : 0;
  const atHeartbeat = usualHeartbeats.find(
    (one) => one >= minIrregularHeartbeat && longest >= 0.985 * one && longest <= 1.03 * one + 30,
  );
  const least = Math.max(2 * longest, minIrregularHeartbeat);
  return atHeartbeat ?? usualHeartbeats.find((one) => one >= least) ?? Math.ceil(least);
}

/** How much later than the heartbeat updates came at most; undefined if too few of them waited for it. */
export function latenessOf(intervals: readonly Interval[], heartbeat: number): number | undefined {
  const late = intervals
    .map(lengthOf)
    .filter((length) => length >= heartbeat * 0.98 && keepsTo(length, heartbeat))
    .map((length) => length - heartbeat);
  return late.length >= minIntervals ? Math.max(0, ...late) : undefined;
}

/** Returns the length that many intervals have and hardly any exceeds; undefined if there is none. */
function plateauOf(sorted: readonly Interval[]): number | undefined {
  const maxOutages = Math.floor(sorted.length * maxOutageShare);
  for (let outages = 0; outages <= maxOutages; outages++) {
    const longest = sorted.at(-1 - outages);
    if (!longest) return undefined;
    const length = lengthOf(longest);
    const alike = sorted.slice(0, sorted.length - outages).filter((one) => lengthOf(one) >= 0.9 * length);
    if (alike.length >= minIntervals) return length;
    // A market that is closed at the weekend is no outage.
    if (spansWeekend(longest)) return undefined;
  }
  return undefined;
}

const [daySeconds, weekSeconds] = [86_400, 604_800];
/** The first Saturday of Unix time, which began on a Thursday. */
const firstSaturday = 2 * daySeconds;
/** Markets for currencies open again on Sunday evening, in UTC. */
const closedSeconds = daySeconds + 20 * 3600;

/** True if nothing happened from the start of a Saturday to the evening of the Sunday after it. */
function spansWeekend({ from, to }: Interval): boolean {
  const saturday = firstSaturday + weekSeconds * Math.ceil((from - firstSaturday) / weekSeconds);
  return to >= saturday + closedSeconds;
}

export function lengthOf({ from, to }: Interval): number {
  return to - from;
}

/** An update is due at the heartbeat and included some blocks later. */
function keepsTo(length: number, heartbeat: number): boolean {
  return length <= heartbeat * 1.05 + 30;
}
