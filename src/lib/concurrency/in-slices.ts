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

/** The number of items that are processed before the clock is read again. */
const itemsPerLook = 5;

/** Maps a list in order, with other work of the process between slices of time. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result,
): Promise<Result[]> {
  const pause = makePause();
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    if (index % itemsPerLook === itemsPerLook - 1) await pause();
    results.push(work(item));
  }
  return results;
}
