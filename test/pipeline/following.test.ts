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
import { harness } from "../harness.ts";
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
  await world.settle();
  return { world, target_id, rule };
}

async function settle(follower: Follower) {
  while ((await follower.step()) !== "idle");
}

test("of two engines one follows the chain; the other takes over as soon as that one stops", async () => {
  const { world } = await watching();
  const other = world.another();
  world.chain.mine([emits(1)]);
  expect(await other.step()).toBe("not_ours");
  await world.settle();
  expect(await other.step()).toBe("not_ours");
  await world.restart();
  world.chain.mine();
  await settle(other);
  expect(await world.step()).toBe("not_ours");
  expect(await statuses(world)).toEqual(["firing"]);
  expect(Number((await progress()).height)).toBe(world.chain.tip.height);
});

test("an engine that is gone without a word loses the chain when its lease has run out", async () => {
  const { world } = await watching();
  const other = world.another();
  expect(await other.step()).toBe("not_ours");
  await leaseRunsOut();
  world.chain.mine([emits(1)]);
  await settle(other);
  expect(await statuses(world)).toEqual(["firing"]);
});

test("an engine that loads for longer than a lease lasts keeps the chain", async () => {
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

test("an engine that finds itself replaced while it works writes nothing", async () => {
  const { world } = await watching();
  const other = world.another();
  world.chain.mine([emits(1)]);
  const { chain } = world;
  const read = chain.blocks.bind(chain);
  // While the first waits for its blocks, its lease runs out and the other does the same blocks and one more.
  chain.blocks = async (from, to) => {
    const blocks = await read(from, to);
    chain.blocks = read;
    await leaseRunsOut();
    await settle(other);
    chain.mine([emits(1)]);
    await settle(other);
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

test("an engine that gets the chain back goes on from where the other left it", async () => {
  const { world } = await watching();
  const other = world.another();
  world.chain.mine([emits(1)]);
  await world.settle();
  await leaseRunsOut();
  world.chain.mine([emits(1)]);
  await settle(other);
  await other.stop();
  world.chain.mine([emits(1)]);
  await world.settle();
  expect(await samples()).toEqual([
    [101, 1],
    [102, 1],
    [103, 1],
  ]);
  expect(await world.events()).toHaveLength(1);
});

test("a node that does not answer for a while costs nothing but time", async () => {
  const { world } = await watching(transfers, atLeast(3));
  world.chain.mine([emits(1)]);
  await world.settle();
  world.chain.outage = "connection refused";
  world.chain.mine([emits(1)]);
  await expect(world.step()).rejects.toThrow("connection refused");
  world.chain.mine([emits(1)]);
  await expect(world.step()).rejects.toThrow("connection refused");
  world.chain.outage = undefined;
  await world.settle();
  expect(await samples()).toHaveLength(3);
  expect(await world.events()).toMatchObject([{ block_number: 103, value: 3 }]);
});

test("nodes that give only a few blocks in time are asked for fewer, until everything is taken in", async () => {
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

test("a branch that is longer than nodes give in time is taken in part by part", async () => {
  const { world } = await watching(transfers, atLeast(1, 600));
  const base = world.chain.mine();
  const both = emits(1);
  world.chain.mine([emits(1)]);
  for (let blocks = 0; blocks < 148; blocks++) world.chain.mine(blocks === 120 ? [both] : []);
  await world.settle();
  const honest = world.chain.blocks.bind(world.chain);
  world.chain.blocks = async (from, to) => {
    if (to - from + 1 > 80) throw new ChainError("did not answer in time");
    return honest(from, to);
  };
  for (let blocks = 0; blocks < 151; blocks++)
    world.chain.mine(blocks === 122 ? [both] : [], { salt: 1, ...(blocks === 0 && { on: base }) });
  for (let failures = 0; (await progress()).hash !== world.chain.tip.hash; failures++) {
    expect(failures).toBeLessThan(20);
    await world.settle().catch(() => undefined);
  }
  expect((await world.events()).map(({ status, tx_hash }) => [status, tx_hash])).toEqual([
    ["firing", txHash(both.id)],
    ["retracted", expect.any(String)],
  ]);
});

test("what was wrong with a chain is shown, and no longer when it goes on", async () => {
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
  // It grows more patient with each failure, and gives the chain back when it ends.
  expect(naps.filter((ms) => ms !== 2_000).slice(0, 3)).toEqual([500, 1_000, 5_000]);
  world.chain.mine();
  expect(await world.step()).toBe("moved");
});

test("a node that does not answer does not hold up the end", async () => {
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
  // The server holds the question for ever: only leaving it ends this.
  await running;
  server.closeAllConnections();
  server.close();
}, 8_000);

test("one chain that cannot be opened holds up no other", async () => {
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

test("a chain that staff switch off is left alone, and followed again when it is on", async () => {
  const staff = await h.staff();
  const { world } = await watching();
  await world.restart();
  let lookNow: () => void = () => undefined;
  const app = {
    ...h.app,
    config: { ...h.app.config, rpc: new Map([["local", ["http://127.0.0.1:1"]]]) },
    clock: {
      now: () => h.clock.now(),
      // Only a look at the switches is waited for here; the test says when it comes.
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

test("blocks of one time are told apart by their heights, and all of them count", async () => {
  const { world } = await watching(transfers, atLeast(3));
  const { time } = world.chain.mine([emits(1)]);
  world.chain.mine([emits(1)], { time });
  const third = world.chain.mine([emits(1)], { time });
  await world.settle();
  expect(await world.events()).toMatchObject([{ block_number: third.height, value: 3 }]);
  const base = world.chain.branch().at(-3);
  if (base) world.chain.mine([], { on: base, time, salt: 1 });
  world.chain.mine([], { time });
  world.chain.mine([], { time });
  await world.settle();
  expect(await statuses(world)).toEqual(["retracted"]);
  expect(await samples()).toEqual([[101, 1]]);
});

test("a block whose time runs backwards counts at the time of the block before it", async () => {
  const { world } = await watching(transfers, atLeast(2));
  const first = world.chain.mine([emits(1)]);
  world.chain.mine([emits(1)], { time: first.time - 500 });
  await world.settle();
  const fired_at = new Date(first.time * 1000).toISOString();
  expect(await world.events()).toMatchObject([{ value: 2, fired_at }]);
  for (let blocks = 1; blocks <= 5; blocks++) world.chain.mine([], { time: first.time + blocks * 12 });
  await world.settle();
  expect(await statuses(world)).toEqual(["resolved"]);
});

test("a node that lags behind what we saw is waited for, and is no reorganisation", async () => {
  const { world } = await watching();
  const behind = world.chain.mine();
  const ahead = world.chain.mine([emits(1)]);
  await world.settle();
  world.chain.tip = behind;
  expect(await world.settle()).toEqual([]);
  expect(await statuses(world)).toEqual(["firing"]);
  world.chain.tip = ahead;
  expect(await world.settle()).toEqual([]);
  expect((await world.notices()).map((notice) => notice.kind)).toEqual(["fired"]);
});

test("a reorganisation deeper than what was held to be final is followed, and the chain says so", async () => {
  const { world } = await watching(transfers, atLeast(1, 600));
  const base = world.chain.mine();
  await world.settle();
  world.chain.mine([emits(1)]);
  for (let blocks = 0; blocks < 4; blocks++) world.chain.mine();
  await world.settle();
  expect(await world.events()).toMatchObject([{ finality: "finalized" }]);
  for (let blocks = 0; blocks < 6; blocks++)
    world.chain.mine([], { salt: 1, ...(blocks === 0 && { on: base }) });
  expect(await world.settle()).toEqual(["rolled_back"]);
  expect(await world.events()).toMatchObject([{ status: "retracted", finality: "retracted" }]);
  expect((await progress()).degraded_reason).toContain("5 blocks deep");
});

test("a reorganisation of more than is remembered begins again below that", async () => {
  const { world } = await watching(transfers, atLeast(1, 600));
  const base = world.chain.tip;
  for (let blocks = 0; blocks < 300; blocks++) world.chain.mine();
  world.chain.mine([emits(1)]);
  await world.settle();
  expect(await statuses(world)).toEqual(["firing"]);
  for (let blocks = 0; blocks < 301; blocks++)
    world.chain.mine([], { salt: 1, ...(blocks === 0 && { on: base }) });
  const again = emits(1);
  world.chain.mine([again]);
  await world.settle();
  expect(await statuses(world)).toEqual(["firing", "retracted"]);
  expect(await progress()).toMatchObject({ height: "402", hash: world.chain.tip.hash });
  expect((await progress()).degraded_reason).not.toBeNull();
});

test("a reorganisation on the way back from a long absence is not taken in all at once", async () => {
  const { world } = await watching();
  const base = world.chain.mine();
  world.chain.mine();
  await world.settle();
  world.chain.mine([], { on: base, salt: 1 });
  for (let blocks = 0; blocks < 1_000; blocks++) world.chain.mine(blocks === 900 ? [emits(1)] : []);
  await world.settle();
  expect(await world.events()).toHaveLength(1);
  expect(world.chain.asked.most).toBeLessThan(300);
});

test("a paused contract is not measured, and goes on with the next block when it is resumed", async () => {
  const { world } = await watching();
  const path = await contractPath(world);
  await world.owner.client.post(`${path}/pause`);
  world.chain.mine([emits(1)]);
  await world.settle();
  expect(await samples()).toEqual([]);
  await world.owner.client.post(`${path}/resume`);
  const block = world.chain.mine([emits(1)]);
  await world.settle();
  expect(await samples()).toEqual([[block.height, 1]]);
  expect(await statuses(world)).toEqual(["firing"]);
});

test("a rule that fired when its contract was paused is looked at again with the first block after", async () => {
  const { world } = await watching(transfers, atLeast(1, 60));
  const path = await contractPath(world);
  world.chain.mine([emits(1)]);
  await world.settle();
  await world.owner.client.post(`${path}/pause`);
  for (let blocks = 0; blocks < 10; blocks++) world.chain.mine();
  await world.settle();
  await world.owner.client.post(`${path}/resume`);
  await world.settle();
  world.chain.mine();
  await world.settle();
  expect(await statuses(world)).toEqual(["resolved"]);
});

test("a deleted contract is watched no more and its past stays", async () => {
  const { world } = await watching();
  world.chain.mine([emits(1)]);
  await world.settle();
  await world.owner.client.delete(await contractPath(world));
  world.chain.mine([emits(1)]);
  for (let blocks = 0; blocks < 10; blocks++) world.chain.mine();
  await world.settle();
  expect(await world.events()).toHaveLength(1);
  expect(await samples()).toHaveLength(1);
});

test("a rule that is changed while it fires begins anew with the next block", async () => {
  const { world, rule } = await watching(transfers, atLeast(1, 600));
  world.chain.mine([emits(1)]);
  await world.settle();
  await world.owner.client.patch(`/alerts/${rule}`, { condition: atLeast(2, 600) });
  world.chain.mine();
  await world.settle();
  expect(await statuses(world)).toEqual(["resolved"]);
  world.chain.mine([emits(1)]);
  await world.settle();
  expect(await world.events()).toMatchObject([
    { status: "firing", threshold: 2, value: 2 },
    { status: "resolved", threshold: 1 },
  ]);
  await world.owner.client.patch(`/alerts/${rule}`, { condition: atLeast(3, 600) });
  world.chain.mine([emits(1)]);
  await world.settle();
  expect((await world.events()).map(({ status, threshold }) => [status, threshold])).toEqual([
    ["firing", 3],
    ["resolved", 2],
    ["resolved", 1],
  ]);
});

test("a rule whose match is changed does not count what matched before", async () => {
  const from = (least: number) => ({
    ...atLeast(2, 600),
    match: { events: [{ signature: transferSignature, expression: `value >= ${least}` }] },
  });
  const { world, rule } = await watching(transfers, from(1));
  world.chain.mine([emits(5)]);
  await world.settle();
  await world.owner.client.patch(`/alerts/${rule}`, { condition: from(100) });
  world.chain.mine([emits(100)]);
  await world.settle();
  expect(await world.events()).toEqual([]);
  await world.restart();
  world.chain.mine([emits(100)]);
  await world.settle();
  expect(await world.events()).toMatchObject([{ value: 2 }]);
});

test("a rule that is changed to listen for silence hears silence that began before", async () => {
  const { world, rule } = await watching();
  const created = Math.ceil(h.clock.now().getTime() / 1000);
  world.chain.mine([], { time: created + 600 });
  await world.settle();
  await world.owner.client.patch(`/alerts/${rule}`, {
    condition: { operator: "absent", window_seconds: 60 },
  });
  await world.settle();
  world.chain.mine([], { time: created + 612 });
  await world.settle();
  expect(await world.events()).toMatchObject([{ operator: "absent", status: "firing" }]);
});

test("a target that is changed measures what it now says from the next block on", async () => {
  const { world, target_id } = await watching(amounts, { ...high, threshold: 1 });
  world.chain.mine([emits(1)]);
  await world.settle();
  expect(await statuses(world)).toEqual([]);
  const config = { event_signature: transferSignature, arg: "value", decimals: 2 };
  await world.owner.client.patch(`/targets/${target_id}`, { config });
  world.chain.mine([emits(150)]);
  await world.settle();
  expect(await world.events()).toMatchObject([{ value: 1.5 }]);
});

test("a firing rule goes on with its episode after a restart, timers and all", async () => {
  const { world } = await watching(transfers, atLeast(1), {
    renotify_seconds: 60,
    resolve_after_seconds: 24,
  });
  const first = world.chain.mine([emits(1)]);
  await world.settle();
  for (let blocks = 0; blocks < 5; blocks++) {
    world.chain.mine([emits(1)]);
    await world.restart();
    await world.settle();
  }
  expect((await world.notices()).map((notice) => notice.kind)).toEqual(["fired", "renotified"]);
  for (let blocks = 0; blocks < 7; blocks++) {
    world.chain.mine();
    await world.restart();
    await world.settle();
  }
  const resolved_at = new Date((first.time + 60 + 84) * 1000).toISOString();
  expect(await world.events()).toMatchObject([{ status: "resolved", resolved_at }]);
});

test("a restart forgets nothing that a change is measured from", async () => {
  const { world } = await watching(amounts, { operator: "change_pct_gt", threshold: 50, window_seconds: 60 });
  world.chain.mine([emits(100)]);
  world.chain.mine([], { time: world.chain.tip.time + 5_000 });
  world.chain.mine([emits(140)]);
  await world.settle();
  await world.restart();
  world.chain.mine([emits(160)]);
  await world.settle();
  expect(await world.events()).toMatchObject([{ value: 60 }]);
});

test("state that was read in a block that is gone is read again at once", async () => {
  const { world } = await watching({ target_type: "native_balance" }, { operator: "lt", threshold: 1 });
  await world.owner.client.patch(`/orgs/${world.owner.org_id}`, { polling_interval_seconds: 3600 });
  await world.restart();
  world.chain.balance = 10n ** 18n;
  const base = world.chain.mine();
  await world.settle();
  world.chain.balance = 10n ** 17n;
  world.chain.mine([], { time: base.time + 3600 });
  await world.settle();
  expect(await statuses(world)).toEqual(["firing"]);
  world.chain.mine([], { on: base, time: base.time + 3601, salt: 1 });
  world.chain.mine();
  await world.settle();
  expect(await statuses(world)).toEqual(["firing", "retracted"]);
});

test("an engine whose partition was dropped behind its back makes another", async () => {
  const { world } = await watching();
  world.chain.mine([emits(1)]);
  await world.settle();
  await h.runJobs();
  world.chain.mine([emits(1)]);
  await world.settle().catch(() => undefined);
  await world.settle();
  expect(await samples()).toEqual([[102, 1]]);
});

test("a proxy's upgrade is followed from the next block, by the new code's ABI, and forgotten with its block", async () => {
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
  await world.settle();
  const upgrade: Scripted = { ...emits(50), upgradesTo: implementation };
  const base = world.chain.tip;
  // The event of the upgrading block is still read by the old code, which does not know the name.
  world.chain.mine([upgrade]);
  world.chain.mine([emits(60)]);
  await world.settle();
  expect((await world.owner.client.get(path)).body).toMatchObject({
    is_proxy: true,
    implementation_address: implementation,
  });
  expect(await samples()).toEqual([[102, 60]]);
  world.chain.mine([], { on: base, salt: 1 });
  world.chain.mine();
  world.chain.mine();
  await world.settle();
  expect((await world.owner.client.get(path)).body).toMatchObject({ implementation_address: null });
  world.chain.mine([emits(70)]);
  await world.settle();
  expect(await samples()).toEqual([]);
});

async function contractPath(world: World): Promise<string> {
  const contracts = (await world.owner.client.get("/contracts")).body as { id: string }[];
  return `/contracts/${contracts.at(-1)?.id}`;
}

/** Waits until the engine has called this of the chain, and called it so that the condition holds. */
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

test("blocks that keep failing to link are said to be what is wrong, until they link again", async () => {
  const world = await freshWorld(h);
  await world.settle();
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
  await world.settle();
  expect(await trouble()).toBeNull();
});

test("nodes that have begun anew are told of until what they have is longer", async () => {
  const { world } = await watching();
  const first = world.chain.tip;
  for (let count = 0; count < local.finality_depth + 5; count++) world.chain.mine();
  await world.settle();
  const followed = world.chain.tip.height;
  world.chain.mine([], { on: first, salt: 7 });
  await world.settle();
  expect(await progress()).toMatchObject({
    height: String(followed),
    last_error: `The nodes report block ${first.height + 1} as the head, far below block ${followed}, which was already processed. Their blocks are applied once their chain is longer.`,
  });
  while (world.chain.tip.height <= followed) world.chain.mine([], { salt: 7 });
  await world.settle();
  expect(await progress()).toMatchObject({ height: String(followed + 1), last_error: null });
});
