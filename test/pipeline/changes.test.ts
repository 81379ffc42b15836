import { expect, test } from "vitest";
import type { EnginePoint } from "../../src/faults.ts";
import { emits, makeWorld, transferSignature } from "./world.ts";

/** Runs once in the middle of the engine's next step. */
let interruption: { at: EnginePoint; act(): Promise<unknown> } | undefined;
const world = await makeWorld({
  faults: {
    async hit(point) {
      if (interruption?.at !== point) return;
      const { act } = interruption;
      interruption = undefined;
      await act();
    },
  },
});
const { owner, chain } = world;
const atLeast = (threshold: number) => ({ operator: "gte", threshold, window_seconds: 600 });
const config = { event_signature: transferSignature };

/** A new token per test, so that tests are independent. */
let nextToken = 0x1000;
function token(): string {
  return `0x${(nextToken++).toString(16).padStart(40, "0")}`;
}

async function statesOf(rule_id: string): Promise<unknown[]> {
  return world.h.app.db.selectFrom("rule_states").selectAll().where("rule_id", "=", rule_id).execute();
}

async function eventsOf(rule_id: string) {
  return (await world.events()).filter((event) => event.rule_id === rule_id);
}

test("a rule that is changed during a commit keeps nothing that its old version found", async () => {
  const address = token();
  const rule = await world.rule(
    await world.watch({ target_type: "event_frequency", config }, address),
    atLeast(1),
  );
  await world.catchUp();
  chain.mine([{ ...emits(5), to: address }]);
  const patch = () => owner.client.patch(`/alerts/${rule}`, { condition: atLeast(2) });
  interruption = { at: "engine.before_write", act: patch };
  await world.catchUp();
  expect(await statesOf(rule)).toEqual([]);
  expect(await eventsOf(rule)).toEqual([]);
  expect((await owner.client.get(`/alerts/${rule}`)).body).toMatchObject({ state: "ok" });
  // It continues with the new version.
  chain.mine([{ ...emits(5), to: address }]);
  await world.catchUp();
  expect(await eventsOf(rule)).toMatchObject([{ status: "firing", threshold: 2 }]);
});

test("changing a rule waits for the commit of its state, and then resolves its open event", async () => {
  const address = token();
  const rule = await world.rule(
    await world.watch({ target_type: "event_frequency", config }, address),
    atLeast(1),
  );
  await world.catchUp();
  chain.mine([{ ...emits(5), to: address }]);
  let patched: Promise<unknown> = Promise.resolve();
  const patch = async () => {
    patched = owner.client.patch(`/alerts/${rule}`, { is_enabled: false });
  };
  interruption = { at: "engine.before_commit", act: patch };
  await world.catchUp();
  await patched;
  expect(await statesOf(rule)).toEqual([]);
  expect(await eventsOf(rule)).toMatchObject([{ status: "resolved" }]);
  await owner.client.patch(`/alerts/${rule}`, { is_enabled: true });
  await world.restart();
  chain.mine();
  await world.catchUp();
  expect(await eventsOf(rule)).toHaveLength(1);
});

test("a rule that is deleted during a commit fires no event", async () => {
  const address = token();
  const rule = await world.rule(
    await world.watch({ target_type: "event_frequency", config }, address),
    atLeast(1),
  );
  await world.catchUp();
  chain.mine([{ ...emits(5), to: address }]);
  interruption = { at: "engine.before_write", act: () => owner.client.delete(`/alerts/${rule}`) };
  await world.catchUp();
  const events = await world.h.app.db
    .selectFrom("alert_events")
    .selectAll()
    .where("rule_id", "=", rule)
    .execute();
  expect(events).toEqual([]);
});

test("a target whose config changes starts a new series, even during a commit", async () => {
  const address = token();
  const target = await world.watch({ target_type: "event_frequency", config }, address);
  const rule = await world.rule(target, atLeast(2));
  await world.catchUp();
  chain.mine([{ ...emits(5), to: address }]);
  const narrowed = { ...config, filter: "value >= 10" };
  const patch = () => owner.client.patch(`/targets/${target}`, { config: narrowed });
  interruption = { at: "engine.before_write", act: patch };
  await world.catchUp();
  const shown = (await owner.client.get(`/contracts/${await contractOf(rule)}/targets`)).body;
  expect(shown).toMatchObject([
    { config: narrowed, status: "no_data", last_value: null, last_value_at: null },
  ]);
  // One sample in the new series and one in the old make one in the current series.
  chain.mine([{ ...emits(20), to: address }]);
  await world.catchUp();
  expect(await eventsOf(rule)).toEqual([]);
  await world.restart();
  chain.mine([{ ...emits(30), to: address }]);
  await world.catchUp();
  expect(await eventsOf(rule)).toMatchObject([{ value: 2 }]);
});

test("saving an unchanged target config changes nothing", async () => {
  const address = token();
  const target = await world.watch({ target_type: "event_frequency", config }, address);
  const rule = await world.rule(target, atLeast(1));
  await world.catchUp();
  chain.mine([{ ...emits(5), to: address }]);
  await world.catchUp();
  await owner.client.patch(`/targets/${target}`, { config, name: "Transfers of the token" });
  chain.mine();
  await world.catchUp();
  expect(await eventsOf(rule)).toMatchObject([{ status: "firing" }]);
});

async function contractOf(rule_id: string): Promise<string> {
  return ((await owner.client.get(`/alerts/${rule_id}`)).body as { contract_id: string }).contract_id;
}

test("a rule that is changed while an upgrade of its contract is applied does not continue with the state of its old version", async () => {
  const address = token();
  const target = await world.watch({ target_type: "event_frequency", config }, address);
  const rule = await world.rule(target, atLeast(1), { for_seconds: 30 });
  await world.catchUp();
  const { time } = chain.mine([{ ...emits(5), to: address }]);
  await world.catchUp();
  chain.mine([{ ...emits(), to: address, upgradesTo: token() }], { time: time + 12 });
  chain.mine([], { time: time + 40 });
  const blocks = chain.blocks.bind(chain);
  // The engine has read the changes of rules by then. It reads the contract once more for the upgrade.
  chain.blocks = async (from, to) => {
    chain.blocks = blocks;
    await owner.client.patch(`/alerts/${rule}`, { condition: { ...atLeast(1), window_seconds: 500 } });
    return blocks(from, to);
  };
  await world.catchUp();
  expect(await eventsOf(rule)).toEqual([]);
  chain.mine([{ ...emits(5), to: address }], { time: time + 50 });
  chain.mine([], { time: time + 79 });
  await world.catchUp();
  expect(await eventsOf(rule)).toEqual([]);
  chain.mine([], { time: time + 80 });
  await world.catchUp();
  expect(await eventsOf(rule)).toMatchObject([{ status: "firing", window_seconds: 500 }]);
});

test("a rollback does not reopen the event of a rule that was changed since", async () => {
  const address = token();
  const condition = { ...atLeast(1), window_seconds: 60 };
  const rule = await world.rule(
    await world.watch({ target_type: "event_frequency", config }, address),
    condition,
  );
  await world.catchUp();
  const fired = chain.mine([{ ...emits(5), to: address }]);
  chain.mine([], { time: fired.time + 61 });
  await world.catchUp();
  expect(await eventsOf(rule)).toMatchObject([{ status: "resolved" }]);
  await owner.client.patch(`/alerts/${rule}`, { condition: atLeast(9) });
  chain.mine([], { on: fired, salt: 1 });
  chain.mine();
  await world.catchUp();
  expect(await eventsOf(rule)).toMatchObject([{ status: "resolved" }]);
});

test("a held event whose rule is deleted is released with its end", async () => {
  const address = token();
  const target = await world.watch({ target_type: "event_frequency", config }, address);
  const rule = await world.rule(target, atLeast(1), { confirmations: 3 });
  await world.catchUp();
  chain.mine([{ ...emits(5), to: address }]);
  await world.catchUp();
  await owner.client.delete(`/alerts/${rule}`);
  for (let blocks = 0; blocks < 3; blocks++) chain.mine();
  await world.catchUp();
  const [event] = await eventsOf(rule);
  const kinds = (await world.notices())
    .filter(({ event_id }) => event_id === event?.id)
    .map(({ kind }) => kind);
  expect(kinds.sort()).toEqual(["fired", "resolved"]);
});
