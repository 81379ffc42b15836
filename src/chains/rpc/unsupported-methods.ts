import type { Clock } from "../../lib/clock.ts";

/** The methods and features that an endpoint does not support. Entries expire, because endpoints are upgraded. */
export type UnsupportedMethods = { has(feature: string): boolean; add(feature: string): void };

const expiryMs = 10 * 60_000;

export function makeUnsupportedMethods(clock: Clock): UnsupportedMethods {
  const since = new Map<string, number>();
  return {
    has(feature) {
      const at = since.get(feature);
      return at !== undefined && Math.abs(clock.now().getTime() - at) < expiryMs;
    },
    add(feature) {
      since.set(feature, clock.now().getTime());
    },
  };
}
