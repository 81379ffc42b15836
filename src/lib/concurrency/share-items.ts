/** The item at a position; undefined after the last one. Rejects with the source. */
export type SharedItems<Item> = (position: number) => Promise<Item | undefined>;

/** Lets several consumers read the items of a source: each is produced once, when the first of them asks for it. */
export function shareItems<Item>(source: AsyncIterable<Item> | Iterable<Item>): SharedItems<Item> {
  const iterator = iterate(source);
  const items: Promise<Item | undefined>[] = [];
  return (position) => {
    while (items.length <= position) items.push(iterator.next().then(({ value }) => value));
    return items[position] ?? Promise.resolve(undefined);
  };
}

async function* iterate<Item>(source: AsyncIterable<Item> | Iterable<Item>): AsyncGenerator<Item, undefined> {
  yield* source;
}
