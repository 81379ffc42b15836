/** A seeded random generator, so that a failure can be reproduced. */
export type Dice = {
  chance(probability: number): boolean;
  /** Returns an integer from low to high, both inclusive. */
  between(low: number, high: number): number;
  pick<Item>(items: readonly Item[]): Item;
};

export function makeDice(seed: number): Dice {
  let state = (seed * 0x9e3779b9) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    chance: (probability) => next() < probability,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    pick: (items) => items[Math.floor(next() * items.length)] as (typeof items)[number],
  };
}
