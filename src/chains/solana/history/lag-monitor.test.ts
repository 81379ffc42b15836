import { expect, it } from "vitest";
import { LagMonitor } from "./lag-monitor.ts";

const limits = { lateSlots: 100, spanSlots: 100, minTransactions: 10 };
const busy = () =>
  new Map([
    ["quiet", 3],
    ["busy", 50],
  ]);

/** Runs the monitor at intervals while the engine progresses at a fraction of the chain's speed; returns each result. */
function follow(pace: number, { behind = 200, drainLoad = busy, isListing = false, rounds = 10 } = {}) {
  const lag = new LagMonitor(limits);
  return Array.from({ length: rounds }, (_, round) => {
    const head = 10_000 + round * 50;
    const reached = Math.floor(10_000 - behind + round * 50 * pace);
    return lag.findOverloaded({ head, reached, isListing }, drainLoad);
  });
}

it("the busiest address is reported once per period while the reader falls behind or hardly catches up", () => {
  for (const pace of [0.2, 1, 1.05])
    expect(follow(pace).flatMap((one, round) => (one ? [[round, one]] : []))).toEqual([
      [2, "busy"],
      [4, "busy"],
      [6, "busy"],
      [8, "busy"],
    ]);
});

it("no address is reported while the reader catches up, keeps up, or makes no progress at all", () => {
  expect(follow(1.5)).toEqual(Array(10).fill(undefined));
  expect(follow(1, { behind: 100 })).toEqual(Array(10).fill(undefined));
  // Without any progress, the cause is that the nodes do not reply.
  expect(follow(0)).toEqual(Array(10).fill(undefined));
});

it("an address whose listing takes so long that no slot is committed is reported", () => {
  expect(follow(0, { isListing: true, rounds: 4 })).toEqual([undefined, undefined, "busy", undefined]);
});

it("no address is reported when none has enough transactions to be the cause", () => {
  expect(follow(0.2, { drainLoad: () => new Map([["quiet", 3]]) })).toEqual(Array(10).fill(undefined));
  expect(follow(0.2, { drainLoad: () => new Map() })).toEqual(Array(10).fill(undefined));
});
