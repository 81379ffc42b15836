import type { Bus } from "../../lib/bus/bus.ts";
import { type LoadingCache, makeLoadingCache } from "../../lib/caching/loading-cache.ts";
import type { Clock } from "../../lib/clock.ts";
import type { KeyWithTier } from "./api-keys.ts";

/** API keys by their hash; undefined for an unknown key, which is never cached. */
export type KeyCache = LoadingCache<KeyWithTier | undefined>;

export function makeKeyCache({ clock, bus }: { clock: Clock; bus: Bus }): KeyCache {
  const cache = makeLoadingCache<KeyWithTier | undefined>({ clock, max: 10_000 });
  bus.subscribe("keys.changed", ({ org_id }) => cache.invalidate((key) => key?.org_id === org_id));
  return cache;
}

/** A revocation by another process must take effect within a second; the bus makes it immediate in this one. */
export function keyTtlMs(key: KeyWithTier | undefined): number {
  return key ? 500 : 0;
}
