import { expect, test } from "vitest";
import type { Chain } from "../../src/chains/chain.ts";
import { chainOf } from "../../src/chains/index.ts";
import { loadEngineState } from "../../src/pipeline/watch/load-state.ts";
import { harness } from "../support/harness.ts";
import { txHash } from "./scripted-chain.ts";
import { emits, freshWorld, transferSignature } from "./world.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });

const transfers = { target_type: "event_frequency", config: { event_signature: transferSignature } };
const atLeast = (threshold: number, window_seconds = 60) => ({ operator: "gte", threshold, window_seconds });

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
    { status: "firing", explanation: { reason: "breached_for_long_enough" } },
  ]);
  for (let blocks = 0; blocks < 6; blocks++) world.chain.mine();
  await world.catchUp();
  expect((await world.events())[0]?.status).toBe("firing");
  world.chain.mine();
  await world.catchUp();
  expect((await world.events())[0]?.status).toBe("resolved");
});

test("a match filters the readings of a rule by events and their arguments", async () => {
  const world = await freshWorld(h);
  const target = await world.watch({ target_type: "tx_rate" });
  const match = { events: [{ signature: transferSignature, expression: "value >= 100" }] };
  await world.rule(target, { ...atLeast(1), match });
  await world.catchUp();
  world.chain.mine([emits(99), emits(1, 2)]);
  await world.catchUp();
  expect(await world.events()).toEqual([]);
  const big = emits(5, 100);
  world.chain.mine([big]);
  await world.catchUp();
  expect(await world.events()).toMatchObject([
    { tx_hash: txHash(big.id), explanation: { decoded: { args: { value: "100" } } } },
  ]);
});

test("an expression may use argument names of the rule's signature and of the contract's ABI", async () => {
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
  await world.catchUp();
  world.chain.mine([emits(99), emits(100)]);
  await world.catchUp();
  expect(await world.events()).toHaveLength(3);
});

test("a match on the transaction applies to transactions that reach the contract through another one", async () => {
  const world = await freshWorld(h);
  const router = "0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9";
  const target = await world.watch({ target_type: "tx_rate" });
  const events = [{ signature: transferSignature }];
  const matching = (expression: string) => ({ ...atLeast(1), match: { events, expression } });
  const rule = await world.rule(target, matching(`to == ${router} and gas_used > 1000`));
  await world.rule(target, matching(`to != ${router}`));
  await world.catchUp();
  const tx = { ...emits(5), through: router };
  world.chain.mine([tx]);
  await world.catchUp();
  expect(await world.events()).toMatchObject([{ rule_id: rule, tx_hash: txHash(tx.id) }]);
});

test("an event of a transaction shows its sender and its status", async () => {
  const world = await freshWorld(h);
  const target = await world.watch({ target_type: "tx_rate" });
  await world.rule(target, { ...atLeast(1), match: { status: "failed" } });
  await world.catchUp();
  world.chain.mine([{ ...emits(), isSuccess: false }]);
  await world.catchUp();
  const evidence = { status: "failed", from: expect.stringMatching(/^0x/) };
  expect(await world.events()).toMatchObject([{ explanation: { evidence } }]);
});

test("a match applies only to the transactions that its target counts", async () => {
  const world = await freshWorld(h);
  const match = { events: [{ signature: transferSignature }] };
  const config = { direction: "from", include_failed: true };
  await world.rule(await world.watch({ target_type: "tx_rate", config }), { ...atLeast(1), match });
  const successes = { target_type: "tx_rate", config: { include_failed: false } };
  const other = "0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9";
  await world.rule(await world.watch(successes, other), { ...atLeast(1), match: { status: "any" } });
  await world.catchUp();
  world.chain.mine([emits(5), { ...emits(), to: other, isSuccess: false }]);
  await world.catchUp();
  expect(await world.events()).toEqual([]);
  world.chain.mine([{ ...emits(), to: other }]);
  await world.catchUp();
  expect(await world.events()).toHaveLength(1);
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

test("a target without data fires a rule with no_data: alert", async () => {
  const world = await freshWorld(h);
  const target = await world.watch({ target_type: "native_balance" });
  await world.rule(target, { operator: "lt", threshold: 1, window_seconds: 60 }, { no_data: "alert" });
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
  expect(await world.events()).toMatchObject([{ value: 0.1, unit: "native units" }]);
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
