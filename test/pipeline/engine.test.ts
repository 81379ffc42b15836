import { expect, test } from "vitest";
import type { Chain } from "../../src/chains/chain.ts";
import { chainOf } from "../../src/chains/index.ts";
import { loadEngineState } from "../../src/pipeline/watch/load-state.ts";
import { harness } from "../harness.ts";
import { txHash } from "./scripted-chain.ts";
import { emits, freshWorld, transferSignature } from "./world.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });

const transfers = { target_type: "event_frequency", config: { event_signature: transferSignature } };
const atLeast = (threshold: number, window_seconds = 60) => ({ operator: "gte", threshold, window_seconds });

test("at least N in the window fires on the N-th, once, with the transaction that was it", async () => {
  const world = await freshWorld(h);
  await world.rule(await world.watch(transfers), atLeast(3));
  await world.settle();
  world.chain.mine([emits(1)]);
  await world.settle();
  expect(await world.events()).toEqual([]);
  const [second, third, fourth] = [emits(1), emits(1), emits(1)];
  const block = world.chain.mine([second, third, fourth]);
  await world.settle();
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

test("stays firing until the window is empty of it, then resolves and can fire again", async () => {
  const world = await freshWorld(h);
  await world.rule(await world.watch(transfers), atLeast(1));
  await world.settle();
  world.chain.mine([emits(1)]);
  await world.settle();
  for (let blocks = 0; blocks < 4; blocks++) world.chain.mine();
  await world.settle();
  expect((await world.events())[0]?.status).toBe("firing");
  const over = world.chain.mine();
  await world.settle();
  expect((await world.events())[0]).toMatchObject({
    status: "resolved",
    resolved_at: new Date(over.time * 1000).toISOString(),
  });
  world.chain.mine([emits(1)]);
  await world.settle();
  expect((await world.events()).map((event) => event.status)).toEqual(["firing", "resolved"]);
  expect((await world.notices()).map((notice) => notice.kind)).toEqual(["fired", "resolved", "fired"]);
});

test("a block done twice makes no second event", async () => {
  const world = await freshWorld(h);
  await world.rule(await world.watch(transfers), atLeast(1));
  await world.settle();
  world.chain.mine([emits(1)]);
  await world.settle();
  await h.app.db
    .updateTable("chain_cursors")
    .set({ height: "100", hash: world.chain.branch()[0]?.hash ?? "" })
    .execute();
  await h.app.db.deleteFrom("chain_blocks").execute();
  await h.app.db.deleteFrom("rule_states").execute();
  await h.app.db.deleteFrom("samples").execute();
  await world.restart();
  await world.settle();
  expect(await world.events()).toHaveLength(1);
  expect(await world.notices()).toHaveLength(1);
});

test("a reorganisation that drops the transaction retracts the event and calls the alarm off", async () => {
  const world = await freshWorld(h);
  await world.rule(await world.watch(transfers), atLeast(1));
  await world.settle();
  const base = world.chain.mine();
  await world.settle();
  world.chain.mine([emits(1)], { on: base });
  await world.settle();
  world.chain.mine([], { on: base, salt: 1 });
  world.chain.mine();
  expect(await world.settle()).toEqual(["rolled_back"]);
  expect(await world.events()).toMatchObject([{ status: "retracted", finality: "retracted" }]);
  expect((await world.notices()).map((notice) => notice.kind)).toEqual(["fired", "retracted"]);
});

test("a transaction that the other branch includes too is the same event, and nobody is told again", async () => {
  const world = await freshWorld(h);
  await world.rule(await world.watch(transfers), atLeast(1));
  await world.settle();
  const base = world.chain.mine();
  const tx = emits(5);
  world.chain.mine([tx], { on: base });
  await world.settle();
  const [before] = await world.events();
  world.chain.mine([], { on: base, salt: 2 });
  const block = world.chain.mine([tx]);
  await world.settle();
  const after = await world.events();
  expect(after).toMatchObject([{ id: before?.id, status: "firing", block_hash: block.hash }]);
  expect((await world.notices()).map((notice) => notice.kind)).toEqual(["fired"]);
});

test("a reorganisation while the engine was away is noticed when it comes back", async () => {
  const world = await freshWorld(h);
  await world.rule(await world.watch(transfers), atLeast(1));
  await world.settle();
  const base = world.chain.mine();
  world.chain.mine([emits(1)]);
  await world.settle();
  await world.restart();
  world.chain.mine([], { on: base, salt: 3 });
  world.chain.mine([emits(2)]);
  await world.settle();
  expect((await world.events()).map((event) => event.status)).toEqual(["firing", "retracted"]);
});

test("a shadow rule records and tells nobody", async () => {
  const world = await freshWorld(h);
  await world.rule(await world.watch(transfers), atLeast(1), { mode: "shadow" });
  await world.settle();
  world.chain.mine([emits(1)]);
  await world.settle();
  expect(await world.events()).toHaveLength(1);
  expect(await world.notices()).toEqual([]);
});

test("with confirmations nobody sees anything until the block is deep enough, nor if it never gets there", async () => {
  const world = await freshWorld(h);
  await world.rule(await world.watch(transfers), atLeast(1, 600), { confirmations: 2 });
  await world.settle();
  const base = world.chain.mine();
  world.chain.mine([emits(1)]);
  await world.settle();
  expect(await world.events()).toEqual([]);
  world.chain.mine([], { on: base, salt: 4 });
  world.chain.mine([emits(1)]);
  world.chain.mine();
  await world.settle();
  expect(await world.events()).toEqual([]);
  world.chain.mine();
  await world.settle();
  expect(await world.events()).toHaveLength(1);
  expect((await world.notices()).map((notice) => notice.kind)).toEqual(["fired"]);
});

test("waits as long as it was told to before it fires, and before it calls it over", async () => {
  const world = await freshWorld(h);
  const target = await world.watch(transfers);
  await world.rule(target, atLeast(1), { for_seconds: 24, resolve_after_seconds: 24 });
  await world.settle();
  world.chain.mine([emits(1)]);
  world.chain.mine([emits(1)]);
  await world.settle();
  expect(await world.events()).toEqual([]);
  world.chain.mine([emits(1)]);
  await world.settle();
  expect(await world.events()).toMatchObject([
    { status: "firing", explanation: { reason: "breached_for_long_enough" } },
  ]);
  for (let blocks = 0; blocks < 6; blocks++) world.chain.mine();
  await world.settle();
  expect((await world.events())[0]?.status).toBe("firing");
  world.chain.mine();
  await world.settle();
  expect((await world.events())[0]?.status).toBe("resolved");
});

test("a rule's match narrows what counts by events and their arguments", async () => {
  const world = await freshWorld(h);
  const target = await world.watch({ target_type: "tx_rate" });
  const match = { events: [{ signature: transferSignature, expression: "value >= 100" }] };
  await world.rule(target, { ...atLeast(1), match });
  await world.settle();
  world.chain.mine([emits(99), emits(1, 2)]);
  await world.settle();
  expect(await world.events()).toEqual([]);
  const big = emits(5, 100);
  world.chain.mine([big]);
  await world.settle();
  expect(await world.events()).toMatchObject([
    { tx_hash: txHash(big.id), explanation: { decoded: { args: { value: "100" } } } },
  ]);
});

test("an expression knows arguments by the names in the rule's signature and by those of the contract's ABI", async () => {
  const world = await freshWorld(h);
  const target = await world.watch({ target_type: "tx_rate" });
  const [contract] = (await world.owner.client.get("/contracts")).body as { id: string }[];
  const signature = "Transfer(address indexed sender, address indexed receiver, uint256 amount)";
  const abi = [`event ${transferSignature}`];
  expect(await world.owner.client.patch(`/contracts/${contract?.id}`, { abi })).toMatchObject({
    status: 200,
  });
  for (const expression of ["amount >= 100", "value >= 100", "$2 >= 100"]) {
    await world.rule(target, { ...atLeast(1), match: { events: [{ signature, expression }] } });
  }
  await world.settle();
  world.chain.mine([emits(99), emits(100)]);
  await world.settle();
  expect(await world.events()).toHaveLength(3);
});

test("what a match says of the transaction holds also for one that came through another contract", async () => {
  const world = await freshWorld(h);
  const router = "0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9";
  const target = await world.watch({ target_type: "tx_rate" });
  const events = [{ signature: transferSignature }];
  const matching = (expression: string) => ({ ...atLeast(1), match: { events, expression } });
  const rule = await world.rule(target, matching(`to == ${router} and gas_used > 1000`));
  await world.rule(target, matching(`to != ${router}`));
  await world.settle();
  const tx = { ...emits(5), through: router };
  world.chain.mine([tx]);
  await world.settle();
  expect(await world.events()).toMatchObject([{ rule_id: rule, tx_hash: txHash(tx.id) }]);
});

test("an alarm over a transaction shows who sent it and what became of it", async () => {
  const world = await freshWorld(h);
  const target = await world.watch({ target_type: "tx_rate" });
  await world.rule(target, { ...atLeast(1), match: { status: "failed" } });
  await world.settle();
  world.chain.mine([{ ...emits(), isSuccess: false }]);
  await world.settle();
  const evidence = { status: "failed", from: expect.stringMatching(/^0x/) };
  expect(await world.events()).toMatchObject([{ explanation: { evidence } }]);
});

test("a start reads of each series what its rules look back on, whatever others look back on", async () => {
  const world = await freshWorld(h);
  const other = "0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9";
  const [short, long] = [await world.watch(transfers), await world.watch(transfers, other)];
  await world.rule(short, atLeast(1, 60));
  await world.rule(long, atLeast(1, 86_400));
  await world.settle();
  for (let block = 0; block < 20; block++)
    world.chain.mine([emits(1), { ...emits(1), to: other }], { time: world.chain.tip.time + 3600 });
  await world.settle();
  const { engine } = await loadEngineState(h.app, chainOf("local") as Chain, world.chain.tip);
  const kept = [short, long].map((id) => {
    const series_id = engine.watchList.target(id)?.series_id ?? "";
    return engine.series(series_id).between(0, Number.POSITIVE_INFINITY).length;
  });
  expect(kept).toEqual([1, 20]);
});

test("silence is noticed when it has lasted a whole window", async () => {
  const world = await freshWorld(h);
  const target = await world.watch(transfers);
  await world.rule(target, { operator: "absent", window_seconds: 60 });
  const now = Math.ceil(h.clock.now().getTime() / 1000);
  await world.settle();
  world.chain.mine([emits(1)], { time: now });
  for (let blocks = 1; blocks < 5; blocks++) world.chain.mine([], { time: now + blocks * 12 });
  await world.settle();
  expect(await world.events()).toEqual([]);
  world.chain.mine([], { time: now + 60 });
  await world.settle();
  expect(await world.events()).toMatchObject([{ status: "firing", operator: "absent" }]);
  world.chain.mine([emits(1)], { time: now + 72 });
  await world.settle();
  expect((await world.events())[0]?.status).toBe("resolved");
});

test("a target that gives nothing is an alarm for a rule that wants to hear of it", async () => {
  const world = await freshWorld(h);
  const target = await world.watch({ target_type: "native_balance" });
  await world.rule(target, { operator: "lt", threshold: 1, window_seconds: 60 }, { no_data: "alert" });
  const now = Math.ceil(h.clock.now().getTime() / 1000);
  world.chain.balance = 10n ** 19n;
  await world.settle();
  world.chain.mine([], { time: now });
  await world.settle();
  world.chain.failure = "the node is away";
  for (let blocks = 1; blocks < 6; blocks++) world.chain.mine([], { time: now + blocks * 12 });
  await world.settle();
  expect(await world.events()).toMatchObject([{ kind: "no_data", status: "firing", value: null }]);
  world.chain.failure = undefined;
  world.chain.mine([], { time: now + 100 });
  await world.settle();
  expect(await world.events()).toMatchObject([{ kind: "no_data", status: "resolved" }]);
});

test("a breach after silence is an episode of its own, and told although the silence was told just now", async () => {
  const world = await freshWorld(h);
  const target = await world.watch({ target_type: "native_balance" });
  const more = { no_data: "alert", cooldown_seconds: 3600, notify_on_resolve: false };
  await world.rule(target, { operator: "lt", threshold: 1, window_seconds: 60 }, more);
  const now = Math.ceil(h.clock.now().getTime() / 1000);
  world.chain.balance = 10n ** 19n;
  world.chain.failure = "the node is away";
  await world.settle();
  for (let blocks = 0; blocks < 8; blocks++) world.chain.mine([], { time: now + blocks * 12 });
  await world.settle();
  expect(await world.events()).toMatchObject([{ kind: "no_data", status: "firing" }]);
  world.chain.failure = undefined;
  world.chain.balance = 0n;
  const breach = world.chain.mine([], { time: now + 120 });
  await world.settle();
  const at = new Date(breach.time * 1000).toISOString();
  expect(await world.events()).toMatchObject([
    { kind: "fired", status: "firing", value: 0, fired_at: at },
    { kind: "no_data", status: "resolved", resolved_at: at },
  ]);
  const told = (await world.notices()).map(({ kind, event_id }) => [kind, event_id]);
  const [fired, silent] = await world.events();
  expect(told).toEqual([
    ["fired", silent?.id],
    ["fired", fired?.id],
  ]);
  // Silence during the episode is no end of it, and the cooldown keeps the next one quiet.
  world.chain.failure = "the node is away";
  for (let blocks = 0; blocks < 8; blocks++) world.chain.mine();
  await world.settle();
  expect((await world.events())[0]).toMatchObject({ kind: "fired", status: "firing" });
});

test("a breach after silence that must last first is told when it has lasted", async () => {
  const world = await freshWorld(h);
  const target = await world.watch({ target_type: "native_balance" });
  const more = { no_data: "alert", for_seconds: 36 };
  await world.rule(target, { operator: "lt", threshold: 1, window_seconds: 60 }, more);
  const now = Math.ceil(h.clock.now().getTime() / 1000);
  world.chain.failure = "the node is away";
  await world.settle();
  for (let blocks = 0; blocks < 12; blocks++) world.chain.mine([], { time: now + blocks * 12 });
  await world.settle();
  expect(await world.events()).toMatchObject([{ kind: "no_data", status: "firing" }]);
  world.chain.failure = undefined;
  const back = world.chain.mine([], { time: now + 180 });
  world.chain.mine();
  await world.settle();
  expect(await world.events()).toMatchObject([{ kind: "no_data", status: "resolved" }]);
  for (let blocks = 0; blocks < 3; blocks++) world.chain.mine();
  await world.settle();
  expect(await world.events()).toMatchObject([
    { kind: "fired", status: "firing", fired_at: new Date((back.time + 36) * 1000).toISOString() },
    { kind: "no_data", status: "resolved" },
  ]);
});

test("an event that comes back in another branch says what that branch shows", async () => {
  const world = await freshWorld(h);
  const target = await world.watch(transfers);
  await world.rule(target, atLeast(1), { message_template: "{{ value }} transfers" });
  await world.settle();
  const base = world.chain.tip;
  const shared = emits(1);
  world.chain.mine([shared]);
  await world.settle();
  const [before] = await world.events();
  expect(before).toMatchObject({ value: 1, message: "1 transfers", explanation: { samples_in_window: 1 } });
  world.chain.mine([shared, emits(2), emits(3)], { on: base, salt: 1 });
  world.chain.mine();
  await world.settle();
  expect(await world.events()).toMatchObject([
    { id: before?.id, value: 3, message: "3 transfers", explanation: { samples_in_window: 3 } },
  ]);
});

test("state is read at the org's interval and judged", async () => {
  const world = await freshWorld(h);
  world.chain.balance = 10n ** 18n;
  await world.rule(await world.watch({ target_type: "native_balance" }), { operator: "lt", threshold: 1 });
  await world.settle();
  world.chain.mine();
  await world.settle();
  expect(await world.events()).toEqual([]);
  world.chain.balance = 10n ** 17n;
  world.chain.mine();
  world.chain.mine();
  await world.settle();
  expect(await world.events()).toMatchObject([{ value: 0.1, unit: "native units" }]);
});

test("a rule made or switched off while the engine runs counts from the next block on", async () => {
  const world = await freshWorld(h);
  const target = await world.watch(transfers);
  await world.settle();
  world.chain.mine([emits(1)]);
  await world.settle();
  const rule = await world.rule(target, atLeast(1));
  world.chain.mine([emits(1)]);
  await world.settle();
  expect(await world.events()).toHaveLength(1);
  await world.owner.client.patch(`/alerts/${rule}`, { is_enabled: false });
  for (let blocks = 0; blocks < 10; blocks++) world.chain.mine();
  world.chain.mine([emits(1)]);
  await world.settle();
  expect(await world.events()).toHaveLength(1);
});
