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
  const lengths = sorted.map(lengthOf);
  const usual = usualHeartbeats.find((usualHeartbeat) => isWaitedFor(usualHeartbeat, sorted));
  if (usual !== undefined) return usual;
  const longest = lengths.at(-1) ?? 0;
  const isRegular = lengths.filter((length) => length >= 0.9 * longest).length >= minIntervals;
  const isHeartbeat = (seconds: number) =>
    seconds >= minIrregularHeartbeat && longest >= 0.985 * seconds && longest <= 1.03 * seconds + 30;
  const least = isRegular ? longest : Math.max(2 * longest, minIrregularHeartbeat);
  return (
    usualHeartbeats.find(isHeartbeat) ??
    usualHeartbeats.find((usualHeartbeat) => usualHeartbeat >= least) ??
    Math.ceil(least)
  );
}

/** True if several updates waited for a heartbeat, and hardly any was later. */
function isWaitedFor(heartbeat: number, sorted: readonly Interval[]): boolean {
  const later = sorted.filter((interval) => !keepsTo(lengthOf(interval), heartbeat));
  const waited = sorted.filter((interval) => lengthOf(interval) >= 0.9 * heartbeat).length - later.length;
  const isOutage = later.length <= sorted.length * maxOutageShare && !later.some(spansWeekend);
  return isOutage && waited >= Math.max(minIntervals, 4 * later.length);
}

/** How much later than the heartbeat updates came at most; undefined if too few of them waited for it. */
export function latenessOf(intervals: readonly Interval[], heartbeat: number): number | undefined {
  const late = intervals
    .map(lengthOf)
    .filter((length) => length >= heartbeat * 0.98 && keepsTo(length, heartbeat))
    .map((length) => length - heartbeat);
  return late.length >= minIntervals ? Math.max(0, ...late) : undefined;
}

const [daySeconds, weekSeconds] = [86_400, 604_800];
/** The first Saturday of Unix time, which began on a Thursday. */
const firstSaturday = 2 * daySeconds;
/** Markets for currencies open again on Sunday evening, in UTC. */
const closedSeconds = daySeconds + 20 * 3600;

/** True if nothing happened from the start of a Saturday to the evening of the Sunday: a market that is closed is no outage. */
function spansWeekend({ from, to }: Interval): boolean {
  const saturday = firstSaturday + weekSeconds * Math.ceil((from - firstSaturday) / weekSeconds);
  return to >= saturday + closedSeconds;
}

function lengthOf({ from, to }: Interval): number {
  return to - from;
}

/** An update is due at the heartbeat and included some blocks later. */
function keepsTo(length: number, heartbeat: number): boolean {
  return length <= heartbeat * 1.05 + 30;
}
