import { LRUCache } from "lru-cache";
import type { Clock } from "../clock.ts";
import { onFirstUse } from "./on-first-use.ts";

/** A bounded cache that loads what it lacks. Concurrent requests for a key share one load. */
export type LoadingCache<Cached = unknown> = {
  /** Returns the cached value, or loads it and caches it for `ttlMs(value)`. A failed load is not cached. */
  get<Value extends Cached>(
    key: string,
    ttlMs: (value: Value) => number,
    load: () => Promise<Value>,
  ): Promise<Value>;
  /** Removes matching values. A load that began before is not cached, since it may have read the old value. */
  invalidate(matches: (value: Cached) => boolean): void;
};

type Entry<Cached> = { value: Cached; loadedAt: number; expiresAt: number };

export function makeLoadingCache<Cached>({
  clock,
  max,
}: {
  clock: Clock;
  max: number;
}): LoadingCache<Cached> {
  const openEntries = onFirstUse(() => new LRUCache<string, Entry<Cached>>({ max }));
  const loading = new Map<string, Promise<Cached>>();
  let generation = 0;
  const nowMs = () => clock.now().getTime();
  // A clock that was set back must not extend the life of an entry.
  const isFresh = ({ loadedAt, expiresAt }: Entry<Cached>, now: number) => now >= loadedAt && now < expiresAt;

  async function loadEntry(key: string, ttlMs: (value: Cached) => number, load: () => Promise<Cached>) {
    const startedIn = generation;
    const value = await load();
    const loadedAt = nowMs();
    const entry = { value, loadedAt, expiresAt: loadedAt + ttlMs(value) };
    if (startedIn === generation && isFresh(entry, loadedAt)) openEntries().set(key, entry);
    return value;
  }

  async function get(key: string, ttlMs: (value: Cached) => number, load: () => Promise<Cached>) {
    const entry = openEntries().get(key);
    if (entry && isFresh(entry, nowMs())) return entry.value;
    const pending = loading.get(key) ?? loadEntry(key, ttlMs, load);
    loading.set(key, pending);
    try {
      return await pending;
    } finally {
      if (loading.get(key) === pending) loading.delete(key);
    }
  }

  function invalidate(matches: (value: Cached) => boolean): void {
    generation++;
    loading.clear();
    const entries = openEntries();
    for (const [key, { value }] of entries.entries()) if (matches(value)) entries.delete(key);
  }

  // The key determines the type of its value, so that a caller gets back the type that it loads.
  return { get: get as LoadingCache<Cached>["get"], invalidate };
}
