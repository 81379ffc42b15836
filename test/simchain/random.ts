/** Numbers that look random and are the same for the same seed. */
export type SeededRandom = {
  /** From 0 up to 1. */
  next(): number;
  /** A whole number from 0 up to the bound. */
  below(bound: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  word(): `0x${string}`;
};

/** Mulberry32: small, quick and good enough to build chains with. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  const eight = () =>
    below(2 ** 32)
      .toString(16)
      .padStart(8, "0");
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: <Item>(items: readonly Item[]) => items[below(items.length)] as Item,
    word: () => `0x${Array.from({ length: 8 }, eight).join("")}`,
  };
}

/** A seed from a seed and a text, so that what happens to one request does not hang on the order of others. */
export function mixSeed(seed: number, text: string): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}
