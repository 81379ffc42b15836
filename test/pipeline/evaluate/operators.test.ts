import { toHex } from "viem";
import { expect, test } from "vitest";
import { parseAddress } from "../../../src/chains/evm/values/address.ts";
import type { AlertEvent } from "../../../src/wire/alerts/alert-events.ts";
import { harness } from "../../support/harness.ts";
import { emits, freshWorld, makeWorld, transferSignature } from "../world.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });
const world = await makeWorld({ harness: h });

const amounts = { target_type: "event_value", config: { event_signature: transferSignature, arg: "value" } };
const transfers = { target_type: "event_frequency", config: { event_signature: transferSignature } };
/** The events per block: a number is one event, an empty list a block without events. */
type Script = (number | number[])[];
/** The indexes of the blocks at which an episode fires and resolves; null while it is open. */
type Episodes = [number, number | null][];

let contracts = 0;
const nextAddress = () => parseAddress(toHex(0xabc000 + ++contracts, { size: 20 })) as string;

/** `gap` is the time between blocks, `start` the time of the first; `more` are other fields of the rule. */
type RunOptions = {
  target?: object;
  gap?: number;
  start?: number;
  more?: object;
  restartAt?: number | undefined;
};

/** Runs a new rule over scripted blocks and returns its episodes. */
async function run(
  condition: object,
  script: Script,
  { target = amounts, gap = 12, start = 0, more = {}, restartAt }: RunOptions = {},
): Promise<Episodes> {
  const address = nextAddress();
  const rule = await world.rule(await world.watch(target as typeof amounts, address), condition, more);
  await world.catchUp();
  const first = Math.max(world.chain.tip.time + gap, start);
  for (const [index, values] of script.entries()) {
    if (index === restartAt) {
      await world.catchUp();
      await world.restart();
    }
    const tx = { ...emits(...[values].flat()), to: address };
    world.chain.mine(tx.amounts.length > 0 ? [tx] : [], { time: first + index * gap });
  }
  await world.catchUp();
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
    "change_pct_gt fires on a rise since the start of the window",
    { operator: "change_pct_gt", threshold: 50 },
    [100, 150, 151, 100],
    [[2, 3]],
  ],
  [
    "change_pct_lt fires on a fall since the start of the window",
    { operator: "change_pct_lt", threshold: -50 },
    [100, 50, 49, 100],
    [[2, 3]],
  ],
  [
    "change_pct does not fire when the base value is 0",
    { operator: "change_pct_gt", threshold: 1 },
    [0, 100],
    [],
  ],
  [
    "changed holds while the change is in the window",
    { operator: "changed" },
    [5, 5, 6, 6, 6, 6, 6, 6],
    [[2, 7]],
  ],
  ["changed does not fire on the first value", { operator: "changed" }, [5, 5, 5], []],
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
    "min counts a reading for exactly one window",
    { operator: "lt", threshold: 5, aggregation: "min" },
    [10, 4, 10, 10, 10, 10, 10],
    [[1, 6]],
  ],
  [
    "max counts a reading for exactly one window",
    { operator: "gt", threshold: 10, aggregation: "max" },
    [11, 1, 1, 1, 1, 1],
    [[0, 5]],
  ],
  [
    "sum adds up the readings in the window",
    { operator: "gte", threshold: 10, aggregation: "sum" },
    [4, 6, 0, 0, 0, 0],
    [[1, 5]],
  ],
  [
    "count counts all events of a block",
    { operator: "gte", threshold: 3, aggregation: "count" },
    [1, [1, 1], ...quiet(4)],
    [[1, 5]],
  ],
  [
    "rate is per minute for any window",
    { operator: "gte", threshold: 10, aggregation: "rate", window_seconds: 120 },
    [10, 10, ...quiet(9)],
    [[1, 10]],
  ],
  [
    "p95 ignores one reading in twenty",
    { operator: "gt", threshold: 10, aggregation: "p95" },
    [
      [...Array.from({ length: 19 }, () => 1), 11],
      [11, 11],
    ],
    [[1, null]],
  ],
  [
    "last resolves after a window without readings, and fires again",
    { operator: "gt", threshold: 10, aggregation: "last" },
    [11, ...quiet(8), 12],
    [
      [0, 5],
      [9, null],
    ],
  ],
  [
    "last considers every reading of a block",
    { operator: "gt", threshold: 10, aggregation: "last" },
    [1, [5, 11, 1], 1, 1],
    [[1, 2]],
  ],
  [
    "max resolves when the window is empty, and fires again",
    { operator: "gt", threshold: 10, aggregation: "max" },
    [11, ...quiet(8), 12],
    [
      [0, 5],
      [9, null],
    ],
  ],
  [
    "changed resolves after a window without readings, and fires again",
    { operator: "changed", aggregation: "last" },
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

test("an anomaly rule needs three hours of history", async () => {
  const condition = { operator: "anomaly", threshold: 3, aggregation: "count", window_seconds: 60 };
  const usual = (minutes: number): Script =>
    Array.from({ length: minutes }, (_, minute) => Array.from({ length: 2 + (minute % 3) }, () => 1));
  const spike = Array.from({ length: 12 }, () => 1);
  const options = { target: transfers, gap: 60 };
  expect(await run(condition, [...usual(180), spike, ...usual(1)], options)).toEqual([]);
  expect(await run(condition, [...usual(181), spike, ...usual(1)], options)).toEqual([[181, 182]]);
});

test("an anomaly event contains its baseline", async () => {
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
])("a rule with %s on an anomaly target fires on the score (restart at %s)", async (operator, restartAt) => {
  const config = { metric: "event_frequency", event_signature: transferSignature };
  const target = { target_type: "anomaly_detection", config };
  const usual = Array.from({ length: 260 }, (_, minute) => Array.from({ length: 2 + (minute % 3) }, () => 1));
  const spike = Array.from({ length: 40 }, () => 1);
  const start = Math.ceil(world.chain.tip.time / 60 + 1) * 60;
  const script = [...usual, spike, [1, 1], [1, 1]];
  const episodes = await run({ operator, threshold: 4 }, script, { target, gap: 60, start, restartAt });
  expect(episodes).toEqual([[261, 262]]);
  expect((await world.events())[0]?.explanation).toMatchObject({ baseline: { median: 3, mad: 1 } });
});

test("absent fires after a whole window without readings, also when there never were any", async () => {
  const start = Math.ceil(h.clock.now().getTime() / 1000) + 12;
  expect(await run({ operator: "absent", window_seconds: 60 }, [1, ...quiet(5), 1], { start })).toEqual([
    [5, 6],
  ]);
  const again = Math.ceil(h.clock.now().getTime() / 1000) + 600;
  expect(await run({ operator: "absent", window_seconds: 60 }, [...quiet(6)], { start: again })).toEqual([
    [0, null],
  ]);
});

test("events of changed and absent rules have no threshold", async () => {
  const start = Math.max(world.chain.tip.time, Math.ceil(h.clock.now().getTime() / 1000)) + 120;
  const more = { message_template: "threshold: {{threshold}}" };
  await run({ operator: "changed", window_seconds: 60 }, [5, 6], { start, more });
  await run({ operator: "absent", window_seconds: 60 }, [1, ...quiet(6)], { more });
  await run({ operator: "gt", threshold: 10, window_seconds: 60 }, [11], { more });
  const newest = new Map((await world.events()).toReversed().map((event) => [event.operator, event]));
  const expected = { threshold: null, message: "threshold: none" };
  expect(newest.get("changed")).toMatchObject(expected);
  expect(newest.get("absent")).toMatchObject(expected);
  expect(newest.get("gt")).toMatchObject({ threshold: 10, message: "threshold: 10" });
});

test("lt on a count fires on a target without any readings", async () => {
  const start = world.chain.tip.time + 12;
  h.clock.advance(start - h.clock.now().getTime() / 1000);
  const few = { operator: "lt", threshold: 2, aggregation: "count", window_seconds: 60 };
  const episodes = await run(few, [...quiet(12), [1, 1]], { start });
  expect(episodes).toHaveLength(1);
  expect(episodes[0]?.[0]).toBeGreaterThanOrEqual(4);
  expect(episodes[0]?.[1]).toBe(12);
});

test("lt on a count does not fire on a window that was only partly observed", async () => {
  const start = Math.max(world.chain.tip.time, Math.ceil(h.clock.now().getTime() / 1000)) + 12;
  h.clock.advance(start - h.clock.now().getTime() / 1000);
  const few = { operator: "lt", threshold: 3, aggregation: "count", window_seconds: 60 };
  expect(await run(few, [1, 1, ...quiet(3)], { start, target: transfers })).toEqual([]);
  const later = world.chain.tip.time + 12;
  h.clock.advance(later - h.clock.now().getTime() / 1000);
  const episodes = await run(few, [1, 1, ...quiet(5)], { start: later, target: transfers });
  expect(episodes).toEqual([[5, null]]);
});

test("for_seconds starts again after a window without readings", async () => {
  const condition = { operator: "gt", threshold: 10, aggregation: "max", window_seconds: 60 };
  const more = { for_seconds: 120 };
  expect(await run(condition, [11, ...quiet(20), 12, ...quiet(2)], { more })).toEqual([]);
});

test("an event of a breach resolves when a no-data event fires", async () => {
  const start = Math.max(world.chain.tip.time, Math.ceil(h.clock.now().getTime() / 1000)) + 120;
  const condition = { operator: "gt", threshold: 10, aggregation: "max", window_seconds: 60 };
  const more = { no_data: "alert" };
  expect(await run(condition, [11, ...quiet(7), 12], { start, more })).toEqual([
    [0, 5],
    [5, 8],
    [8, null],
  ]);
});

test("an event of a polled target stays open while its state cannot be read", async () => {
  const balance = { target_type: "native_balance" };
  const low = { operator: "lt", threshold: 1, aggregation: "last", window_seconds: 60 };
  const address = nextAddress();
  const rule = await world.rule(await world.watch(balance, address), low);
  await world.catchUp();
  world.chain.mine([]);
  await world.catchUp();
  world.chain.failure = "the node has no such state";
  for (let block = 0; block < 20; block++) world.chain.mine([]);
  await world.catchUp();
  world.chain.failure = undefined;
  const events = (await world.owner.client.get(`/alerts/${rule}/history`)).body as AlertEvent[];
  expect(events).toMatchObject([{ status: "firing", resolved_at: null }]);
});

test("a new anomaly rule uses the history from before its creation", async () => {
  const world = await freshWorld(h);
  const address = nextAddress();
  const target = await world.watch(transfers, address);
  await world.catchUp();
  const mine = (count: number) =>
    world.chain.mine([{ ...emits(...Array.from({ length: count }, () => 1)), to: address }], {
      time: world.chain.tip.time + 60,
    });
  for (let minute = 0; minute < 200; minute++) mine(2 + (minute % 3));
  await world.catchUp();
  await world.restart();
  await world.catchUp();
  mine(3);
  await world.catchUp();
  const rule = await world.rule(target, {
    operator: "anomaly",
    threshold: 3,
    aggregation: "count",
    window_seconds: 60,
  });
  mine(12);
  await world.catchUp();
  expect((await world.owner.client.get(`/alerts/${rule}/history`)).body).toHaveLength(1);
});
