import { expect, test } from "vitest";
import { rollUp } from "../../../src/jobs/roll-up-samples.ts";
import type { LiveMetric } from "../../../src/wire/contracts/live-metrics.ts";
import { errorReply, join, unknownId } from "../../api/steps.ts";
import { harness } from "../../support/harness.ts";
import { emits, freshWorld, transferSignature, type World } from "../world.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });

const balance = { target_type: "native_balance" };
const transfers = { target_type: "event_frequency", config: { event_signature: transferSignature } };
const amounts = { target_type: "event_value", config: { event_signature: transferSignature, arg: "value" } };

async function contractOf(world: World): Promise<string> {
  const [contract] = (await world.owner.client.get("/contracts")).body as { id: string }[];
  return `/contracts/${contract?.id}`;
}

async function metrics(world: World): Promise<LiveMetric[]> {
  const reply = await world.owner.client.get(`${await contractOf(world)}/live-metrics`);
  expect(reply.status).toBe(200);
  return reply.body as LiveMetric[];
}

const metric = async (world: World) => (await metrics(world))[0] as LiveMetric;

/** Mines blocks a minute apart with these balances in whole units. */
async function hold(world: World, ...balances: number[]) {
  for (const amount of balances) {
    world.chain.balance = BigInt(Math.round(amount * 1000)) * 10n ** 15n;
    world.chain.mine([], { time: world.chain.tip.time + 60 });
    await world.catchUp();
  }
}

async function watching(target: object, ...conditions: object[]) {
  const world = await freshWorld(h);
  const target_id = await world.watch(target as typeof transfers);
  const rules: string[] = [];
  for (const condition of conditions) rules.push(await world.rule(target_id, condition));
  await world.catchUp();
  return { world, target_id, rules };
}

test("a target shows its newest value with unit and time, and a sparkline of the last hour", async () => {
  const { world, target_id } = await watching(balance);
  await hold(world, 3, 4);
  const shown = await metric(world);
  expect(shown).toMatchObject({
    target_id,
    target_type: "native_balance",
    name: "Native balance",
    value: 4,
    unit: "ETH",
    at: new Date(world.chain.tip.time * 1000).toISOString(),
    rule_id: null,
    threshold: null,
    proximity: null,
    eta_seconds: null,
  });
  expect(shown.sparkline).toHaveLength(60);
  expect(shown.sparkline.slice(0, 58)).toEqual(Array.from({ length: 58 }, () => null));
  expect(shown.sparkline.slice(58)).toEqual([3, 4]);
});

test("the sparkline repeats a polled value until the next reading", async () => {
  const { world } = await watching(balance);
  await hold(world, 3);
  world.chain.failure = "the node is away";
  for (let minutes = 0; minutes < 70; minutes++) {
    world.chain.mine([], { time: world.chain.tip.time + 60 });
  }
  await world.catchUp();
  const { sparkline, value } = await metric(world);
  expect({ value, sparkline }).toEqual({ value: 3, sparkline: Array.from({ length: 60 }, () => 3) });
});

const near: [operator: string, bounds: object, value: number, proximity: number][] = [
  ["gt", { threshold: 10 }, 5, 0.5],
  ["gt", { threshold: 10 }, 10, 1],
  ["gte", { threshold: 10 }, 30, 2],
  ["gte", { threshold: 10 }, 0, 0],
  ["lt", { threshold: 10 }, 20, 0.5],
  ["lt", { threshold: 10 }, 10, 1],
  ["lte", { threshold: 10 }, 5, 2],
  ["lte", { threshold: 10 }, 0, 2],
  ["outside", { threshold: 10, threshold_high: 40 }, 20, 0.5],
  ["outside", { threshold: 10, threshold_high: 40 }, 40, 1],
  ["outside", { threshold: 10, threshold_high: 40 }, 10, 1],
  ["outside", { threshold: 10, threshold_high: 40 }, 50, 1.25],
];

test.each(near)("the proximity of %s %o at %d is %d", async (operator, bounds, value, proximity) => {
  const { world } = await watching(balance, { operator, ...bounds, window_seconds: 300 });
  await hold(world, value);
  expect(await metric(world)).toMatchObject({ value, proximity });
});

test("the rule with the highest proximity is shown", async () => {
  const conditions = [
    { operator: "gt", threshold: 100 },
    { operator: "gt", threshold: 20 },
    { operator: "lt", threshold: 2 },
    { operator: "changed" },
  ];
  const { world, rules } = await watching(balance, ...conditions);
  await hold(world, 10);
  expect(await metric(world)).toMatchObject({ rule_id: rules[1], threshold: 20, proximity: 0.5 });
});

test("eta_seconds is set when a rise or a fall leads to the threshold", async () => {
  const rising = await watching(balance, { operator: "gt", threshold: 20, window_seconds: 60 });
  await hold(rising.world, 10, 11, 12, 13, 14, 15);
  expect(await metric(rising.world)).toMatchObject({ value: 15, eta_seconds: 300 });
  const falling = await watching(balance, { operator: "lte", threshold: 5, window_seconds: 60 });
  await hold(falling.world, 10, 9, 8, 7);
  expect(await metric(falling.world)).toMatchObject({ value: 7, eta_seconds: 120 });
});

test("eta_seconds is null when the value moves away, is constant or is beyond the threshold", async () => {
  const cases: [object, number[]][] = [
    [{ operator: "gt", threshold: 20 }, [12, 11, 10]],
    [{ operator: "lt", threshold: 5 }, [10, 11, 12]],
    [{ operator: "gt", threshold: 20 }, [10, 10, 10]],
    [{ operator: "gt", threshold: 20 }, [19, 20, 21]],
    [{ operator: "gt", threshold: 20 }, [10]],
    [{ operator: "outside", threshold: 5, threshold_high: 20 }, [10, 11, 12]],
  ];
  for (const [condition, balances] of cases) {
    const { world } = await watching(balance, { window_seconds: 60, ...condition });
    await hold(world, ...balances);
    expect(await metric(world)).toMatchObject({ eta_seconds: null });
  }
});

test("a target with a rule about a change shows the change in percent", async () => {
  const { world } = await watching(balance, {
    operator: "change_pct_lt",
    threshold: -20,
    window_seconds: 3600,
  });
  await hold(world, 100, 90);
  expect(await metric(world)).toMatchObject({ value: -10, unit: "%", threshold: -20, proximity: 0.5 });
});

test("a counting target shows the count of the rule's window and a sparkline per minute", async () => {
  const { world } = await watching(transfers, { operator: "gte", threshold: 10, window_seconds: 300 });
  const start = world.chain.tip.time;
  world.chain.mine([emits(1, 1), emits(1)], { time: start + 60 });
  world.chain.mine([emits(1)], { time: start + 120 });
  world.chain.mine([], { time: start + 180 });
  await world.catchUp();
  const shown = await metric(world);
  expect(shown).toMatchObject({ value: 4, threshold: 10, proximity: 0.4, unit: "events" });
  expect(shown.sparkline.slice(-4)).toEqual([0, 3, 1, 0]);
});

test("a counting target without a rule shows the count of the last five minutes", async () => {
  const { world } = await watching(transfers);
  const start = world.chain.tip.time;
  world.chain.mine([emits(1, 1), emits(1)], { time: start + 60 });
  world.chain.mine([emits(1)], { time: start + 400 });
  world.chain.mine([emits(1)], { time: start + 450 });
  await world.catchUp();
  expect(await metric(world)).toMatchObject({ value: 2, rule_id: null });
});

test("an anomaly target shows its score instead of a count", async () => {
  const { world, target_id } = await watching({ target_type: "anomaly_detection" });
  for (let minute = 0; minute < 200; minute++) {
    const busy = minute === 198 ? 40 : 1;
    const transactions = Array.from({ length: busy }, () => emits());
    world.chain.mine(transactions, { time: world.chain.tip.time + 60 });
  }
  await world.catchUp();
  const { value } = await metric(world);
  expect(value).toBeGreaterThan(10);
  const targets = (await world.owner.client.get(`${await contractOf(world)}/targets`)).body as object[];
  expect(targets).toMatchObject([{ id: target_id, last_value: value }]);
});

test("a window of days gives the same value from roll-ups as from raw samples", async () => {
  const condition = { operator: "gte", threshold: 1000, aggregation: "sum", window_seconds: 3 * 24 * 3600 };
  const { world } = await watching(amounts, condition);
  for (let hours = 0; hours < 60; hours++) {
    world.chain.mine([emits(1, 2)], { time: world.chain.tip.time + 3600 });
  }
  await world.catchUp();
  while ((await rollUp.run(h.app)).hasMore);
  expect(await metric(world)).toMatchObject({ value: 180 });
  // Only the raw samples of the last two hours are left.
  const longAgo = new Date((world.chain.tip.time - 2 * 3600) * 1000);
  await h.app.db.deleteFrom("samples").where("at", "<", longAgo).execute();
  expect(await metric(world)).toMatchObject({ value: 180 });
});

test("the sparkline aggregates each minute as the meter does", async () => {
  const { world } = await watching(amounts);
  const start = world.chain.tip.time;
  world.chain.mine([emits(5, 6)], { time: start + 60 });
  world.chain.mine([], { time: start + 180 });
  await world.catchUp();
  expect((await metric(world)).sparkline.slice(-3)).toEqual([11, 0, 0]);
  const callers = await watching({ target_type: "unique_callers" });
  callers.world.chain.mine([emits(), emits(), emits()]);
  await callers.world.catchUp();
  expect((await metric(callers.world)).sparkline.slice(-2)).toEqual([0, 1]);
});

test("a rule with a match shows the proximity of its matches", async () => {
  const match = { events: [{ signature: transferSignature, expression: "value >= 100" }] };
  const { world } = await watching(transfers, { operator: "gte", threshold: 4, window_seconds: 300, match });
  world.chain.mine([emits(1, 100, 200)]);
  await world.catchUp();
  expect(await metric(world)).toMatchObject({ value: 2, proximity: 0.5 });
});

test("a target that is not measured shows only its last value", async () => {
  const { world, target_id } = await watching(balance, { operator: "gt", threshold: 10 });
  await hold(world, 5);
  await world.owner.client.post(`${await contractOf(world)}/targets`, { target_type: "moon_phase" });
  await world.owner.client.patch(`/targets/${target_id}`, { is_enabled: false });
  const nothing = { rule_id: null, threshold: null, proximity: null, eta_seconds: null };
  const sparkline = Array.from({ length: 60 }, () => null);
  const shown = await metrics(world);
  expect(shown).toHaveLength(2);
  expect(shown.find((one) => one.target_id === target_id)).toMatchObject({ value: 5, ...nothing, sparkline });
  const unsupported = { value: null, unit: null, at: null, ...nothing, sparkline };
  expect(shown.find((one) => one.target_type === "moon_phase")).toMatchObject(unsupported);
});

test("an invisible contract gets 404", async () => {
  const { world } = await watching(balance);
  const path = `${await contractOf(world)}/live-metrics`;
  const stranger = await h.person();
  const notFound = errorReply(404, "not_found");
  expect(await stranger.client.get(path)).toMatchObject(notFound);
  expect(await world.owner.client.get(`/contracts/${unknownId}/live-metrics`)).toMatchObject(notFound);
  const colleague = await join(h, world.owner, "viewer");
  await colleague.client.post(`/orgs/${world.owner.org_id}/switch`);
  const { id } = world.owner.user;
  expect((await colleague.client.get(path)).status).toBe(200);
  await world.owner.client.post(path.replace("live-metrics", "access"), { user_id: id, role: "viewer" });
  expect(await colleague.client.get(path)).toMatchObject(notFound);
});
