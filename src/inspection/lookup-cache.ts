import type { Clock } from "../lib/clock.ts";

/** Keeps answers of slow services for a while, and failures for a moment. Who asks at the same time waits for the same answer. */
export type LookupCache = {
  get<Value>(key: string, keepMs: (value: Value) => number, load: () => Promise<Value>): Promise<Value>;
};

const maxEntries = 300;

export function makeLookupCache(clock: Clock): LookupCache {
  const kept = new Map<string, { value: Promise<unknown>; until: number }>();
  const nowMs = () => clock.now().getTime();
  return {
    async get<Value>(key: string, keepMs: (value: Value) => number, load: () => Promise<Value>) {
      const known = kept.get(key);
      // A key says what its value is.
      if (known && nowMs() < known.until) return known.value as Promise<Value>;
      const entry = { value: load(), until: Number.POSITIVE_INFINITY };
      kept.delete(key);
      kept.set(key, entry);
      if (kept.size > maxEntries) kept.delete(kept.keys().next().value as string);
      try {
        const value = await entry.value;
        entry.until = nowMs() + keepMs(value);
        return value;
      } catch (error) {
        if (kept.get(key) === entry) kept.delete(key);
        throw error;
      }
    },
  };
}
