import { LRUCache } from "lru-cache";
import { onFirstUse } from "./on-first-use.ts";

/** Wraps a function of a text so that the results of the last `maxEntries` texts are cached. Undefined is not cached. */
export function memoize<Value>(
  maxEntries: number,
  compute: (text: string) => Value,
): (text: string) => Value {
  // The cache reserves memory for all entries.
  const openCache = onFirstUse(() => new LRUCache<string, NonNullable<Value>>({ max: maxEntries }));
  return (text) => {
    const cache = openCache();
    const cached = cache.get(text);
    if (cached !== undefined) return cached;
    const value = compute(text);
    if (value !== undefined && value !== null) cache.set(text, value);
    return value;
  };
}
