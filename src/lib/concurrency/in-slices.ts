import { setImmediate } from "node:timers/promises";

/** Maps a list with other work of the process between slices of items, so that a long list does not delay it. */
export async function flatMapInSlices<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result[],
  sliceLength = 1_000,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += sliceLength) {
    for (const item of items.slice(from, from + sliceLength)) results.push(...work(item));
    await setImmediate();
  }
  return results;
}
