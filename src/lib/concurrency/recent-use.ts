import { LRUCache } from "lru-cache";
import { onFirstUse } from "../caching/on-first-use.ts";

/** The part of its use that an owner is forgiven as time passes: one that always uses more has used much. */
const share = 0.1;

export type RecentUse = {
  add(owner: string, ms: number): void;
  isMuch(owner: string): boolean;
};

/** Remembers for how long owners have used something lately; more than `burstMs` is much. */
export function makeRecentUse(burstMs: number): RecentUse {
  const openUses = onFirstUse(() => new LRUCache<string, { ms: number; atMs: number }>({ max: 10_000 }));
  const leftOf = (owner: string) => {
    const use = openUses().get(owner);
    return use ? Math.max(0, use.ms - (performance.now() - use.atMs) * share) : 0;
  };
  return {
    add: (owner, ms) => void openUses().set(owner, { ms: leftOf(owner) + ms, atMs: performance.now() }),
    isMuch: (owner) => leftOf(owner) > burstMs,
  };
}
