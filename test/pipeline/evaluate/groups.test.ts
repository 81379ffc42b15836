import { sql } from "kysely";
import { expect, test } from "vitest";
import { harness } from "../../support/harness.ts";
import { makeDice } from "../dice.ts";
import { emits, freshWorld, tokenAddress, transferSignature, type World } from "../world.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });
const transfers = { target_type: "event_frequency", config: { event_signature: transferSignature } };
const perAmount = {
  operator: "gte",
  threshold: 2,
  aggregation: "count",
  window_seconds: 60,
  group_by: "args.value",
};

async function worldWith(condition: object, more = {}) {
  const world = await freshWorld(h);
  const target_id = await world.watch(transfers);
  const rule_id = await world.rule(target_id, condition, more);
  await world.catchUp();
  return { ...world, target_id, rule_id };
}

const later = (world: Pick<World, "chain">, seconds: number) => ({ time: world.chain.tip.time + seconds });

/** The events of each group, oldest first. */
async function byGroup(world: Pick<World, "events">) {
  const events = (await world.events()).toReversed();
  return Object.fromEntries(
    [...Map.groupBy(events, ({ group }) => group)].map(([group, found]) => [
      group,
      found.map(({ status }) => status),
    ]),
  );
}

test("each group of a rule fires and resolves independently, and its event names it", async () => {
  const world = await worldWith(perAmount);
  world.chain.mine([emits(5, 7, 5)]);
  world.chain.mine([emits(7)], later(world, 30));
  world.chain.mine([emits(7)], later(world, 40));
  await world.catchUp();
  expect(await byGroup(world)).toEqual({ 5: ["resolved"], 7: ["firing"] });
  const [event] = (await world.events()).filter(({ group }) => group === "7");
  expect(event).toMatchObject({
    value: 2,
    title: expect.stringContaining("value 7"),
    explanation: { group: { by: "args.value", value: "7" } },
  });
  const rule = (await world.owner.client.get(`/alerts/${world.rule_id}`)).body;
  expect(rule).toMatchObject({ state: "firing", last_fired_at: event?.fired_at });
});

test("groups continue after a restart, and a group that fires again is another event", async () => {
  const world = await worldWith(perAmount);
  world.chain.mine([emits(5)]);
  await world.catchUp();
  await world.restart();
  world.chain.mine([emits(5), emits(9)]);
  world.chain.mine([], later(world, 90));
  await world.catchUp();
  await world.restart();
  world.chain.mine([emits(5, 5)]);
  await world.catchUp();
  expect(await byGroup(world)).toEqual({ 5: ["resolved", "firing"] });
});

test("a changed rule evaluates its groups as if they had never fired", async () => {
  const world = await worldWith(perAmount, { cooldown_seconds: 3600 });
  world.chain.mine([emits(5, 5)]);
  await world.catchUp();
  const condition = { ...perAmount, threshold: 3 };
  const changed = await world.owner.client.patch(`/alerts/${world.rule_id}`, { condition });
  expect(changed.status).toBe(200);
  world.chain.mine([emits(5, 5, 5)]);
  await world.catchUp();
  expect(await byGroup(world)).toEqual({ 5: ["resolved", "firing"] });
  const { rows } = await sql<{ fired: string }>`
    select count(*) as fired from alert_notices n join alert_events e on e.id = n.event_id
    where e.rule_id = ${world.rule_id} and n.kind = 'fired'`.execute(h.app.db);
  expect(rows).toEqual([{ fired: "2" }]);
});

test("transactions are grouped by their sender", async () => {
  const world = await worldWith({ ...perAmount, group_by: "sender" });
  world.chain.mine([emits(1), emits(2)]);
  await world.catchUp();
  expect(await byGroup(world)).toEqual({ "0x70997970C51812dc3A010C7d01b50e0d17dc79C8": ["firing"] });
});

test("the cooldown of an each rule with groups is that of each group", async () => {
  const each = { operator: "gte", threshold: 1, aggregation: "each", group_by: "args.value" };
  const world = await worldWith(each, { cooldown_seconds: 300 });
  world.chain.mine([emits(5)]);
  world.chain.mine([emits(5)]);
  world.chain.mine([emits(6)]);
  await world.catchUp();
  const groups = new Map((await world.events()).map(({ id, group }) => [id, group]));
  expect(await byGroup(world)).toEqual({ 5: ["occurred", "occurred"], 6: ["occurred"] });
  const notified = (await world.notices()).map(({ event_id }) => groups.get(event_id));
  expect(notified.sort()).toEqual(["5", "6"]);
});

test("beyond 1,000 groups that fire, one event says so until there are fewer", async () => {
  const world = await worldWith({ ...perAmount, threshold: 1 });
  const many = Array.from({ length: 1_005 }, (_, index) => index + 1);
  world.chain.mine([emits(...many)]);
  await world.catchUp();
  await world.restart();
  world.chain.mine([emits(2_000)], later(world, 30));
  await world.catchUp();
  const firing = await h.app.db
    .selectFrom("alert_events")
    .select(["group_value", "title", "status"])
    .where("rule_id", "=", world.rule_id)
    .execute();
  expect(firing.filter(({ group_value }) => group_value !== null)).toHaveLength(1_000);
  expect(firing.filter(({ group_value }) => group_value === null)).toEqual([
    { group_value: null, status: "firing", title: expect.stringContaining("1,000 groups") },
  ]);
  world.chain.mine([], later(world, 90));
  await world.catchUp();
  const open = (await world.events()).filter(({ status }) => status === "firing");
  expect(open).toEqual([]);
});

/** Conditions that fire with a reading, with the passing of time, and by several readings of the same group. */
const manyConditions = [
  { ...perAmount, window_seconds: 300 },
  { ...perAmount, operator: "lt" },
  { ...perAmount, operator: "eq", threshold: 1, window_seconds: 90 },
  { ...perAmount, aggregation: "sum", threshold: 12, window_seconds: 120 },
  { ...perAmount, operator: "lte", aggregation: "avg", threshold: 3 },
  { operator: "gte", threshold: 1, aggregation: "each", group_by: "args.value" },
];

/** Runs the conditions on random blocks, with restarts, reorganisations and changes of the contract in between. */
async function eventsOfGroups(groupsInMemory: number, seed: number) {
  const dice = makeDice(seed);
  const world = await freshWorld(h, undefined, groupsInMemory);
  const target_id = await world.watch(transfers);
  for (const [index, condition] of manyConditions.entries())
    await world.rule(target_id, condition, {
      ...{ name: `rule ${index}`, cooldown_seconds: dice.pick([0, 200]) },
      for_seconds: condition.aggregation === "each" ? 0 : dice.pick([0, 20]),
    });
  await world.catchUp();
  let quiet = 0;
  for (let move = 0; move < 30; move++) {
    const [tip] = [world.chain.tip];
    const on = dice.chance(0.2) ? (world.chain.blocksByHash.get(tip.parent_hash) ?? tip) : tip;
    for (let count = dice.between(1, 3), from = on; count > 0; count--) {
      const amounts = Array.from({ length: dice.between(0, 3) }, () => dice.between(1, 6));
      const time = from.time + dice.pick([0, 12, 30, 60]);
      const scripted = { id: 1_000_000 + seed * 1_000 + move * 10 + count, to: tokenAddress, amounts };
      from = world.chain.mine([scripted], { on: from, time, salt: move });
    }
    if (world.chain.tip.height <= tip.height) world.chain.mine([], { salt: move });
    await world.catchUp();
    quiet = Math.max(quiet, world.quietGroups());
    if (dice.chance(0.15)) await world.restart();
  }
  const events = await h.app.db
    .selectFrom("alert_events")
    .select(["rule_name", "group_value", "status", "fired_at", "resolved_at", "value", "tx_hash"])
    .where("org_id", "=", world.owner.org_id)
    .where("status", "<>", "retracted")
    .execute();
  const silent = (await world.notices()).map(({ kind }) => kind).sort();
  return { quiet, silent, events: events.map((event) => JSON.stringify(event)).sort() };
}

test("groups beyond those in memory have the same events, also after rollbacks and restarts", async () => {
  for (const seed of process.env.TEST_LONG ? [1, 2] : [1]) {
    const all = await eventsOfGroups(10_000, seed);
    const few = await eventsOfGroups(1, seed);
    expect(all.events.length).toBeGreaterThan(20);
    expect({ ...few, quiet: 0 }).toEqual({ ...all, quiet: 0 });
    expect(few.quiet).toBe(1);
    expect(all.quiet).toBeGreaterThan(3);
  }
});

test("the states of groups that are quiet are deleted", async () => {
  const world = await worldWith(perAmount);
  world.chain.mine([emits(5, 5)]);
  for (let block = 0; block < 400; block++) world.chain.mine([]);
  await world.catchUp();
  const rows = await h.app.db
    .selectFrom("rule_states")
    .select("group_key")
    .where("rule_id", "=", world.rule_id)
    .execute();
  expect(rows).toEqual([]);
  expect(await byGroup(world)).toEqual({ 5: ["resolved"] });
});

test("a reorganisation retracts the event of a group only", async () => {
  const world = await worldWith(perAmount);
  const [kept, lost] = [emits(5, 5), emits(6, 6)];
  const fork = world.chain.mine([kept]);
  world.chain.mine([lost]);
  await world.catchUp();
  expect(await byGroup(world)).toEqual({ 5: ["firing"], 6: ["firing"] });
  world.chain.mine([], { on: fork, salt: 1 });
  world.chain.mine([]);
  await world.catchUp();
  expect(await byGroup(world)).toEqual({ 5: ["firing"], 6: ["retracted"] });
});

test.each([
  [{ group_by: "args.amount" }, "group_by", /args\.amount, which does not exist.*args\.value/],
  [{ group_by: "receiver" }, "group_by", /must be sender or args/],
  [{ operator: "absent" }, "operator", /cannot be absent with group_by/],
  [
    { all: [{ target_id: "own", operator: "gt", threshold: 1 }] },
    "group_by",
    /cannot be combined with all or any/,
  ],
])("a rule whose groups cannot be is refused: %j", async (wrong, field, message) => {
  const world = await freshWorld(h);
  const target_id = await world.watch(transfers);
  const condition = JSON.parse(
    JSON.stringify({ ...perAmount, ...wrong }).replaceAll('"own"', `"${target_id}"`),
  );
  const reply = await world.owner.client.post("/alerts", {
    target_id,
    severity: "info",
    record_only: true,
    condition,
  });
  expect(reply.status).toBe(422);
  expect(reply.body).toMatchObject({
    detail: [{ loc: ["body", "condition", field], msg: expect.stringMatching(message) }],
  });
});

test("a rule on state has no groups, and a rule with groups does not report missing data", async () => {
  const world = await freshWorld(h);
  const target_id = await world.watch({ target_type: "native_balance" });
  const rule = { target_id, severity: "info", record_only: true };
  const condition = { operator: "lt", threshold: 1, group_by: "sender" };
  const state = await world.owner.client.post("/alerts", { ...rule, condition });
  expect(state.status).toBe(422);
  expect(state.text).toContain("native_balance reads state");
  const contract = await world.owner.client.post("/contracts", {
    chain: "local",
    address: tokenAddress.replace(/a3$/, "a4").toLowerCase(),
    selected_targets: [transfers],
  });
  const { id } = contract.body as { id: string };
  const [target] = (await world.owner.client.get(`/contracts/${id}/targets`)).body as { id: string }[];
  const missing = await world.owner.client.post("/alerts", {
    ...rule,
    target_id: target?.id,
    no_data: "alert",
    condition: perAmount,
  });
  expect(missing.text).toContain("must be ignore for a rule with groups or several conditions");
});
