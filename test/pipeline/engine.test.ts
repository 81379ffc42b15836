import type { KyselyPlugin } from "kysely";
import { expect, test } from "vitest";
import type { Chain } from "../../src/chains/chain.ts";
import { chainOf } from "../../src/chains/index.ts";
import { initialState } from "../../src/pipeline/evaluate/rule-state.ts";
import { loadEngineState } from "../../src/pipeline/watch/load-state.ts";
import { ruleKey } from "../../src/pipeline/watch/rule-groups.ts";
import { harness } from "../support/harness.ts";
import { txHash } from "./scripted-chain.ts";
import { atLeast, emits, freshWorld, transfers } from "./world.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });

test("'at least N' fires once, on the Nth event, with the transaction of that event", async () => {
  const world = await freshWorld(h);
  await world.rule(await world.watch(transfers), atLeast(3));
  await world.catchUp();
  world.chain.mine([emits(1)]);
  await world.catchUp();
  expect(await world.events()).toEqual([]);
  const [second, third, fourth] = [emits(1), emits(1), emits(1)];
  const block = world.chain.mine([second, third, fourth]);
  await world.catchUp();
  const [event, ...others] = await world.events();
  expect(others).toEqual([]);
  expect(event).toMatchObject({
    status: "firing",
    kind: "fired",
    value: 4,
    threshold: 3,
    block_number: block.height,
    block_hash: block.hash,
    tx_hash: txHash(third.id),
    finality: "pending",
    explanation: { reason: "first_breach", samples_in_window: 4, decoded: { name: "Transfer" } },
  });
  expect(await world.notices()).toMatchObject([{ kind: "fired" }]);
});

test("an event resolves when its window is empty, and the rule can fire again", async () => {
  const world = await freshWorld(h);
  await world.rule(await world.watch(transfers), atLeast(1));
  await world.catchUp();
  world.chain.mine([emits(1)]);
  await world.catchUp();
  for (let blocks = 0; blocks < 4; blocks++) world.chain.mine();
  await world.catchUp();
  expect((await world.events())[0]?.status).toBe("firing");
  const over = world.chain.mine();
  await world.catchUp();
  expect((await world.events())[0]).toMatchObject({
    status: "resolved",
    resolved_at: new Date(over.time * 1000).toISOString(),
  });
  world.chain.mine([emits(1)]);
  await world.catchUp();
  expect((await world.events()).map((event) => event.status)).toEqual(["firing", "resolved"]);
  expect((await world.notices()).map((notice) => notice.kind)).toEqual(["fired", "resolved", "fired"]);
});

test("a block that is processed twice creates no second event", async () => {
  const world = await freshWorld(h);
  await world.rule(await world.watch(transfers), atLeast(1));
  await world.catchUp();
  world.chain.mine([emits(1)]);
  await world.catchUp();
  await h.app.db
    .updateTable("chain_cursors")
    .set({ height: "100", hash: world.chain.branch()[0]?.hash ?? "" })
    .execute();
  await h.app.db.deleteFrom("chain_blocks").execute();
  await h.app.db.deleteFrom("rule_states").execute();
  await h.app.db.deleteFrom("samples").execute();
  await world.restart();
  await world.catchUp();
  expect(await world.events()).toHaveLength(1);
  expect(await world.notices()).toHaveLength(1);
});

test("a reorganisation that drops the transaction retracts the event and notifies people", async () => {
  const world = await freshWorld(h);
  await world.rule(await world.watch(transfers), atLeast(1));
  await world.catchUp();
  const base = world.chain.mine();
  await world.catchUp();
  world.chain.mine([emits(1)], { on: base });
  await world.catchUp();
  world.chain.mine([], { on: base, salt: 1 });
  world.chain.mine();
  expect(await world.catchUp()).toEqual(["rolled_back"]);
  expect(await world.events()).toMatchObject([{ status: "retracted", finality: "retracted" }]);
  expect((await world.notices()).map((notice) => notice.kind)).toEqual(["fired", "retracted"]);
});

test("a transaction that is on both branches is the same event and is not notified again", async () => {
  const world = await freshWorld(h);
  await world.rule(await world.watch(transfers), atLeast(1));
  await world.catchUp();
  const base = world.chain.mine();
  const tx = emits(5);
  world.chain.mine([tx], { on: base });
  await world.catchUp();
  const [before] = await world.events();
  world.chain.mine([], { on: base, salt: 2 });
  const block = world.chain.mine([tx]);
  await world.catchUp();
  const after = await world.events();
  expect(after).toMatchObject([{ id: before?.id, status: "firing", block_hash: block.hash }]);
  expect((await world.notices()).map((notice) => notice.kind)).toEqual(["fired"]);
});

test("a reorganisation while the engine was down is detected after its restart", async () => {
  const world = await freshWorld(h);
  await world.rule(await world.watch(transfers), atLeast(1));
  await world.catchUp();
  const base = world.chain.mine();
  world.chain.mine([emits(1)]);
  await world.catchUp();
  await world.restart();
  world.chain.mine([], { on: base, salt: 3 });
  world.chain.mine([emits(2)]);
  await world.catchUp();
  expect((await world.events()).map((event) => event.status)).toEqual(["firing", "retracted"]);
});

test("a shadow rule records events without notices", async () => {
  const world = await freshWorld(h);
  await world.rule(await world.watch(transfers), atLeast(1), { mode: "shadow" });
  await world.catchUp();
  world.chain.mine([emits(1)]);
  await world.catchUp();
  expect(await world.events()).toHaveLength(1);
  expect(await world.notices()).toEqual([]);
});

test("an event with confirmations is hidden until its block is deep enough, and for ever if that never happens", async () => {
  const world = await freshWorld(h);
  await world.rule(await world.watch(transfers), atLeast(1, 600), { confirmations: 2 });
  await world.catchUp();
  const base = world.chain.mine();
  world.chain.mine([emits(1)]);
  await world.catchUp();
  expect(await world.events()).toEqual([]);
  world.chain.mine([], { on: base, salt: 4 });
  world.chain.mine([emits(1)]);
  world.chain.mine();
  await world.catchUp();
  expect(await world.events()).toEqual([]);
  world.chain.mine();
  await world.catchUp();
  expect(await world.events()).toHaveLength(1);
  expect((await world.notices()).map((notice) => notice.kind)).toEqual(["fired"]);
});

test("a rule fires after for_seconds and resolves after resolve_after_seconds", async () => {
  const world = await freshWorld(h);
  const target = await world.watch(transfers);
  await world.rule(target, atLeast(1), { for_seconds: 24, resolve_after_seconds: 24 });
  await world.catchUp();
  world.chain.mine([emits(1)]);
  world.chain.mine([emits(1)]);
  await world.catchUp();
  expect(await world.events()).toEqual([]);
  world.chain.mine([emits(1)]);
  await world.catchUp();
  expect(await world.events()).toMatchObject([
    {
      status: "firing",
      explanation: { reason: "breached_for_long_enough", decoded: { name: "Transfer" } },
    },
  ]);
  for (let blocks = 0; blocks < 6; blocks++) world.chain.mine();
  await world.catchUp();
  expect((await world.events())[0]?.status).toBe("firing");
  world.chain.mine();
  await world.catchUp();
  expect((await world.events())[0]?.status).toBe("resolved");
});

test("a rule that is created while the chain is behind does not fire on blocks from before its creation", async () => {
  const now = Math.floor(h.clock.now().getTime() / 1000);
  const world = await freshWorld(h, now - 7_200);
  const target = await world.watch(transfers);
  await world.catchUp();
  world.chain.mine([emits(1)], { time: now - 3_600 });
  await world.rule(target, atLeast(1));
  const later = world.chain.mine([emits(1)], { time: now + 60 });
  await world.catchUp();
  expect(await world.events()).toMatchObject([{ block_number: later.height }]);
});

test("loading reads each series only as far back as its rules need", async () => {
  const world = await freshWorld(h);
  const other = "0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9";
  const [short, long] = [await world.watch(transfers), await world.watch(transfers, other)];
  await world.rule(short, atLeast(1, 60));
  await world.rule(long, atLeast(1, 86_400));
  await world.catchUp();
  for (let block = 0; block < 20; block++)
    world.chain.mine([emits(1), { ...emits(1), to: other }], { time: world.chain.tip.time + 3600 });
  await world.catchUp();
  const { engine } = await loadEngineState(h.app, chainOf("local") as Chain, world.chain.tip);
  const kept = [short, long].map((id) => {
    const series_id = engine.watchList.target(id)?.series_id ?? "";
    return engine.series(series_id).between(0, Number.POSITIVE_INFINITY).length;
  });
  expect(kept).toEqual([1, 20]);
});

test("a rule that is edited while the engine loads begins without the state of its former version", async () => {
  const world = await freshWorld(h);
  const rule = await world.rule(await world.watch(transfers), atLeast(1));
  await world.catchUp();
  world.chain.mine([emits(1)]);
  await world.catchUp();
  expect(await world.events()).toMatchObject([{ status: "firing" }]);
  const editing: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      const hasStates = result.rows.some((row) => row.rule_id === rule && "state" in row);
      if (hasStates) await world.owner.client.patch(`/alerts/${rule}`, { condition: atLeast(2) });
      return result;
    },
  };
  const app = { ...h.app, db: h.app.db.withPlugin(editing) };
  const { engine } = await loadEngineState(app, chainOf("local") as Chain, world.chain.tip);
  expect(engine.watchList.rule(rule)?.version).toBe(2);
  expect(engine.states.get(ruleKey(rule, undefined))).toEqual(initialState);
});

test("an event that fires again on another branch shows the block of that branch", async () => {
  const world = await freshWorld(h);
  const target = await world.watch(transfers);
  await world.rule(target, atLeast(1), { message_template: "{{ value }} transfers" });
  await world.catchUp();
  const base = world.chain.tip;
  const shared = emits(1);
  world.chain.mine([shared]);
  await world.catchUp();
  const [before] = await world.events();
  expect(before).toMatchObject({ value: 1, message: "1 transfers", explanation: { samples_in_window: 1 } });
  world.chain.mine([shared, emits(2), emits(3)], { on: base, salt: 1 });
  world.chain.mine();
  await world.catchUp();
  expect(await world.events()).toMatchObject([
    { id: before?.id, value: 3, message: "3 transfers", explanation: { samples_in_window: 3 } },
  ]);
});

test("state is read at the org's interval and evaluated", async () => {
  const world = await freshWorld(h);
  world.chain.balance = 10n ** 18n;
  await world.rule(await world.watch({ target_type: "native_balance" }), { operator: "lt", threshold: 1 });
  await world.catchUp();
  world.chain.mine();
  await world.catchUp();
  expect(await world.events()).toEqual([]);
  world.chain.balance = 10n ** 17n;
  world.chain.mine();
  world.chain.mine();
  await world.catchUp();
  expect(await world.events()).toMatchObject([{ value: 0.1, unit: "ETH" }]);
});

test("creating or disabling a rule takes effect at the next block", async () => {
  const world = await freshWorld(h);
  const target = await world.watch(transfers);
  await world.catchUp();
  world.chain.mine([emits(1)]);
  await world.catchUp();
  const rule = await world.rule(target, atLeast(1));
  world.chain.mine([emits(1)]);
  await world.catchUp();
  expect(await world.events()).toHaveLength(1);
  await world.owner.client.patch(`/alerts/${rule}`, { is_enabled: false });
  for (let blocks = 0; blocks < 10; blocks++) world.chain.mine();
  world.chain.mine([emits(1)]);
  await world.catchUp();
  expect(await world.events()).toHaveLength(1);
});
