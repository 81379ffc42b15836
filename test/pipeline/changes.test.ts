import { expect, test } from "vitest";
import type { EnginePoint } from "../../src/faults.ts";
import { emits, makeWorld, transferSignature } from "./world.ts";

/** What happens in the middle of the engine's next step, once. */
let meanwhile: { at: EnginePoint; act(): Promise<unknown> } | undefined;
const world = await makeWorld({
  faults: {
    async hit(point) {
      if (meanwhile?.at !== point) return;
      const { act } = meanwhile;
      meanwhile = undefined;
      await act();
    },
  },
});
const { owner, chain } = world;
const atLeast = (threshold: number) => ({ operator: "gte", threshold, window_seconds: 600 });
const config = { event_signature: transferSignature };

/** Another token each time, so that tests do not see each other's. */
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

test("a rule that is changed while its block is being written keeps nothing of what it was", async () => {
  const address = token();
  const rule = await world.rule(
    await world.watch({ target_type: "event_frequency", config }, address),
    atLeast(1),
  );
  await world.settle();
  chain.mine([{ ...emits(5), to: address }]);
  const patch = () => owner.client.patch(`/alerts/${rule}`, { condition: atLeast(2) });
  meanwhile = { at: "engine.before_write", act: patch };
  await world.settle();
  expect(await statesOf(rule)).toEqual([]);
  expect(await eventsOf(rule)).toEqual([]);
  expect((await owner.client.get(`/alerts/${rule}`)).body).toMatchObject({ state: "ok" });
  // It goes on as what it is now.
  chain.mine([{ ...emits(5), to: address }]);
  await world.settle();
  expect(await eventsOf(rule)).toMatchObject([{ status: "firing", threshold: 2 }]);
});

test("a rule that somebody changes after its state was written waits, and then ends what it finds", async () => {
  const address = token();
  const rule = await world.rule(
    await world.watch({ target_type: "event_frequency", config }, address),
    atLeast(1),
  );
  await world.settle();
  chain.mine([{ ...emits(5), to: address }]);
  let patched: Promise<unknown> = Promise.resolve();
  const patch = async () => {
    patched = owner.client.patch(`/alerts/${rule}`, { is_enabled: false });
  };
  meanwhile = { at: "engine.before_commit", act: patch };
  await world.settle();
  await patched;
  expect(await statesOf(rule)).toEqual([]);
  expect(await eventsOf(rule)).toMatchObject([{ status: "resolved" }]);
  await owner.client.patch(`/alerts/${rule}`, { is_enabled: true });
  await world.restart();
  chain.mine();
  await world.settle();
  expect(await eventsOf(rule)).toHaveLength(1);
});

test("a rule that is deleted while its block is being written raises nothing", async () => {
  const address = token();
  const rule = await world.rule(
    await world.watch({ target_type: "event_frequency", config }, address),
    atLeast(1),
  );
  await world.settle();
  chain.mine([{ ...emits(5), to: address }]);
  meanwhile = { at: "engine.before_write", act: () => owner.client.delete(`/alerts/${rule}`) };
  await world.settle();
  const events = await world.h.app.db
    .selectFrom("alert_events")
    .selectAll()
    .where("rule_id", "=", rule)
    .execute();
  expect(events).toEqual([]);
});

test("a target that comes to measure something else begins a series of its own, also in the middle of a block", async () => {
  const address = token();
  const target = await world.watch({ target_type: "event_frequency", config }, address);
  const rule = await world.rule(target, atLeast(2));
  await world.settle();
  chain.mine([{ ...emits(5), to: address }]);
  const narrowed = { ...config, filter: "value >= 10" };
  const patch = () => owner.client.patch(`/targets/${target}`, { config: narrowed });
  meanwhile = { at: "engine.before_write", act: patch };
  await world.settle();
  const shown = (await owner.client.get(`/contracts/${await contractOf(rule)}/targets`)).body;
  expect(shown).toMatchObject([
    { config: narrowed, status: "no_data", last_value: null, last_value_at: null },
  ]);
  // One that counts now and one that counted before make one.
  chain.mine([{ ...emits(20), to: address }]);
  await world.settle();
  expect(await eventsOf(rule)).toEqual([]);
  await world.restart();
  chain.mine([{ ...emits(30), to: address }]);
  await world.settle();
  expect(await eventsOf(rule)).toMatchObject([{ value: 2 }]);
});

test("saying a target's config again changes nothing", async () => {
  const address = token();
  const target = await world.watch({ target_type: "event_frequency", config }, address);
  const rule = await world.rule(target, atLeast(1));
  await world.settle();
  chain.mine([{ ...emits(5), to: address }]);
  await world.settle();
  await owner.client.patch(`/targets/${target}`, { config, name: "Transfers of the token" });
  chain.mine();
  await world.settle();
  expect(await eventsOf(rule)).toMatchObject([{ status: "firing" }]);
});

async function contractOf(rule_id: string): Promise<string> {
  return ((await owner.client.get(`/alerts/${rule_id}`)).body as { contract_id: string }).contract_id;
}
