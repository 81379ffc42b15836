import { LRUCache } from "lru-cache";
import { onFirstUse } from "../../../lib/caching/on-first-use.ts";
import type { AbiEntry } from "./abi.ts";
import type { Decoded } from "./decoded.ts";

/** A log or call, and what was decoded of it by the layouts that were tried; null if none of them fits. */
type Source = { data: string; results: WeakMap<readonly AbiEntry[], Decoded | null> };

/** More than the logs and calls of a full block, so that every target of every organisation finds them. */
const maxSources = 20_000;
const maxCharacters = 8_000_000;

// The cache reserves memory for all entries.
const openSources = onFirstUse(
  () => new LRUCache<string | readonly string[], Source>({ max: maxSources, maxSize: maxCharacters }),
);

/**
 * Decodes a log or call once for all contracts with the same layouts: many organisations may watch one address. A log is
 * identified by its array of topics, which its copies share, a call by its input. Results are shared, so they are frozen.
 */
export function decodeOnce(
  id: string | readonly string[],
  data: string,
  layouts: readonly AbiEntry[],
  decode: () => Decoded | undefined,
): Decoded | undefined {
  const { results } = sourceOf(id, data);
  const known = results.get(layouts);
  if (known !== undefined) return known ?? undefined;
  const decoded = decode();
  if (decoded) Object.freeze(Object.freeze(decoded).args);
  results.set(layouts, decoded ?? null);
  return decoded;
}

function sourceOf(id: string | readonly string[], data: string): Source {
  const known = openSources().get(id);
  if (known?.data === data) return known;
  const source: Source = { data, results: new WeakMap() };
  openSources().set(id, source, { size: data.length + 1 });
  return source;
}
