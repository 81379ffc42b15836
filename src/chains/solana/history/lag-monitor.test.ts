import { expect, it } from "vitest";
import { LagMonitor, type Load } from "./lag-monitor.ts";

const limits = { lateSlots: 50, spanSlots: 100, slotSeconds: 0.4 };

type Given = Partial<{
  behind: number;
  arrived: Record<string, number>;
  perSlot: Record<string, number>;
  readPerSecond: number;
  isListing: boolean;
  rounds: number;
}>;

/** Runs the monitor at intervals while the engine progresses at a fraction of the chain's speed; returns each result. */
function follow(pace: number, given: Given = {}) {
  const {
    behind = 200,
    arrived = { quiet: 3, busy: 50 },
    perSlot = {},
    isListing = false,
    rounds = 10,
  } = given;
  const load: Load = {
    drain: () => new Map(Object.entries(arrived)),
    perSlot: () => new Map(Object.entries(perSlot)),
    readPerSecond: given.readPerSecond,
  };
  const lag = new LagMonitor(limits);
  return Array.from({ length: rounds }, (_, round) => {
    const head = 10_000 + round * 50;
    const reached = Math.floor(10_000 - behind + round * 50 * pace);
    return lag.findOverloaded({ head, reached, isListing }, load)?.address;
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
  expect(follow(1.5, { rounds: 5 })).toEqual(Array(5).fill(undefined));
  expect(follow(1, { behind: 50 })).toEqual(Array(10).fill(undefined));
  // Without any progress, the cause is that the nodes do not reply.
  expect(follow(0)).toEqual(Array(10).fill(undefined));
});

it("a chain that is polled rarely is not late because of what happened since the last poll", () => {
  const lag = new LagMonitor(limits);
  const load: Load = { drain: () => new Map([["busy", 50]]), perSlot: () => new Map(), readPerSecond: 100 };
  const found = Array.from({ length: 10 }, (_, round) => {
    const head = 10_000 + round * 750;
    return lag.findOverloaded({ head, reached: Math.max(10_000, head - 750), isListing: false }, load);
  });
  expect(found).toEqual(Array(10).fill(undefined));
});

it("an address whose listing takes so long that no slot is committed is reported", () => {
  expect(follow(0, { isListing: true, rounds: 4 })).toEqual([undefined, undefined, "busy", undefined]);
});

it("few transactions are reported like many if the nodes return even fewer", () => {
  expect(follow(0.9, { arrived: { quiet: 0, slow: 4 }, rounds: 3 })).toEqual([undefined, undefined, "slow"]);
  expect(follow(0.2, { arrived: { quiet: 0 } })).toEqual(Array(10).fill(undefined));
  expect(follow(0.2, { arrived: {} })).toEqual(Array(10).fill(undefined));
});

it("an address with far more transactions than the nodes return is reported at once", () => {
  const perSlot = { quiet: 0.1, busy: 400 };
  expect(follow(1, { behind: 40, perSlot, readPerSecond: 40, rounds: 1 })).toEqual(["busy"]);
  expect(follow(1, { behind: 40, perSlot, readPerSecond: 900, rounds: 1 })).toEqual([undefined]);
  expect(follow(1, { behind: 40, perSlot, rounds: 1 })).toEqual([undefined]);
});
