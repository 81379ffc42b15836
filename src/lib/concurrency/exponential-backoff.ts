/** The wait doubles with each failure in a row, up to a maximum. Both are in the unit of the caller. */
export type Backoff = { first: number; max: number };

/** More doublings would reach infinity, and no wait times infinity is not a number. */
const maxDoublings = 30;

/** Returns how long to wait after this many failures in a row, at least one. */
export function backoffAfter(failures: number, { first, max }: Backoff): number {
  return Math.min(max, first * 2 ** Math.min(Math.max(1, failures) - 1, maxDoublings));
}
