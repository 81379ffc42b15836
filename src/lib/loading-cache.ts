import type { Clock } from "./clock.ts";

/** Keeps what was loaded for a moment. What is forgotten is not brought back by a load that began before. */
export type LoadingCache<Value> = {
  get(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined>;
  forget(matches: (value: Value) => boolean): void;
};

export function makeLoadingCache<Value>(options: {
  clock: Clock;
  ttlMs: number;
  max: number;
}): LoadingCache<Value> {
  const { clock, ttlMs, max } = options;
  const kept = new Map<string, { value: Value; at: number }>();
  const loading = new Map<string, Promise<Value | undefined>>();
  let generation = 0;

  const isFresh = (at: number, now: number) => now >= at && now - at < ttlMs;
  const load = async (key: string, from: () => Promise<Value | undefined>) => {
    const [begun, at] = [generation, clock.now().getTime()];
    const value = await from();
    if (value !== undefined && begun === generation) {
      kept.delete(key);
      if (kept.size >= max) kept.delete(kept.keys().next().value as string);
      kept.set(key, { value, at });
    }
    return value;
  };

  return {
    async get(key, from) {
      const found = kept.get(key);
      if (found && isFresh(found.at, clock.now().getTime())) return found.value;
      const begun = loading.get(key) ?? load(key, from);
      loading.set(key, begun);
      try {
        return await begun;
      } finally {
        if (loading.get(key) === begun) loading.delete(key);
      }
    },
    forget(matches) {
      generation++;
      // Whoever asks from now on must not be handed what was read before.
      loading.clear();
      for (const [key, { value }] of kept) if (matches(value)) kept.delete(key);
    },
  };
}
