import { expect, test } from "vitest";
import { harness } from "../support/harness.ts";
import { emits, freshWorld, transfers } from "./world.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });

test("an absent rule fires after a whole window without events", async () => {
  const world = await freshWorld(h);
  const target = await world.watch(transfers);
  await world.rule(target, { operator: "absent", window_seconds: 60 });
  const now = Math.ceil(h.clock.now().getTime() / 1000);
  await world.catchUp();
  world.chain.mine([emits(1)], { time: now });
  for (let blocks = 1; blocks < 5; blocks++) world.chain.mine([], { time: now + blocks * 12 });
  await world.catchUp();
  expect(await world.events()).toEqual([]);
  world.chain.mine([], { time: now + 60 });
  await world.catchUp();
  expect(await world.events()).toMatchObject([{ status: "firing", operator: "absent" }]);
  world.chain.mine([emits(1)], { time: now + 72 });
  await world.catchUp();
  expect((await world.events())[0]?.status).toBe("resolved");
});

test.each([
  { on: "a low value", condition: { operator: "lt", threshold: 1 } },
  { on: "a high maximum", condition: { operator: "gt", threshold: 100, aggregation: "max" } },
])("a target without data fires a rule on $on with no_data: alert", async ({ condition }) => {
  const world = await freshWorld(h);
  const target = await world.watch({ target_type: "native_balance" });
  await world.rule(target, { ...condition, window_seconds: 60 }, { no_data: "alert" });
  const now = Math.ceil(h.clock.now().getTime() / 1000);
  world.chain.balance = 10n ** 19n;
  await world.catchUp();
  world.chain.mine([], { time: now });
  await world.catchUp();
  world.chain.failure = "the node is away";
  for (let blocks = 1; blocks < 6; blocks++) world.chain.mine([], { time: now + blocks * 12 });
  await world.catchUp();
  expect(await world.events()).toMatchObject([{ kind: "no_data", status: "firing", value: null }]);
  world.chain.failure = undefined;
  world.chain.mine([], { time: now + 100 });
  await world.catchUp();
  expect(await world.events()).toMatchObject([{ kind: "no_data", status: "resolved" }]);
});

test("data is not missing between two readings, however short the window of a rule is", async () => {
  const world = await freshWorld(h);
  const target = await world.watch({ target_type: "native_balance" });
  const low = { operator: "lt", threshold: 1, window_seconds: 60 };
  await world.rule(target, low, { no_data: "alert" });
  await world.rule(target, { operator: "absent", window_seconds: 60 });
  await world.owner.client.patch(`/orgs/${world.owner.org_id}/settings`, { polling_interval_seconds: 300 });
  const now = Math.ceil(h.clock.now().getTime() / 1000);
  world.chain.balance = 10n ** 19n;
  await world.catchUp();
  for (let seconds = 0; seconds <= 3_600; seconds += 30) {
    world.chain.mine([], { time: now + seconds });
    if (seconds % 600 === 0) await world.catchUp();
  }
  expect(await world.events()).toEqual([]);
  world.chain.failure = "the node is away";
  for (let seconds = 3_630; seconds <= 4_500; seconds += 30) world.chain.mine([], { time: now + seconds });
  await world.catchUp();
  expect((await world.events()).map(({ kind }) => kind).sort()).toEqual(["fired", "no_data"]);
});

test("a breach after missing data is a separate event and is notified despite the cooldown", async () => {
  const world = await freshWorld(h);
  const target = await world.watch({ target_type: "native_balance" });
  const more = { no_data: "alert", cooldown_seconds: 3600, notify_on_resolve: false };
  await world.rule(target, { operator: "lt", threshold: 1, window_seconds: 60 }, more);
  const now = Math.ceil(h.clock.now().getTime() / 1000);
  world.chain.balance = 10n ** 19n;
  world.chain.failure = "the node is away";
  await world.catchUp();
  for (let blocks = 0; blocks < 8; blocks++) world.chain.mine([], { time: now + blocks * 12 });
  await world.catchUp();
  expect(await world.events()).toMatchObject([{ kind: "no_data", status: "firing" }]);
  world.chain.failure = undefined;
  world.chain.balance = 0n;
  const breach = world.chain.mine([], { time: now + 120 });
  await world.catchUp();
  const at = new Date(breach.time * 1000).toISOString();
  expect(await world.events()).toMatchObject([
    { kind: "fired", status: "firing", value: 0, fired_at: at },
    { kind: "no_data", status: "resolved", resolved_at: at },
  ]);
  const notified = (await world.notices()).map(({ kind, event_id }) => [kind, event_id]);
  const [fired, silent] = await world.events();
  expect(notified).toEqual([
    ["fired", silent?.id],
    ["fired", fired?.id],
  ]);
  // Missing data does not resolve the episode, and the cooldown suppresses the next notice.
  world.chain.failure = "the node is away";
  for (let blocks = 0; blocks < 8; blocks++) world.chain.mine();
  await world.catchUp();
  expect((await world.events())[0]).toMatchObject({ kind: "fired", status: "firing" });
});

test("a breach after missing data waits for for_seconds before it is notified", async () => {
  const world = await freshWorld(h);
  const target = await world.watch({ target_type: "native_balance" });
  const more = { no_data: "alert", for_seconds: 36 };
  await world.rule(target, { operator: "lt", threshold: 1, window_seconds: 60 }, more);
  const now = Math.ceil(h.clock.now().getTime() / 1000);
  world.chain.failure = "the node is away";
  await world.catchUp();
  for (let blocks = 0; blocks < 12; blocks++) world.chain.mine([], { time: now + blocks * 12 });
  await world.catchUp();
  expect(await world.events()).toMatchObject([{ kind: "no_data", status: "firing" }]);
  world.chain.failure = undefined;
  const back = world.chain.mine([], { time: now + 180 });
  world.chain.mine();
  await world.catchUp();
  expect(await world.events()).toMatchObject([{ kind: "no_data", status: "resolved" }]);
  for (let blocks = 0; blocks < 3; blocks++) world.chain.mine();
  await world.catchUp();
  expect(await world.events()).toMatchObject([
    { kind: "fired", status: "firing", fired_at: new Date((back.time + 36) * 1000).toISOString() },
    { kind: "no_data", status: "resolved" },
  ]);
});
