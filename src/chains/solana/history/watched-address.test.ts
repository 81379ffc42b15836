import { expect, it } from "vitest";
import { makeDice } from "../../../../test/pipeline/dice.ts";
import { runSize } from "../../../../test/support/run-size.ts";
import type { Page, Walk, Walked } from "./list-backwards.ts";
import { WatchedAddress } from "./watched-address.ts";

/** WATCHED_SEED=n for one. */
const seeds = process.env.WATCHED_SEED
  ? [Number(process.env.WATCHED_SEED)]
  : Array.from({ length: runSize("WATCHED_SEEDS", { short: 400, long: 100_000 }) }, (_, index) => index + 1);

/** The page of a node that has processed a slot but indexes some transactions later. */
function walkIn(chain: Page, known: ReadonlySet<string>, walk: Walk): Walked {
  const all = chain.filter(({ signature }) => known.has(signature)).reverse();
  const from = walk.from ? all.findIndex(({ signature }) => signature === walk.from?.signature) + 1 : 0;
  const until = walk.until ? all.findIndex(({ signature }) => signature === walk.until) : -1;
  const found: Page = [];
  for (const entry of all.slice(from, until === -1 ? undefined : until)) {
    found.push(entry);
    // The node returns the rest of the page too.
    if (entry.slot <= walk.bottom) continue;
    const canStop = entry.slot <= walk.finalized && entry.slot > walk.finalTo + 1;
    if (found.length >= walk.maxKept && canStop) return { resumeAt: entry };
  }
  return { found, isCut: false };
}

it(`a watched address lists every transaction once and in order, for any arrival and page size (${seeds.length} seeds)`, () => {
  for (const seed of seeds) run(seed);
});

function run(seed: number): void {
  const dice = makeDice(seed);
  const limits = {
    maxKept: dice.between(1, 9),
    maxPending: dice.between(1, 9),
    smallListing: dice.between(0, 4),
    maxFailingMs: 60_000,
  };
  const watched = new WatchedAddress("address", 100, limits);
  const chain: Page = [];
  const known = new Set<string>();
  const processed: string[] = [];
  let [head, reached] = [100, 100];
  const list = () => {
    const finalized = Math.max(100, head - 32);
    const sight = { after: Math.min(reached, watched.stableTo), reached, atLeast: head, finalized };
    const walk = watched.nextWalk(sight);
    if (walk) watched.add(walk, walkIn(chain, known, walk));
  };
  for (let moves = dice.between(5, 60); moves > 0; moves--) {
    const before = head;
    head += dice.between(1, dice.pick([3, 40, 400]));
    for (let count = dice.between(0, 4); count > 0; count--) {
      const signature = `${seed}-${chain.length}`;
      chain.push({ signature, slot: dice.between(Math.max(before + 1, chain.at(-1)?.slot ?? 0), head) });
      known.add(signature);
    }
    if (dice.chance(0.7)) list();
    if (dice.chance(0.6)) reached = process(dice.between(reached, watched.listedTo));
  }
  for (let left = 400; left > 0 && watched.listedTo < head; left--) {
    list();
    reached = process(watched.listedTo);
  }
  reached = process(watched.listedTo);
  expect({ seed, reached, taken: processed }).toEqual({
    seed,
    reached: head,
    taken: chain.map(({ signature }) => signature),
  });

  function process(to: number): number {
    const some = watched.listed.filter(({ slot }) => slot > reached && slot <= to);
    processed.push(...some.map(({ signature }) => signature));
    return Math.max(reached, to);
  }
}

it(`a watched address lists transactions that were indexed late, before their slot is dropped (${seeds.length} seeds)`, () => {
  for (const seed of seeds) {
    const dice = makeDice(seed);
    const limits = {
      ...{ maxKept: dice.between(3, 50), maxPending: 1_000, smallListing: dice.between(0, 3) },
      maxFailingMs: 60_000,
    };
    const watched = new WatchedAddress("address", 100, limits);
    const chain: Page = Array.from({ length: 30 }, (_, at) => ({ signature: `${at}`, slot: 101 + at * 20 }));
    const late = new Set(chain.filter(() => dice.chance(0.3)).map(({ signature }) => signature));
    const seen = new Set<string>();
    // The lag of the index, and the slots between refreshes.
    const lag = dice.between(1, 140);
    for (let head = 110; head < 1_600; head += dice.between(1, 30)) {
      const known = new Set(
        chain
          .filter(({ signature, slot }) => slot + (late.has(signature) ? 32 + lag : 0) <= head)
          .map(({ signature }) => signature),
      );
      const finalized = Math.max(100, head - 32);
      const walk = watched.nextWalk({ after: watched.stableTo, reached: head, atLeast: head, finalized });
      if (walk) watched.add(walk, walkIn(chain, known, walk));
      for (const { signature } of watched.listed) seen.add(signature);
    }
    expect({ seed, seen: seen.size }).toEqual({ seed, seen: chain.length });
  }
});
