import { expect, test } from "vitest";
import { deleteEventsBefore } from "../../../src/store/alerts/history.ts";
import { harness } from "../../support/harness.ts";
import { emits, freshWorld, tokenAddress, transferSignature, type World } from "../world.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });
const transfers = { target_type: "event_frequency", config: { event_signature: transferSignature } };
const amounts = { target_type: "event_value", config: { event_signature: transferSignature, arg: "value" } };
const each = { operator: "gte", threshold: 1, aggregation: "each" };
const oneEther = 10n ** 18n;

async function worldWith(target: { target_type: string; config?: object }, condition: object, more = {}) {
  const world = await freshWorld(h);
  const rule_id = await world.rule(await world.watch(target), condition, more);
  await world.catchUp();
  return { ...world, rule_id };
}

/** Events in the order of the chain. */
async function eventsOf(world: Pick<World, "events">) {
  return (await world.events()).toSorted(
    (a, b) => (a.block_number ?? 0) - (b.block_number ?? 0) || (a.log_index ?? 0) - (b.log_index ?? 0),
  );
}

test("a rule with each makes one event of every log, also while earlier ones are in the window", async () => {
  const world = await worldWith(transfers, each);
  world.chain.mine([emits(5, 6), emits(7)]);
  world.chain.mine([emits(8)]);
  await world.catchUp();
  const events = await eventsOf(world);
  expect(events).toHaveLength(4);
  expect(new Set(events.map(({ tx_hash, log_index }) => `${tx_hash} ${log_index}`)).size).toBe(4);
  for (const event of events)
    expect(event).toMatchObject({ status: "occurred", value: 1, window_seconds: null, resolved_at: null });
  expect(await world.notices()).toHaveLength(4);
  const rule = (await world.owner.client.get(`/alerts/${world.rule_id}`)).body;
  expect(rule).toMatchObject({ state: "ok", last_fired_at: events[3]?.fired_at });
});

test("each is the default for the value of events, and compares every value individually", async () => {
  const world = await worldWith(amounts, { operator: "gt", threshold: 50 });
  world.chain.mine([emits(40, 60), emits(50)]);
  world.chain.mine([emits(70, 30)]);
  await world.catchUp();
  const events = await eventsOf(world);
  expect(events.map(({ value, status }) => [value, status])).toEqual([
    [60, "occurred"],
    [70, "occurred"],
  ]);
  expect(events[0]?.explanation).toMatchObject({
    reason: "occurred",
    clause: "value is 60: above 50",
    decoded: { args: { value: "60" } },
  });
});

test("a cooldown limits the messages about occurrences, never the events; one transaction is one message", async () => {
  const world = await worldWith(transfers, each, { cooldown_seconds: 60 });
  const [first, second, third] = [emits(1, 2), emits(3), emits(4)];
  world.chain.mine([first, second], { time: world.chain.tip.time + 12 });
  world.chain.mine([third], { time: world.chain.tip.time + 12 });
  world.chain.mine([emits(5)], { time: world.chain.tip.time + 60 });
  await world.catchUp();
  const events = await eventsOf(world);
  const notified = new Set((await world.notices()).map(({ event_id }) => event_id));
  expect(events.map(({ id }) => notified.has(id))).toEqual([true, true, false, false, true]);
});

test("a second upgrade within minutes is a second event", async () => {
  const world = await worldWith({ target_type: "proxy_implementation" }, { operator: "gte", threshold: 1 });
  // The scripted chain has no storage, so that reads would contradict the events.
  world.chain.failure = "The node is busy.";
  for (const upgradesTo of ["0x00000000000000000000000000000000000a11ce", tokenAddress]) {
    world.chain.mine([{ ...emits(), upgradesTo }]);
    await world.catchUp();
  }
  const events = await eventsOf(world);
  expect(events.map(({ status, value }) => [status, value])).toEqual([
    ["occurred", 1],
    ["occurred", 1],
  ]);
});

test("of state that is read, only changes are occurrences", async () => {
  const world = await freshWorld(h);
  const target_id = await world.watch({ target_type: "native_balance" });
  const changed = await world.rule(target_id, { operator: "changed", aggregation: "each" });
  const low = await world.rule(target_id, { operator: "lt", threshold: 5, aggregation: "each" });
  const balances = [9n, 9n, 4n, 4n, 3n, 8n];
  for (const balance of balances) {
    world.chain.balance = balance * oneEther;
    world.chain.mine([], { time: world.chain.tip.time + 400 });
    await world.catchUp();
  }
  await world.restart();
  world.chain.balance = 7n * oneEther;
  world.chain.mine([], { time: world.chain.tip.time + 400 });
  await world.catchUp();
  const events = await eventsOf(world);
  const valuesOf = (rule_id: string) =>
    events.filter((event) => event.rule_id === rule_id).map(({ value }) => value);
  expect(valuesOf(changed)).toEqual([4, 3, 8, 7]);
  expect(valuesOf(low)).toEqual([4, 3]);
});

test("a reorganisation retracts an occurrence, and a transaction that is included again is the same event", async () => {
  const world = await worldWith(transfers, each);
  const fork = world.chain.tip;
  const [kept, lost] = [emits(1, 2), emits(3)];
  world.chain.mine([kept, lost]);
  await world.catchUp();
  const before = await eventsOf(world);
  expect(before).toHaveLength(3);
  world.chain.mine([], { on: fork, salt: 1 });
  world.chain.mine([kept]);
  await world.catchUp();
  const after = await eventsOf(world);
  const byId = new Map(after.map((event) => [event.id, event.status]));
  expect(before.map(({ id }) => byId.get(id))).toEqual(["occurred", "occurred", "retracted"]);
  expect(after).toHaveLength(3);
  expect((await world.notices()).map(({ kind }) => kind).sort()).toEqual([
    "fired",
    "fired",
    "fired",
    "retracted",
  ]);
});

test("an occurrence can be acknowledged, and is not resolved when its rule changes or is deleted", async () => {
  const world = await worldWith(transfers, each);
  world.chain.mine([emits(1, 2)]);
  await world.catchUp();
  const [first, second] = await eventsOf(world);
  const { client } = world.owner;
  const reply = await client.post(`/alerts/events/${first?.id}/acknowledge`);
  expect(reply.body).toMatchObject({ status: "acknowledged" });
  await client.patch(`/alerts/${world.rule_id}`, { condition: { ...each, threshold: 2 } });
  await client.delete(`/alerts/${world.rule_id}`);
  const after = await eventsOf(world);
  expect(after.map(({ id, status, resolved_at }) => [id, status, resolved_at])).toEqual([
    [first?.id, "acknowledged", null],
    [second?.id, "occurred", null],
  ]);
  const stats = (await client.get("/dashboard/stats")).body;
  expect(stats).toMatchObject({ rules: { firing: 0 } });
});

test("occurrences are deleted when the history of the tier ends", async () => {
  const world = await worldWith(transfers, each);
  world.chain.mine([emits(1, 2)]);
  await world.catchUp();
  const before = new Date((world.chain.tip.time + 1) * 1000);
  const expiry = { tier: "enterprise" as const, before, now: h.clock.now() };
  expect(await deleteEventsBefore(h.app.db, expiry, 1_000)).toBeGreaterThanOrEqual(2);
  expect(await world.events()).toEqual([]);
});

test("a rule with each takes no duration, reminder or missing-data alert", async () => {
  const world = await freshWorld(h);
  const target_id = await world.watch(transfers);
  const { client } = world.owner;
  const reply = await client.post("/alerts", {
    target_id,
    severity: "info",
    record_only: true,
    condition: each,
    for_seconds: 60,
    renotify_seconds: 600,
    no_data: "alert",
  });
  expect(reply.status).toBe(422);
  const { detail } = reply.body as { detail: { loc: string[] }[] };
  expect(detail.map(({ loc }) => loc.join("."))).toEqual([
    "body.for_seconds",
    "body.renotify_seconds",
    "body.no_data",
  ]);
  const windowed = await world.rule(target_id, { operator: "gte", threshold: 2 }, { for_seconds: 60 });
  expect((await client.patch(`/alerts/${windowed}`, { condition: each })).status).toBe(422);
  expect((await client.patch(`/alerts/${windowed}`, { condition: each, for_seconds: 0 })).status).toBe(200);
  const absent = { operator: "absent", aggregation: "each", window_seconds: 300 };
  const rejected = await client.post("/alerts", {
    target_id,
    severity: "info",
    record_only: true,
    condition: absent,
  });
  expect(rejected.text).toContain("cannot be each with the operator absent");
});
