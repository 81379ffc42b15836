import type { Bus } from "../../lib/bus/bus.ts";
import type { Clock } from "../../lib/clock.ts";
import { type LoadingCache, makeLoadingCache } from "../../lib/loading-cache.ts";
import type { KeyWithTier } from "./api-keys.ts";

/** Half of the second within which a revocation elsewhere must hold here; one made here holds at once, by the bus. */
const ttlMs = 500;

export function makeKeyCache({ clock, bus }: { clock: Clock; bus: Bus }): LoadingCache<KeyWithTier> {
  const cache = makeLoadingCache<KeyWithTier>({ clock, ttlMs, max: 10_000 });
  bus.subscribe("keys.changed", ({ org_id }) => cache.forget((key) => key.org_id === org_id));
  return cache;
}
