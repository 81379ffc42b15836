import type { BlockRef } from "../../reader.ts";

/** So many slots apart, a block says again which addresses are watched, since older blocks are forgotten. */
const reportInterval = 64;

/**
 * From which slot on an address was watched, by what our blocks say, newest first; undefined when none of them speaks of it. A
 * block that says all addresses and not this one is from before it was watched, or from a time when it was not.
 */
export function watchedSinceIn(refs: readonly BlockRef[], address: string): number | undefined {
  let since: number | undefined;
  for (const { height, seen } of refs) {
    if (seen?.added.includes(address)) since = seen.after;
    else if (seen && isFullReportDue(seen.after, height)) return since;
  }
  return since;
}

/** Whether a block has to say all of the addresses. */
export function isFullReportDue(before: number, height: number): boolean {
  return Math.floor(before / reportInterval) !== Math.floor(height / reportInterval);
}

/** The addresses of which a block says that they are watched: those that are new with it, or all of them. */
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
