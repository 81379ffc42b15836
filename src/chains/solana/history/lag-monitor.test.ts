import { expect, it } from "vitest";
import { LagMonitor } from "./lag-monitor.ts";

const limits = { lateSlots: 100, spanSlots: 100, minTransactions: 10 };
const busy = () =>
  new Map([
    ["quiet", 3],
    ["busy", 50],
  ]);

/** Judges once every so many slots, with the engine moving at a pace of the chain's; what was said each time. */
function follow(pace: number, { behind = 200, drainLoad = busy, isListing = false, rounds = 10 } = {}) {
  const lag = new LagMonitor(limits);
  return Array.from({ length: rounds }, (_, round) => {
    const head = 10_000 + round * 50;
    const reached = Math.floor(10_000 - behind + round * 50 * pace);
    return lag.findOverloaded({ head, reached, isListing }, drainLoad);
  });
}

it("names whoever keeps us when we fall behind or hardly gain, once a span", () => {
  for (const pace of [0.2, 1, 1.05])
    expect(follow(pace).flatMap((one, round) => (one ? [[round, one]] : []))).toEqual([
      [2, "busy"],
      [4, "busy"],
      [6, "busy"],
      [8, "busy"],
    ]);
});

it("names nobody while we gain on the chain, keep up, or do not move at all", () => {
  expect(follow(1.5)).toEqual(Array(10).fill(undefined));
  expect(follow(1, { behind: 100 })).toEqual(Array(10).fill(undefined));
  // It is not the amount then: the nodes do not answer.
  expect(follow(0)).toEqual(Array(10).fill(undefined));
});

it("names whoever has so much that listing it keeps us where we are", () => {
  expect(follow(0, { isListing: true, rounds: 4 })).toEqual([undefined, undefined, "busy", undefined]);
});

it("names nobody when no address has so many that it could be the reason", () => {
  expect(follow(0.2, { drainLoad: () => new Map([["quiet", 3]]) })).toEqual(Array(10).fill(undefined));
  expect(follow(0.2, { drainLoad: () => new Map() })).toEqual(Array(10).fill(undefined));
});
