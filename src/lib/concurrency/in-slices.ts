import { makePause } from "./pauses.ts";
import { nextTurn } from "./turns.ts";

/** Maps a list with other work of the process between slices of items, so that a long list does not delay it. */
export async function flatMapInSlices<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result[],
  sliceLength = 1_000,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += sliceLength) {
    for (const item of items.slice(from, from + sliceLength)) results.push(...work(item));
    await nextTurn();
  }
  return results;
}

/**
 * Maps a list in order, with other work of the process between slices of time. The clock is read again after `itemsPerLook` items:
 * one, if an item can take long.
 */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result,
  itemsPerLook = 5,
): Promise<Result[]> {
  const pause = makePause();
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    if (index % itemsPerLook === itemsPerLook - 1) await pause();
    results.push(work(item));
  }
  return results;
}
