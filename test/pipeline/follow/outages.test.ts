import { createServer } from "node:http";
import { afterEach, expect, test } from "vitest";
import type { Chain } from "../../../src/chains/chain.ts";
import { makeEvmReader } from "../../../src/chains/evm/reader.ts";
import { chainOf } from "../../../src/chains/index.ts";
import { ChainError } from "../../../src/chains/reader.ts";
import { runChain } from "../../../src/pipeline/follow/run-chain.ts";
import { runPipeline } from "../../../src/pipeline/follow/run-pipeline.ts";
import { harness } from "../../support/harness.ts";
import { listen } from "../../support/listen.ts";
import { type ScriptedChain, txHash } from "../scripted-chain.ts";
import { atLeast, emits, transfers } from "../world.ts";
import { makeFollowSteps, statuses } from "./follow-steps.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });
const { samples, leaseRunsOut, isHeld, progress, watching } = makeFollowSteps(h);

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

const local = chainOf("local") as Chain;

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
  const { url, close } = await listen(server);
  const urls = [`${url}/`];
  const reader = makeEvmReader({ chain: local, urls, clock: h.app.clock });
  await leaseRunsOut();
  const stop = new AbortController();
  const running = runChain(h.app, local, reader, stop.signal);
  await asked.promise;
  stop.abort();
  // The server never replies, so the shutdown must abort the request.
  await running;
  await close();
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
  let checkSwitches: () => void = () => undefined;
  const app = {
    ...h.app,
    config: { ...h.app.config, rpc: new Map([["local", ["http://127.0.0.1:1"]]]) },
    clock: {
      now: () => h.clock.now(),
      // Only the check of the switches sleeps here; the test decides when it ends.
      sleep: (ms: number, signal?: AbortSignal) =>
        ms === 5_000
          ? new Promise<void>((resolve) => {
              checkSwitches = resolve;
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
  checkSwitches();
  await until(() => closed.times === 1);
  while (await isHeld());
  world.chain.mine([emits(1)]);
  expect(await statuses(world)).toEqual([]);
  await staff.patch("/admin/chains/local", { is_enabled: true });
  checkSwitches();
  await until(() => opened.length === 2);
  await whenever(world.chain, "waitForHead");
  expect(await statuses(world)).toEqual(["firing"]);
});
