import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import { afterEach, expect, test } from "vitest";
import type { Chain } from "../../src/chains/chain.ts";
import { makeEvmReader } from "../../src/chains/evm/reader.ts";
import { chainOf } from "../../src/chains/index.ts";
import { ChainError } from "../../src/chains/reader.ts";
import { Follower } from "../../src/pipeline/follow/follower.ts";
import { runChain } from "../../src/pipeline/follow/run-chain.ts";
import { runPipeline } from "../../src/pipeline/follow/run-pipeline.ts";
import { harness } from "../support/harness.ts";
import { type Scripted, type ScriptedChain, txHash } from "./scripted-chain.ts";
import { emits, freshWorld, transferSignature, type World } from "./world.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });
const local = chainOf("local") as Chain;

const transfers = { target_type: "event_frequency", config: { event_signature: transferSignature } };
const amounts = { target_type: "event_value", config: { event_signature: transferSignature, arg: "value" } };
const atLeast = (threshold: number, window_seconds = 60) => ({ operator: "gte", threshold, window_seconds });
const high = { operator: "gt", threshold: 10, aggregation: "last", window_seconds: 600 };

const statuses = async (world: World) => (await world.events()).map((event) => event.status);
const samples = async () =>
  (
    await h.app.db.selectFrom("samples").select(["series_id", "height", "value"]).orderBy("height").execute()
  ).map(({ height, value }) => [Number(height), value]);
const leaseRunsOut = () =>
  h.app.db
    .updateTable("chain_leases")
    .set({ expires_at: new Date(0) })
    .execute();
const isHeld = async () =>
  (await sql`select 1 from chain_leases where expires_at >= clock_timestamp()`.execute(h.app.db)).rows
    .length > 0;
const progress = () => h.app.db.selectFrom("chain_cursors").selectAll().executeTakeFirstOrThrow();

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

async function watching(target: object = transfers, condition: object = atLeast(1), more: object = {}) {
  await h.app.db.deleteFrom("samples").execute();
  const world = await freshWorld(h);
  const target_id = await world.watch(target as typeof transfers);
  const rule = await world.rule(target_id, condition, more);
  await world.catchUp();
  return { world, target_id, rule };
}

async function catchUp(follower: Follower) {
  while ((await follower.step()) !== "idle");
}

test("one of two engines follows the chain, and the other takes over when it stops", async () => {
  const { world } = await watching();
  const other = world.another();
  world.chain.mine([emits(1)]);
  expect(await other.step()).toBe("not_ours");
  await world.catchUp();
  expect(await other.step()).toBe("not_ours");
  await world.restart();
  world.chain.mine();
  await catchUp(other);
  expect(await world.step()).toBe("not_ours");
  expect(await statuses(world)).toEqual(["firing"]);
  expect(Number((await progress()).height)).toBe(world.chain.tip.height);
});

test("a crashed engine loses the chain when its lease expires", async () => {
  const { world } = await watching();
  const other = world.another();
  expect(await other.step()).toBe("not_ours");
  await leaseRunsOut();
  world.chain.mine([emits(1)]);
  await catchUp(other);
  expect(await statuses(world)).toEqual(["firing"]);
});

test("an engine that loads for longer than its lease lasts keeps the chain", async () => {
  const { world } = await watching();
  await world.restart();
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const hit = (point: string) => {
    if (point !== "engine.after_load") return;
    begun.resolve();
    return goOn.promise;
  };
  const slow = new Follower({ ...h.app, faults: { hit } }, local, world.chain);
  const step = slow.step();
  await begun.promise;
  await leaseRunsOut();
  await slow.renew();
  expect(await world.another().step()).toBe("not_ours");
  goOn.resolve();
  expect(await step).toBe("idle");
  await slow.stop();
});

test("an engine that loses its lease during a step writes nothing", async () => {
  const { world } = await watching();
  const other = world.another();
  world.chain.mine([emits(1)]);
  const { chain } = world;
  const read = chain.blocks.bind(chain);
  // While the first waits for blocks, its lease expires and the other processes the same blocks and one more.
  chain.blocks = async (from, to) => {
    const blocks = await read(from, to);
    chain.blocks = read;
    await leaseRunsOut();
    await catchUp(other);
    chain.mine([emits(1)]);
    await catchUp(other);
    return blocks;
  };
  expect(await world.step()).toBe("not_ours");
  expect(await samples()).toEqual([
    [101, 1],
    [102, 1],
  ]);
  expect(await world.events()).toHaveLength(1);
  expect(await world.notices()).toHaveLength(1);
  expect(Number((await progress()).height)).toBe(102);
});

test("an engine that regains the lease continues at the cursor of the other", async () => {
  const { world } = await watching();
  const other = world.another();
  world.chain.mine([emits(1)]);
  await world.catchUp();
  await leaseRunsOut();
  world.chain.mine([emits(1)]);
  await catchUp(other);
  await other.stop();
  world.chain.mine([emits(1)]);
  await world.catchUp();
  expect(await samples()).toEqual([
    [101, 1],
    [102, 1],
    [103, 1],
  ]);
  expect(await world.events()).toHaveLength(1);
});

test("an outage of the node loses no events", async () => {
  const { world } = await watching(transfers, atLeast(3));
  world.chain.mine([emits(1)]);
  await world.catchUp();
  world.chain.outage = "connection refused";
  world.chain.mine([emits(1)]);
  await expect(world.step()).rejects.toThrow("connection refused");
  world.chain.mine([emits(1)]);
  await expect(world.step()).rejects.toThrow("connection refused");
  world.chain.outage = undefined;
  await world.catchUp();
  expect(await samples()).toHaveLength(3);
  expect(await world.events()).toMatchObject([{ block_number: 103, value: 3 }]);
});

test("batches shrink for nodes that time out, until all blocks are applied", async () => {
  const { world } = await watching();
  for (let count = 0; count < 60; count++) world.chain.mine(count % 20 === 0 ? [emits(1)] : []);
  const { chain } = world;
  const read = chain.blocks.bind(chain);
  chain.blocks = async (from, to) => {
    if (to - from >= 5) throw new ChainError("The chain could not be read: it took too long.");
    return read(from, to);
  };
  let failures = 0;
  for (let steps = 0; steps < 100 && Number((await progress()).height) < chain.tip.height; steps++)
    await world.step().catch(() => failures++);
  expect(Number((await progress()).height)).toBe(chain.tip.height);
  expect(failures).toBeGreaterThan(0);
  expect(await samples()).toHaveLength(3);
});

test("a long branch from slow nodes is applied in parts", async () => {
  const { world } = await watching(transfers, atLeast(1, 600));
  const base = world.chain.mine();
  const both = emits(1);
  world.chain.mine([emits(1)]);
  for (let blocks = 0; blocks < 148; blocks++) world.chain.mine(blocks === 120 ? [both] : []);
  await world.catchUp();
  const honest = world.chain.blocks.bind(world.chain);
  world.chain.blocks = async (from, to) => {
    if (to - from + 1 > 80) throw new ChainError("did not answer in time");
    return honest(from, to);
  };
  for (let blocks = 0; blocks < 151; blocks++)
    world.chain.mine(blocks === 122 ? [both] : [], { salt: 1, ...(blocks === 0 && { on: base }) });
  for (let failures = 0; (await progress()).hash !== world.chain.tip.hash; failures++) {
    expect(failures).toBeLessThan(20);
    await world.catchUp().catch(() => undefined);
  }
  expect((await world.events()).map(({ status, tx_hash }) => [status, tx_hash])).toEqual([
    ["firing", txHash(both.id)],
    ["retracted", expect.any(String)],
  ]);
});

test("an error of a chain is shown until the chain can be followed again", async () => {
  const { world } = await watching();
  await world.restart();
  const naps: number[] = [];
  const stop = new AbortController();
  const app = {
    ...h.app,
    clock: {
      ...h.clock,
      now: () => h.clock.now(),
      sleep: async (ms: number, signal?: AbortSignal) => {
        naps.push(ms);
        await new Promise((resolve) => setImmediate(resolve));
        return void signal;
      },
    },
  };
  world.chain.outage = "connection refused";
  const heard = whenever(world.chain, "head", () => naps.includes(5_000));
  const running = runChain(app, local, world.chain, stop.signal);
  cleanUps.push(async () => {
    stop.abort();
    await running;
  });
  await heard;
  expect((await progress()).last_error).toBe("connection refused");
  world.chain.outage = undefined;
  world.chain.mine([emits(1)]);
  await whenever(world.chain, "waitForHead");
  expect(await progress()).toMatchObject({ last_error: null, height: "101" });
  stop.abort();
  await running;
  // The wait grows with each failure, and the lease is released at the end.
  expect(naps.filter((ms) => ms !== 2_000).slice(0, 3)).toEqual([500, 1_000, 5_000]);
  world.chain.mine();
  expect(await world.step()).toBe("moved");
});

test("a node that does not reply does not delay the shutdown", async () => {
  const asked = Promise.withResolvers<void>();
  const server = createServer(() => asked.resolve());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const urls = [`http://127.0.0.1:${(server.address() as AddressInfo).port}/`];
  const reader = makeEvmReader({ chain: local, urls, clock: h.app.clock });
  await leaseRunsOut();
  const stop = new AbortController();
  const running = runChain(h.app, local, reader, stop.signal);
  await asked.promise;
  stop.abort();
  // The server never replies, so the shutdown must abort the request.
  await running;
  server.closeAllConnections();
  server.close();
}, 8_000);

test("a chain that cannot be opened does not affect the others", async () => {
  const { world } = await watching();
  await world.restart();
  world.chain.mine([emits(1)]);
  expect([...h.app.config.rpc.keys()]).toContain("ethereum");
  const idle = whenever(world.chain, "waitForHead");
  const pipeline = runPipeline(h.app, (chain) => {
    if (chain.chain === "ethereum") throw new Error("cannot be opened");
    return world.chain;
  });
  cleanUps.push(() => pipeline.stop());
  await idle;
  expect(await statuses(world)).toEqual(["firing"]);
});

test("a chain that staff disable is not followed until it is enabled again", async () => {
  const staff = await h.staff();
  const { world } = await watching();
  await world.restart();
  let lookNow: () => void = () => undefined;
  const app = {
    ...h.app,
    config: { ...h.app.config, rpc: new Map([["local", ["http://127.0.0.1:1"]]]) },
    clock: {
      now: () => h.clock.now(),
      // Only the check of the switches sleeps here; the test decides when it ends.
      sleep: (ms: number, signal?: AbortSignal) =>
        ms === 5_000
          ? new Promise<void>((resolve) => {
              lookNow = resolve;
              signal?.addEventListener("abort", () => resolve());
            })
          : h.clock.sleep(ms, signal),
    },
  };
  const opened: ScriptedChain[] = [];
  const closed = { times: 0 };
  world.chain.close = async () => void closed.times++;
  const pipeline = runPipeline(app, () => {
    opened.push(world.chain);
    return world.chain;
  });
  cleanUps.push(() => pipeline.stop());
  await whenever(world.chain, "waitForHead");
  await staff.patch("/admin/chains/local", { is_enabled: false });
  lookNow();
  await until(() => closed.times === 1);
  while (await isHeld());
  world.chain.mine([emits(1)]);
  expect(await statuses(world)).toEqual([]);
  await staff.patch("/admin/chains/local", { is_enabled: true });
  lookNow();
  await until(() => opened.length === 2);
  await whenever(world.chain, "waitForHead");
  expect(await statuses(world)).toEqual(["firing"]);
});

test("blocks with equal times are distinguished by height, and all of them count", async () => {
  const { world } = await watching(transfers, atLeast(3));
  const { time } = world.chain.mine([emits(1)]);
  world.chain.mine([emits(1)], { time });
  const third = world.chain.mine([emits(1)], { time });
  await world.catchUp();
  expect(await world.events()).toMatchObject([{ block_number: third.height, value: 3 }]);
  const base = world.chain.branch().at(-3);
  if (base) world.chain.mine([], { on: base, time, salt: 1 });
  world.chain.mine([], { time });
  world.chain.mine([], { time });
  await world.catchUp();
  expect(await statuses(world)).toEqual(["retracted"]);
  expect(await samples()).toEqual([[101, 1]]);
});

test("a block with an earlier time than its parent counts at its parent's time", async () => {
  const { world } = await watching(transfers, atLeast(2));
  const first = world.chain.mine([emits(1)]);
  world.chain.mine([emits(1)], { time: first.time - 500 });
  await world.catchUp();
  const fired_at = new Date(first.time * 1000).toISOString();
  expect(await world.events()).toMatchObject([{ value: 2, fired_at }]);
  for (let blocks = 1; blocks <= 5; blocks++) world.chain.mine([], { time: first.time + blocks * 12 });
  await world.catchUp();
  expect(await statuses(world)).toEqual(["resolved"]);
});

test("a node that lags behind the cursor is not a reorganisation", async () => {
  const { world } = await watching();
  const behind = world.chain.mine();
  const ahead = world.chain.mine([emits(1)]);
  await world.catchUp();
  world.chain.tip = behind;
  expect(await world.catchUp()).toEqual([]);
  expect(await statuses(world)).toEqual(["firing"]);
  world.chain.tip = ahead;
  expect(await world.catchUp()).toEqual([]);
  expect((await world.notices()).map((notice) => notice.kind)).toEqual(["fired"]);
});

test("a reorganisation beyond the finality depth is followed and marks the chain degraded", async () => {
  const { world } = await watching(transfers, atLeast(1, 600));
  const base = world.chain.mine();
  await world.catchUp();
  world.chain.mine([emits(1)]);
  for (let blocks = 0; blocks < 4; blocks++) world.chain.mine();
  await world.catchUp();
  expect(await world.events()).toMatchObject([{ finality: "finalized" }]);
  for (let blocks = 0; blocks < 6; blocks++)
    world.chain.mine([], { salt: 1, ...(blocks === 0 && { on: base }) });
  expect(await world.catchUp()).toEqual(["rolled_back"]);
  expect(await world.events()).toMatchObject([{ status: "retracted", finality: "retracted" }]);
  expect((await progress()).degraded_reason).toContain("5 blocks deep");
});

test("a reorganisation below all stored blocks restarts below the oldest of them", async () => {
  const { world } = await watching(transfers, atLeast(1, 600));
  const base = world.chain.tip;
  for (let blocks = 0; blocks < 300; blocks++) world.chain.mine();
  world.chain.mine([emits(1)]);
  await world.catchUp();
  expect(await statuses(world)).toEqual(["firing"]);
  for (let blocks = 0; blocks < 301; blocks++)
    world.chain.mine([], { salt: 1, ...(blocks === 0 && { on: base }) });
  const again = emits(1);
  world.chain.mine([again]);
  await world.catchUp();
  expect(await statuses(world)).toEqual(["firing", "retracted"]);
  expect(await progress()).toMatchObject({ height: "402", hash: world.chain.tip.hash });
  expect((await progress()).degraded_reason).not.toBeNull();
});

test("a reorganisation during a long catch-up is applied in batches", async () => {
  const { world } = await watching();
  const base = world.chain.mine();
  world.chain.mine();
  await world.catchUp();
  world.chain.mine([], { on: base, salt: 1 });
  for (let blocks = 0; blocks < 1_000; blocks++) world.chain.mine(blocks === 900 ? [emits(1)] : []);
  await world.catchUp();
  expect(await world.events()).toHaveLength(1);
  expect(world.chain.asked.most).toBeLessThan(300);
});

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

test("state is read again at once after its block was rolled back", async () => {
  const { world } = await watching({ target_type: "native_balance" }, { operator: "lt", threshold: 1 });
  await world.owner.client.patch(`/orgs/${world.owner.org_id}`, { polling_interval_seconds: 3600 });
  await world.restart();
  world.chain.balance = 10n ** 18n;
  const base = world.chain.mine();
  await world.catchUp();
  world.chain.balance = 10n ** 17n;
  world.chain.mine([], { time: base.time + 3600 });
  await world.catchUp();
  expect(await statuses(world)).toEqual(["firing"]);
  world.chain.mine([], { on: base, time: base.time + 3601, salt: 1 });
  world.chain.mine();
  await world.catchUp();
  expect(await statuses(world)).toEqual(["firing", "retracted"]);
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

test("a proxy is decoded with its new implementation's ABI after an upgrade, and with the old one after a rollback", async () => {
  const implementation = "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0";
  const { world, target_id } = await watching(amounts, high);
  const path = await contractPath(world);
  const abi = [
    {
      type: "event",
      name: "Transfer",
      inputs: [
        { name: "from", type: "address", indexed: true },
        { name: "to", type: "address", indexed: true },
        { name: "amount", type: "uint256", indexed: false },
      ],
    },
  ];
  await world.owner.client.post("/contracts", { chain: "local", address: implementation, abi });
  const config = { event_signature: "Transfer(address,address,uint256)", arg: "amount" };
  await world.owner.client.patch(`/targets/${target_id}`, { config });
  await world.catchUp();
  const upgrade: Scripted = { ...emits(50), upgradesTo: implementation };
  const base = world.chain.tip;
  // The event in the block of the upgrade is decoded with the old ABI, which does not contain it.
  world.chain.mine([upgrade]);
  world.chain.mine([emits(60)]);
  await world.catchUp();
  expect((await world.owner.client.get(path)).body).toMatchObject({
    is_proxy: true,
    implementation_address: implementation,
  });
  expect(await samples()).toEqual([[102, 60]]);
  world.chain.mine([], { on: base, salt: 1 });
  world.chain.mine();
  world.chain.mine();
  await world.catchUp();
  expect((await world.owner.client.get(path)).body).toMatchObject({ implementation_address: null });
  world.chain.mine([emits(70)]);
  await world.catchUp();
  expect(await samples()).toEqual([]);
});

async function contractPath(world: World): Promise<string> {
  const contracts = (await world.owner.client.get("/contracts")).body as { id: string }[];
  return `/contracts/${contracts.at(-1)?.id}`;
}

/** Waits until the engine calls a method of the reader for which the condition holds. */
function whenever(
  chain: ScriptedChain,
  method: "head" | "waitForHead",
  holds: () => boolean = () => true,
): Promise<void> {
  return new Promise((resolve) => {
    const inner = (method === "head" ? chain.head : chain.waitForHead).bind(chain) as () => Promise<never>;
    const outer = async () => {
      if (holds()) resolve();
      await new Promise((next) => setImmediate(next));
      return inner();
    };
    Object.assign(chain, { [method]: outer });
  });
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

test("blocks that repeatedly do not link are reported until they link again", async () => {
  const world = await freshWorld(h);
  await world.catchUp();
  const trouble = async () => {
    const row = await h.app.db.selectFrom("chain_cursors").select("last_error").executeTakeFirstOrThrow();
    return row.last_error;
  };
  const honest = world.chain.blocks.bind(world.chain);
  world.chain.mine();
  world.chain.blocks = async (from, to) =>
    (await honest(from, to)).map((block) => ({ ...block, parent_hash: `0x${"ab".repeat(32)}` }));
  expect([await world.step(), await trouble()]).toEqual(["idle", null]);
  expect([await world.step(), await trouble()]).toEqual(["idle", expect.stringContaining("does not follow")]);
  await world.step();
  expect(await trouble()).toContain("does not follow");
  world.chain.blocks = honest;
  expect(await world.step()).toBe("moved");
  await world.catchUp();
  expect(await trouble()).toBeNull();
});

test("nodes that were reset are reported until their chain is longer", async () => {
  const { world } = await watching();
  const first = world.chain.tip;
  for (let count = 0; count < local.finality_depth + 5; count++) world.chain.mine();
  await world.catchUp();
  const followed = world.chain.tip.height;
  world.chain.mine([], { on: first, salt: 7 });
  await world.catchUp();
  expect(await progress()).toMatchObject({
    height: String(followed),
    last_error: `The nodes report block ${first.height + 1} as the head, far below block ${followed}, which was already processed. Their blocks are applied once their chain is longer.`,
  });
  while (world.chain.tip.height <= followed) world.chain.mine([], { salt: 7 });
  await world.catchUp();
  expect(await progress()).toMatchObject({ height: String(followed + 1), last_error: null });
});
