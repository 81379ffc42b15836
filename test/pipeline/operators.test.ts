import { toHex } from "viem";
import { expect, test } from "vitest";
import { parseAddress } from "../../src/chains/evm/values/address.ts";
import type { AlertEvent } from "../../src/wire/alerts/alert-events.ts";
import { harness } from "../harness.ts";
import { emits, freshWorld, makeWorld, transferSignature } from "./world.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });
const world = await makeWorld({ harness: h });

const amounts = { target_type: "event_value", config: { event_signature: transferSignature, arg: "value" } };
const transfers = { target_type: "event_frequency", config: { event_signature: transferSignature } };
/** What each block emits; a number stands for one event, an empty list for a quiet block. */
type Script = (number | number[])[];
/** The blocks at which an episode begins and ends, counted from 0; null when it goes on. */
type Episodes = [number, number | null][];

let contracts = 0;
const nextAddress = () => parseAddress(toHex(0xabc000 + ++contracts, { size: 20 })) as string;

/** `gap` is the time between blocks, and `start` that of the first; `more` is what else the rule says. */
type RunOptions = {
  target?: object;
  gap?: number;
  start?: number;
  more?: object;
  restartAt?: number | undefined;
};

/** Takes a rule of its own through blocks and says what it did. */
async function run(
  condition: object,
  script: Script,
  { target = amounts, gap = 12, start = 0, more = {}, restartAt }: RunOptions = {},
): Promise<Episodes> {
  const address = nextAddress();
  const rule = await world.rule(await world.watch(target as typeof amounts, address), condition, more);
  await world.settle();
  const first = Math.max(world.chain.tip.time + gap, start);
  for (const [index, values] of script.entries()) {
    if (index === restartAt) {
      await world.settle();
      await world.restart();
    }
    const tx = { ...emits(...[values].flat()), to: address };
    world.chain.mine(tx.amounts.length > 0 ? [tx] : [], { time: first + index * gap });
  }
  await world.settle();
  const events = (await world.owner.client.get(`/alerts/${rule}/history`)).body as AlertEvent[];
  const indexOf = (at: string) => (Date.parse(at) / 1000 - first) / gap;
  return events
    .map(({ fired_at, resolved_at }): [number, number | null] => [
      indexOf(fired_at),
      resolved_at === null ? null : indexOf(resolved_at),
    ])
    .reverse();
}

const quiet = (blocks: number): Script => Array.from({ length: blocks }, () => []);
const last = { aggregation: "last", window_seconds: 60 };

const operators: [sentence: string, condition: object, script: Script, episodes: Episodes][] = [
  ["gt fires above the threshold, not at it", { operator: "gt", threshold: 10 }, [10, 11, 10], [[1, 2]]],
  ["gte fires at the threshold", { operator: "gte", threshold: 10 }, [9, 10, 9], [[1, 2]]],
  ["lt fires below the threshold, not at it", { operator: "lt", threshold: 10 }, [10, 9, 10], [[1, 2]]],
  ["lte fires at the threshold", { operator: "lte", threshold: 10 }, [11, 10, 11], [[1, 2]]],
  [
    "eq fires on the value itself only",
    { operator: "eq", threshold: 10 },
    [9, 10, 11, 10],
    [
      [1, 2],
      [3, null],
    ],
  ],
  ["neq fires on every other value", { operator: "neq", threshold: 10 }, [10, 11, 10], [[1, 2]]],
  [
    "between holds at both bounds",
    { operator: "between", threshold: 10, threshold_high: 20 },
    [9, 10, 20, 21],
    [[1, 3]],
  ],
  [
    "outside holds beyond both bounds",
    { operator: "outside", threshold: 10, threshold_high: 20 },
    [10, 20, 21, 9, 15],
    [[2, 4]],
  ],
  [
    "change_pct_gt is about a rise since the window began",
    { operator: "change_pct_gt", threshold: 50 },
    [100, 150, 151, 100],
    [[2, 3]],
  ],
  [
    "change_pct_lt is about a fall since the window began",
    { operator: "change_pct_lt", threshold: -50 },
    [100, 50, 49, 100],
    [[2, 3]],
  ],
  ["change_pct has nothing to say of what was 0", { operator: "change_pct_gt", threshold: 1 }, [0, 100], []],
  [
    "changed holds while the change is in the window",
    { operator: "changed" },
    [5, 5, 6, 6, 6, 6, 6, 6],
    [[2, 7]],
  ],
  ["changed is silent on the first value ever", { operator: "changed" }, [5, 5, 5], []],
];

test.each(operators)("%s", async (_, condition, script, episodes) => {
  expect(await run({ ...last, ...condition }, script)).toEqual(episodes);
});

const aggregations: [sentence: string, condition: object, script: Script, episodes: Episodes][] = [
  [
    "avg is the mean of the window",
    { operator: "gte", threshold: 10, aggregation: "avg" },
    [5, 15, 0],
    [[1, 2]],
  ],
  [
    "min is remembered for a whole window and no longer",
    { operator: "lt", threshold: 5, aggregation: "min" },
    [10, 4, 10, 10, 10, 10, 10],
    [[1, 6]],
  ],
  [
    "max is remembered for a whole window and no longer",
    { operator: "gt", threshold: 10, aggregation: "max" },
    [11, 1, 1, 1, 1, 1],
    [[0, 5]],
  ],
  [
    "sum adds up what is in the window",
    { operator: "gte", threshold: 10, aggregation: "sum" },
    [4, 6, 0, 0, 0, 0],
    [[1, 5]],
  ],
  [
    "count counts events, also several of a block",
    { operator: "gte", threshold: 3, aggregation: "count" },
    [1, [1, 1], ...quiet(4)],
    [[1, 5]],
  ],
  [
    "rate is by the minute whatever the window",
    { operator: "gte", threshold: 10, aggregation: "rate", window_seconds: 120 },
    [10, 10, ...quiet(9)],
    [[1, 10]],
  ],
  [
    "p95 lets one in twenty pass",
    { operator: "gt", threshold: 10, aggregation: "p95" },
    [
      [...Array.from({ length: 19 }, () => 1), 11],
      [11, 11],
    ],
    [[1, null]],
  ],
  [
    "last counts for a window, and the next time is news",
    { operator: "gt", threshold: 10, aggregation: "last" },
    [11, ...quiet(8), 12],
    [
      [0, 5],
      [9, null],
    ],
  ],
  [
    "last is every one of a block's for a moment",
    { operator: "gt", threshold: 10, aggregation: "last" },
    [1, [5, 11, 1], 1, 1],
    [[1, 2]],
  ],
  [
    "max of a window that has run empty is over, and the next time is news",
    { operator: "gt", threshold: 10, aggregation: "max" },
    [11, ...quiet(8), 12],
    [
      [0, 5],
      [9, null],
    ],
  ],
  [
    "changed is over when nothing has happened for a window",
    { operator: "changed" },
    [5, 6, ...quiet(8), 7],
    [
      [1, 6],
      [10, null],
    ],
  ],
];

test.each(aggregations)("%s", async (_, condition, script, episodes) => {
  expect(await run({ window_seconds: 60, ...condition }, script)).toEqual(episodes);
});

test("an anomaly is judged only after three hours of history, against the usual", async () => {
  const condition = { operator: "anomaly", threshold: 3, aggregation: "count", window_seconds: 60 };
  const usual = (minutes: number): Script =>
    Array.from({ length: minutes }, (_, minute) => Array.from({ length: 2 + (minute % 3) }, () => 1));
  const spike = Array.from({ length: 12 }, () => 1);
  const options = { target: transfers, gap: 60 };
  expect(await run(condition, [...usual(180), spike, ...usual(1)], options)).toEqual([]);
  expect(await run(condition, [...usual(181), spike, ...usual(1)], options)).toEqual([[181, 182]]);
});

test("an anomaly says what was usual", async () => {
  const [event] = (await world.events()).filter((one) => one.operator === "anomaly");
  expect(event).toMatchObject({
    value: 12,
    explanation: { baseline: { median: 3, mad: 1, windows: expect.any(Number) } },
  });
});

test.each([
  ["gt", undefined],
  ["anomaly", undefined],
  ["gt", 258],
])(
  "a target that scores anomalies is judged by %s with any window (restarted at %s)",
  async (operator, restartAt) => {
    const config = { metric: "event_frequency", event_signature: transferSignature };
    const target = { target_type: "anomaly_detection", config };
    const usual = Array.from({ length: 260 }, (_, minute) =>
      Array.from({ length: 2 + (minute % 3) }, () => 1),
    );
    const spike = Array.from({ length: 40 }, () => 1);
    const start = Math.ceil(world.chain.tip.time / 60 + 1) * 60;
    const script = [...usual, spike, [1, 1], [1, 1]];
    const episodes = await run({ operator, threshold: 4 }, script, { target, gap: 60, start, restartAt });
    expect(episodes).toEqual([[261, 262]]);
    expect((await world.events())[0]?.explanation).toMatchObject({ baseline: { median: 3, mad: 1 } });
  },
);

test("absent fires after a whole window of silence, also when nothing ever happened", async () => {
  const start = Math.ceil(h.clock.now().getTime() / 1000) + 12;
  expect(await run({ operator: "absent", window_seconds: 60 }, [1, ...quiet(5), 1], { start })).toEqual([
    [5, 6],
  ]);
  const again = Math.ceil(h.clock.now().getTime() / 1000) + 600;
  expect(await run({ operator: "absent", window_seconds: 60 }, [...quiet(6)], { start: again })).toEqual([
    [0, null],
  ]);
});

test("too few is noticed also when there was never any", async () => {
  const start = world.chain.tip.time + 12;
  h.clock.advance(start - h.clock.now().getTime() / 1000);
  const few = { operator: "lt", threshold: 2, aggregation: "count", window_seconds: 60 };
  const episodes = await run(few, [...quiet(12), [1, 1]], { start });
  expect(episodes).toHaveLength(1);
  expect(episodes[0]?.[0]).toBeGreaterThanOrEqual(4);
  expect(episodes[0]?.[1]).toBe(12);
});

test("too few is not said of a window that was only half listened to", async () => {
  const start = Math.max(world.chain.tip.time, Math.ceil(h.clock.now().getTime() / 1000)) + 12;
  h.clock.advance(start - h.clock.now().getTime() / 1000);
  const few = { operator: "lt", threshold: 3, aggregation: "count", window_seconds: 60 };
  expect(await run(few, [1, 1, ...quiet(3)], { start, target: transfers })).toEqual([]);
  const later = world.chain.tip.time + 12;
  h.clock.advance(later - h.clock.now().getTime() / 1000);
  const episodes = await run(few, [1, 1, ...quiet(5)], { start: later, target: transfers });
  expect(episodes).toEqual([[5, null]]);
});

test("what holds again after a quiet time has not held all along", async () => {
  const condition = { operator: "gt", threshold: 10, aggregation: "max", window_seconds: 60 };
  const more = { for_seconds: 120 };
  expect(await run(condition, [11, ...quiet(20), 12, ...quiet(2)], { more })).toEqual([]);
});

test("an alarm over what happened ends where silence becomes one of its own", async () => {
  const start = Math.max(world.chain.tip.time, Math.ceil(h.clock.now().getTime() / 1000)) + 120;
  const condition = { operator: "gt", threshold: 10, aggregation: "max", window_seconds: 60 };
  const more = { no_data: "alert" };
  expect(await run(condition, [11, ...quiet(7), 12], { start, more })).toEqual([
    [0, 5],
    [5, 8],
    [8, null],
  ]);
});

test("an alarm over a state goes on while that cannot be read", async () => {
  const balance = { target_type: "native_balance" };
  const low = { operator: "lt", threshold: 1, aggregation: "last", window_seconds: 60 };
  const address = nextAddress();
  const rule = await world.rule(await world.watch(balance, address), low);
  await world.settle();
  world.chain.mine([]);
  await world.settle();
  world.chain.failure = "the node has no such state";
  for (let block = 0; block < 20; block++) world.chain.mine([]);
  await world.settle();
  world.chain.failure = undefined;
  const events = (await world.owner.client.get(`/alerts/${rule}/history`)).body as AlertEvent[];
  expect(events).toMatchObject([{ status: "firing", resolved_at: null }]);
});

test("a rule that is made later judges an anomaly by what was measured before it", async () => {
  const world = await freshWorld(h);
  const address = nextAddress();
  const target = await world.watch(transfers, address);
  await world.settle();
  const mine = (count: number) =>
    world.chain.mine([{ ...emits(...Array.from({ length: count }, () => 1)), to: address }], {
      time: world.chain.tip.time + 60,
    });
  for (let minute = 0; minute < 200; minute++) mine(2 + (minute % 3));
  await world.settle();
  await world.restart();
  await world.settle();
  mine(3);
  await world.settle();
  const rule = await world.rule(target, {
    operator: "anomaly",
    threshold: 3,
    aggregation: "count",
    window_seconds: 60,
  });
  mine(12);
  await world.settle();
  expect((await world.owner.client.get(`/alerts/${rule}/history`)).body).toHaveLength(1);
});
