import { createHash } from "node:crypto";

/** Numbers that depend only on the seed and on what they are for, so that a block is always the same. */
export type Dice = {
  /** A number from 0 up to 1. */
  next(): number;
  /** A whole number from `low` to `high`. */
  between(low: number, high: number): number;
  pick<Item>(items: readonly Item[]): Item;
};

export function rollDice(...parts: (string | number)[]): Dice {
  let state = createHash("sha256").update(parts.join("/")).digest().readUInt32LE(0);
  // Mulberry32.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between,
    pick: <Item>(items: readonly Item[]) => items[between(0, items.length - 1)] as Item,
  };
}
