import { setImmediate } from "node:timers/promises";

/** Maps a list with other work of the process between the items, so that a long list does not delay it. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    results.push(work(item));
    await setImmediate();
  }
  return results;
}
