import type { BlockRef } from "../../reader.ts";

/** The interval in slots at which a block records all watched addresses again, because old blocks are deleted. */
const reportInterval = 64;

/**
 * Returns the slot after which an address is watched, according to stored blocks, newest first; undefined when none records
 * it. A block that records all addresses but not this one was stored while the address was not watched.
 */
export function watchedSinceIn(refs: readonly BlockRef[], address: string): number | undefined {
  let since: number | undefined;
  for (const { height, seen } of refs) {
    if (seen?.added.includes(address)) since = seen.after;
    else if (seen && isFullReportDue(seen.after, height)) return since;
  }
  return since;
}

/** True if a block must record all watched addresses. */
export function isFullReportDue(before: number, height: number): boolean {
  return Math.floor(before / reportInterval) !== Math.floor(height / reportInterval);
}

/** The watched addresses that a block records: the new ones, or all of them in a full report. */
export function reportedAddresses(
  addresses: readonly { address: string; since: number }[],
  before: number,
  height: number,
  isFull: boolean,
): string[] {
  return addresses
    .filter(({ since }) => since < height && (isFull || since >= before))
    .map(({ address }) => address);
}
