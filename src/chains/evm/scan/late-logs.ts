import type { Hex } from "../../block.ts";
import type { BlockRef } from "../../reader.ts";
import { isWatchedEvent, mergeEvents, type WatchedEvents } from "../../reading-plan.ts";
import type { FoundLog } from "./fetch-events.ts";
import { logIdOf, numberLogs } from "./verify-logs.ts";

/** The sets of events that blocks were scanned for, by their identifier. */
export type KnownFilters = ReadonlyMap<string, WatchedEvents>;

/**
 * The lowest height of which it is known what was searched for and found; one above the newest block if there is none. Blocks in
 * between may have been read whole.
 */
export function scannedSince(refs: readonly BlockRef[], filters: KnownFilters): number {
  const oldest = refs.findLastIndex(({ scan }) => scan !== undefined && filters.has(scan.filter));
  if (oldest === -1) return (refs[0]?.height ?? 0) + 1;
  return (refs[oldest + 1]?.height ?? (refs[oldest]?.height ?? 0) - 1) + 1;
}

/** All events that blocks above a height were scanned for, as far as that is known; undefined if there are none. */
export function eventsToCompare(
  refs: readonly BlockRef[],
  above: number,
  filters: KnownFilters,
): WatchedEvents | undefined {
  const used = new Set(refs.flatMap(({ height, scan }) => (scan && height > above ? scan.filter : [])));
  const sets = [...used].flatMap((filter) => filters.get(filter) ?? []);
  if (sets.length === 0) return undefined;
  return mergeEvents(
    sets.flatMap((events) =>
      [...events].map(([address, topics]) =>
        topics === "all" ? { address } : { address, topics: [...topics] as Hex[] },
      ),
    ),
  );
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
  for (const [height, logs] of byHeight) {
    // A scan covers the blocks since the one before it, which had no watched logs.
    const ref = height <= reached ? ascending.find((blockRef) => blockRef.height >= height) : undefined;
    const events = ref?.scan && filters.get(ref.scan.filter);
    if (!ref?.scan || !events) continue;
    const knownLogs = new Set(ref.height === height ? ref.scan.logs : []);
    const ids = numberLogs(logs).map((log) => ({ log, id: logIdOf(log) }));
    const late = ids.find(
      ({ log, id }) => !knownLogs.has(id) && isWatchedEvent(events, log.address, log.topics[0]),
    );
    if (late) return logs.find(({ log_index }) => log_index === late.log.log_index);
  }
  return undefined;
}
