import type { Clock } from "../../../lib/clock.ts";

/** The methods and features that an endpoint does not support. Entries expire, because endpoints are upgraded. */
export type UnsupportedMethods = {
  has(feature: string): boolean;
  add(feature: string): void;
  list(): string[];
};

const expiryMs = 10 * 60_000;

export function makeUnsupportedMethods(clock: Clock): UnsupportedMethods {
  const since = new Map<string, number>();
  const has = (feature: string) => {
    const at = since.get(feature);
    return at !== undefined && Math.abs(clock.now().getTime() - at) < expiryMs;
  };
  return {
    has,
    list: () => [...since.keys()].filter(has).sort(),
    add(feature) {
      since.set(feature, clock.now().getTime());
    },
  };
}
