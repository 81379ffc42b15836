import { expect, test } from "vitest";
import { harness } from "../../support/harness.ts";
import { atLeast, emits, transferSignature, transfers } from "../world.ts";
import { amounts, contractPath, high, makeFollowSteps, statuses } from "./follow-steps.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });
const { samples, watching } = makeFollowSteps(h);

test("a paused contract is not measured until it is resumed", async () => {
  const { world } = await watching();
  const path = await contractPath(world);
  await world.owner.client.post(`${path}/pause`);
  world.chain.mine([emits(1)]);
  await world.catchUp();
  expect(await samples()).toEqual([]);
  await world.owner.client.post(`${path}/resume`);
  const block = world.chain.mine([emits(1)]);
  await world.catchUp();
  expect(await samples()).toEqual([[block.height, 1]]);
  expect(await statuses(world)).toEqual(["firing"]);
});

test("what was counted before a pause counts in the window after it, and what happened during it does not", async () => {
  const { world } = await watching(transfers, atLeast(3, 600));
  const path = await contractPath(world);
  for (const _ of [1, 2]) world.chain.mine([emits(1)]);
  await world.catchUp();
  await world.owner.client.post(`${path}/pause`);
  world.chain.mine([emits(1)]);
  await world.catchUp();
  await world.owner.client.post(`${path}/resume`);
  world.chain.mine();
  await world.catchUp();
  expect(await statuses(world)).toEqual([]);
  world.chain.mine([emits(1)]);
  await world.catchUp();
  expect(await statuses(world)).toEqual(["firing"]);
});

test("a firing rule of a paused contract is evaluated at the first block after the resumption", async () => {
  const { world } = await watching(transfers, atLeast(1, 60));
  const path = await contractPath(world);
  world.chain.mine([emits(1)]);
  await world.catchUp();
  await world.owner.client.post(`${path}/pause`);
  for (let blocks = 0; blocks < 10; blocks++) world.chain.mine();
  await world.catchUp();
  await world.owner.client.post(`${path}/resume`);
  await world.catchUp();
  world.chain.mine();
  await world.catchUp();
  expect(await statuses(world)).toEqual(["resolved"]);
});

test("a deleted contract is not measured, and its history is kept", async () => {
  const { world } = await watching();
  world.chain.mine([emits(1)]);
  await world.catchUp();
  await world.owner.client.delete(await contractPath(world));
  world.chain.mine([emits(1)]);
  for (let blocks = 0; blocks < 10; blocks++) world.chain.mine();
  await world.catchUp();
  expect(await world.events()).toHaveLength(1);
  expect(await samples()).toHaveLength(1);
});

test("a rule that is changed while firing starts from its initial state at the next block", async () => {
  const { world, rule } = await watching(transfers, atLeast(1, 600));
  world.chain.mine([emits(1)]);
  await world.catchUp();
  await world.owner.client.patch(`/alerts/${rule}`, { condition: atLeast(2, 600) });
  world.chain.mine();
  await world.catchUp();
  expect(await statuses(world)).toEqual(["resolved"]);
  world.chain.mine([emits(1)]);
  await world.catchUp();
  expect(await world.events()).toMatchObject([
    { status: "firing", threshold: 2, value: 2 },
    { status: "resolved", threshold: 1 },
  ]);
  await world.owner.client.patch(`/alerts/${rule}`, { condition: atLeast(3, 600) });
  world.chain.mine([emits(1)]);
  await world.catchUp();
  expect((await world.events()).map(({ status, threshold }) => [status, threshold])).toEqual([
    ["firing", 3],
    ["resolved", 2],
    ["resolved", 1],
  ]);
});

test("a rule with a changed match does not count earlier matches", async () => {
  const from = (least: number) => ({
    ...atLeast(2, 600),
    match: { events: [{ signature: transferSignature, expression: `value >= ${least}` }] },
  });
  const { world, rule } = await watching(transfers, from(1));
  world.chain.mine([emits(5)]);
  await world.catchUp();
  await world.owner.client.patch(`/alerts/${rule}`, { condition: from(100) });
  world.chain.mine([emits(100)]);
  await world.catchUp();
  expect(await world.events()).toEqual([]);
  await world.restart();
  world.chain.mine([emits(100)]);
  await world.catchUp();
  expect(await world.events()).toMatchObject([{ value: 2 }]);
});

test("a rule that is changed to absent counts the silence before the change", async () => {
  const { world, rule } = await watching();
  const created = Math.ceil(h.clock.now().getTime() / 1000);
  world.chain.mine([], { time: created + 600 });
  await world.catchUp();
  await world.owner.client.patch(`/alerts/${rule}`, {
    condition: { operator: "absent", window_seconds: 60 },
  });
  await world.catchUp();
  world.chain.mine([], { time: created + 612 });
  await world.catchUp();
  expect(await world.events()).toMatchObject([{ operator: "absent", status: "firing" }]);
});

test("a changed target is measured with its new config from the next block on", async () => {
  const { world, target_id } = await watching(amounts, { ...high, threshold: 1 });
  world.chain.mine([emits(1)]);
  await world.catchUp();
  expect(await statuses(world)).toEqual([]);
  const config = { event_signature: transferSignature, arg: "value", decimals: 2 };
  await world.owner.client.patch(`/targets/${target_id}`, { config });
  world.chain.mine([emits(150)]);
  await world.catchUp();
  expect(await world.events()).toMatchObject([{ value: 1.5 }]);
});

test("a firing rule keeps its episode and timers after a restart", async () => {
  const { world } = await watching(transfers, atLeast(1), {
    renotify_seconds: 60,
    resolve_after_seconds: 24,
  });
  const first = world.chain.mine([emits(1)]);
  await world.catchUp();
  for (let blocks = 0; blocks < 5; blocks++) {
    world.chain.mine([emits(1)]);
    await world.restart();
    await world.catchUp();
  }
  expect((await world.notices()).map((notice) => notice.kind)).toEqual(["fired", "renotified"]);
  for (let blocks = 0; blocks < 7; blocks++) {
    world.chain.mine();
    await world.restart();
    await world.catchUp();
  }
  const resolved_at = new Date((first.time + 60 + 84) * 1000).toISOString();
  expect(await world.events()).toMatchObject([{ status: "resolved", resolved_at }]);
});

test("a changed rule keeps its previous value after a restart", async () => {
  const { world } = await watching(amounts, { operator: "change_pct_gt", threshold: 50, window_seconds: 60 });
  world.chain.mine([emits(100)]);
  world.chain.mine([], { time: world.chain.tip.time + 5_000 });
  world.chain.mine([emits(140)]);
  await world.catchUp();
  await world.restart();
  world.chain.mine([emits(160)]);
  await world.catchUp();
  expect(await world.events()).toMatchObject([{ value: 60 }]);
});

test("an alert after a restart names the reading before it, however old that is", async () => {
  const { world } = await watching(amounts, { operator: "changed", aggregation: "each" });
  const before = world.chain.mine([emits(100)]);
  await world.catchUp();
  world.chain.mine([], { time: world.chain.tip.time + 90_000 });
  await world.catchUp();
  await world.restart();
  world.chain.mine([emits(160)]);
  await world.catchUp();
  expect(await world.events()).toMatchObject([
    { value: 160, explanation: { previous: { value: 100, time: before.time } } },
  ]);
});

test("an engine creates a partition again that was dropped", async () => {
  const { world } = await watching();
  world.chain.mine([emits(1)]);
  await world.catchUp();
  await h.runJobs();
  world.chain.mine([emits(1)]);
  await world.catchUp().catch(() => undefined);
  await world.catchUp();
  expect(await samples()).toEqual([[102, 1]]);
});
