import type { Clock } from "../../lib/clock.ts";

/** What an endpoint turned out not to offer. Forgotten after some minutes, for endpoints are upgraded too. */
export type UnsupportedMethods = { has(feature: string): boolean; add(feature: string): void };

const keptMs = 10 * 60_000;

export function makeUnsupportedMethods(clock: Clock): UnsupportedMethods {
  const since = new Map<string, number>();
  return {
    has(feature) {
      const at = since.get(feature);
      return at !== undefined && Math.abs(clock.now().getTime() - at) < keptMs;
    },
    add(feature) {
      since.set(feature, clock.now().getTime());
    },
  };
}
