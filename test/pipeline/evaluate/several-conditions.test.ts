import { expect, test } from "vitest";
import { harness } from "../../support/harness.ts";
import { emits, freshWorld, transferSignature, type World } from "../world.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });
const transfers = { target_type: "event_frequency", config: { event_signature: transferSignature } };
const oneEther = 10n ** 18n;

/** A contract with a target that counts transfers and one that reads its balance. */
async function worldWithTargets(startedAt?: number) {
  const world = await freshWorld(h, startedAt);
  const { client } = world.owner;
  const transfersId = await world.watch(transfers);
  const contracts = (await client.get("/contracts")).body as { id: string }[];
  const contract_id = contracts[0]?.id;
  const balance = await client.post(`/contracts/${contract_id}/targets`, { target_type: "native_balance" });
  return { ...world, contract_id, transfersId, balanceId: (balance.body as { id: string }).id };
}

const busy = { operator: "gte", threshold: 2, aggregation: "count", window_seconds: 60 };
const low = (target_id: string) => ({ target_id, operator: "lt", threshold: 5 });
const statusesOf = async (world: Pick<World, "events">) =>
  (await world.events()).toReversed().map(({ status }) => status);

/** Mines a block with a balance, after which the previous transfers are out of the window. */
function mineWith(world: Pick<World, "chain">, balance: bigint, ...amounts: number[]) {
  world.chain.balance = balance * oneEther;
  world.chain.mine(amounts.length > 0 ? [emits(...amounts)] : [], { time: world.chain.tip.time + 60 });
}

test("a rule with all fires while every condition holds, and its explanation has each clause", async () => {
  const world = await worldWithTargets();
  await world.rule(world.transfersId, { ...busy, all: [low(world.balanceId)] });
  mineWith(world, 9n, 1, 2);
  await world.catchUp();
  expect(await statusesOf(world)).toEqual([]);
  mineWith(world, 4n, 3, 4);
  await world.catchUp();
  const [event] = await world.events();
  expect(event).toMatchObject({ status: "firing", value: 2, tx_hash: expect.any(String) });
  expect(event?.explanation).toMatchObject({
    clause:
      "event_frequency: count over 60 s is 2: at least 2; and native_balance: last over 300 s is 4: below 5",
    conditions: [
      { target_id: world.transfersId, target_type: "event_frequency", value: 2, holds: true },
      { target_id: world.balanceId, target_type: "native_balance", value: 4, holds: true },
    ],
  });
  expect(event?.message).toContain("combines 2 conditions (all)");
  mineWith(world, 4n);
  await world.catchUp();
  expect(await statusesOf(world)).toEqual(["resolved"]);
});

test("a rule with any fires when one condition holds, also that of another target", async () => {
  const world = await worldWithTargets();
  await world.rule(world.transfersId, { ...busy, any: [low(world.balanceId)] });
  mineWith(world, 9n, 1);
  await world.catchUp();
  expect(await statusesOf(world)).toEqual([]);
  mineWith(world, 4n);
  await world.catchUp();
  expect(await statusesOf(world)).toEqual(["firing"]);
  await world.restart();
  mineWith(world, 9n);
  await world.catchUp();
  expect(await statusesOf(world)).toEqual(["resolved"]);
});

test("an occurrence counts only while the other conditions hold, and its explanation has each clause", async () => {
  const world = await worldWithTargets();
  const each = { operator: "gte", threshold: 1, aggregation: "each" };
  await world.rule(world.transfersId, { ...each, all: [low(world.balanceId)] });
  mineWith(world, 9n);
  await world.catchUp();
  world.chain.mine([emits(1)]);
  await world.catchUp();
  mineWith(world, 4n);
  await world.catchUp();
  world.chain.mine([emits(2, 3)]);
  await world.catchUp();
  const events = await world.events();
  const transferred = events.map(({ explanation }) => explanation.decoded);
  expect(transferred).toHaveLength(2);
  expect(events[0]?.explanation).toMatchObject({
    clause: "event_frequency: value is 1: at least 1; and native_balance: last over 300 s is 4: below 5",
    conditions: [
      { target_id: world.transfersId, target_type: "event_frequency", value: 1, holds: true },
      { target_id: world.balanceId, target_type: "native_balance", value: 4, holds: true },
    ],
  });
  expect(events[0]?.message).toContain("combines 2 conditions (all)");
  expect(JSON.stringify(transferred)).not.toContain('"value":"1"');
});

test("a back-test of several conditions finds what the engine found", async () => {
  const world = await worldWithTargets(Math.floor(h.clock.now().getTime() / 1000) - 7200);
  const condition = { ...busy, all: [low(world.balanceId)] };
  await world.rule(world.transfersId, condition);
  const from = new Date(world.chain.tip.time * 1000).toISOString();
  for (const balance of [9n, 4n, 3n, 8n, 2n]) {
    mineWith(world, balance, 1, 2);
    await world.catchUp();
  }
  mineWith(world, 9n);
  await world.catchUp();
  const to = new Date((world.chain.tip.time + 1) * 1000).toISOString();
  const reply = await world.owner.client.post("/alerts/backtest", {
    target_id: world.transfersId,
    condition,
    ...{ from, to },
  });
  const events = (await world.events()).toReversed();
  expect(events.length).toBeGreaterThan(1);
  expect(reply.body).toMatchObject({
    episodes: events.map(({ fired_at, resolved_at }) => ({ fired_at, resolved_at })),
  });
});

test("configuration names the targets of conditions, and a second apply changes nothing", async () => {
  const world = await worldWithTargets();
  const { client } = world.owner;
  await world.rule(world.transfersId, { ...busy, any: [low(world.balanceId)] });
  const document = (await client.get("/config")).body as { contracts: { targets: { rules: object[] }[] }[] };
  const rules = document.contracts.flatMap(({ targets }) => targets.flatMap((target) => target.rules));
  expect(rules).toMatchObject([{ condition: { any: [{ target: "Native balance", operator: "lt" }] } }]);
  const same = await client.post("/config/apply", document);
  expect(same.body).toMatchObject({ changes: [], errors: [] });
  const renamed = JSON.parse(
    JSON.stringify(document).replace('"target":"Native balance"', '"target":"Balance"'),
  );
  const wrong = await client.post("/config/apply", renamed);
  expect(wrong.text).toContain("is not a target of the contract; its targets are");
});

test.each([
  [
    "all",
    { target_id: "00000000-0000-7000-8000-000000000000" },
    "target_id",
    /not a target of the same contract/,
  ],
  ["all", { aggregation: "each" }, "aggregation", /cannot be each/],
  ["any", { operator: "between" }, "threshold_high", /is required/],
])("an impossible further condition is rejected: %s %j", async (mode, wrong, field, message) => {
  const world = await worldWithTargets();
  const reply = await world.owner.client.post("/alerts", {
    target_id: world.transfersId,
    severity: "info",
    record_only: true,
    condition: { ...busy, [mode]: [{ ...low(world.balanceId), ...wrong }] },
  });
  expect(reply.status).toBe(422);
  expect(reply.body).toMatchObject({
    detail: [{ loc: ["body", "condition", mode, 0, field], msg: expect.stringMatching(message) }],
  });
});

test("a target that a condition of another rule needs cannot be deleted", async () => {
  const world = await worldWithTargets();
  await world.rule(world.transfersId, { ...busy, all: [low(world.balanceId)] });
  const reply = await world.owner.client.delete(`/targets/${world.balanceId}`);
  expect(reply.body).toMatchObject({ code: "target_in_use" });
  expect(reply.status).toBe(409);
  const disabled = await world.owner.client.patch(`/targets/${world.balanceId}`, { is_enabled: false });
  expect(disabled.text).toContain("cannot be disabled");
});
