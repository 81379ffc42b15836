import type { BlockRef } from "../../reader.ts";
import { isWatchedEvent, type WatchedEvents } from "../../reading-plan.ts";
import type { FoundLog } from "./fetch-events.ts";
import { logIdOf, numberLogs } from "./verify-logs.ts";

/** The sets of events that blocks were scanned for, by their identifier. */
export type KnownFilters = ReadonlyMap<string, WatchedEvents>;

/** The lowest height from which it is known what was found; one above the newest block if that is unknown. */
export function scannedSince(refs: readonly BlockRef[], filters: KnownFilters): number {
  let lowest = (refs[0]?.height ?? 0) + 1;
  for (const [index, { height, scan }] of refs.entries()) {
    if (!scan || !filters.has(scan.filter)) break;
    lowest = (refs[index + 1]?.height ?? height - 1) + 1;
  }
  return lowest;
}

/** The lowest log of a processed block that was watched when the block was scanned, and was not found then. */
export function lowestLateLog(
  refs: readonly BlockRef[],
  filters: KnownFilters,
  logs: readonly FoundLog[],
): FoundLog | undefined {
  const reached = refs[0]?.height ?? 0;
  const ascending = refs.toReversed();
  const byHeight = [...Map.groupBy(logs, ({ height }) => height)].sort(([a], [b]) => a - b);
  for (const [height, found] of byHeight) {
    // A scan covers the blocks since the one before it, which had no watched logs.
    const ref = height <= reached ? ascending.find((one) => one.height >= height) : undefined;
    const events = ref?.scan && filters.get(ref.scan.filter);
    if (!ref?.scan || !events) continue;
    const known = new Set(ref.height === height ? ref.scan.logs : []);
    const ids = numberLogs(found).map((log) => ({ log, id: logIdOf(log) }));
    const late = ids.find(
      ({ log, id }) => !known.has(id) && isWatchedEvent(events, log.address, log.topics[0]),
    );
    if (late) return found.find(({ log_index }) => log_index === late.log.log_index);
  }
  return undefined;
}
