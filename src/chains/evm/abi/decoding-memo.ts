import { LRUCache } from "lru-cache";
import { onFirstUse } from "../../../lib/caching/on-first-use.ts";
import type { AbiEntry } from "./abi.ts";
import { type DecodingBudget, decodingBudget } from "./abi-data.ts";
import type { Decoded } from "./decoded.ts";

/** A log or call, and what was decoded of it by the layouts that were tried; null if none of them fits. */
type Source = { data: string; size: number; results: WeakMap<readonly AbiEntry[], Decoded | null> };

/** More than the logs and calls of a full block, so that every target of every organisation finds them. */
const maxSources = 20_000;
/** Of data and of what was read of it. A short log can have many values, because offsets may point to the same bytes. */
const maxSize = 16_000_000;

// The cache reserves memory for all entries.
const openSources = onFirstUse(
  () => new LRUCache<string | readonly string[], Source>({ max: maxSources, maxSize }),
);

/**
 * Decodes a log or call once for all contracts with the same layouts: many organisations may watch one address. A log is
 * identified by its array of topics, which its copies share, a call by its input. Results are shared, so they are frozen.
 */
export function decodeOnce(
  id: string | readonly string[],
  data: string,
  layouts: readonly AbiEntry[],
  decode: (budget: DecodingBudget) => Decoded | undefined,
): Decoded | undefined {
  const source = sourceOf(id, data);
  const cached = source.results.get(layouts);
  if (cached !== undefined) return cached ?? undefined;
  const budget = decodingBudget(data.length / 2);
  const { bytes } = budget;
  const decoded = decode(budget);
  if (decoded) Object.freeze(Object.freeze(decoded).args);
  source.results.set(layouts, decoded ?? null);
  // The cache takes a new size only with a new object.
  const size = source.size + bytes - Math.max(0, budget.bytes);
  openSources().set(id, { ...source, size }, { size });
  return decoded;
}

function sourceOf(id: string | readonly string[], data: string): Source {
  const source = openSources().get(id);
  if (source?.data === data) return source;
  return { data, size: data.length + 1, results: new WeakMap() };
}
