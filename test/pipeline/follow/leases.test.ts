import { expect, test } from "vitest";
import type { Chain } from "../../../src/chains/chain.ts";
import { chainOf } from "../../../src/chains/index.ts";
import { Follower } from "../../../src/pipeline/follow/follower.ts";
import { harness } from "../../support/harness.ts";
import { emits } from "../world.ts";
import { catchUp, makeFollowSteps, statuses } from "./follow-steps.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });
const { samples, leaseRunsOut, progress, watching } = makeFollowSteps(h);

const local = chainOf("local") as Chain;

test("one of two engines follows the chain, and the other takes over when it stops", async () => {
  const { world } = await watching();
  const other = world.another();
  world.chain.mine([emits(1)]);
  expect(await other.step()).toBe("standby");
  await world.catchUp();
  expect(await other.step()).toBe("standby");
  await world.restart();
  world.chain.mine();
  await catchUp(other);
  expect(await world.step()).toBe("standby");
  expect(await statuses(world)).toEqual(["firing"]);
  expect(Number((await progress()).height)).toBe(world.chain.tip.height);
});

test("a crashed engine loses the chain when its lease expires", async () => {
  const { world } = await watching();
  const other = world.another();
  expect(await other.step()).toBe("standby");
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
  expect(await world.another().step()).toBe("standby");
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
  expect(await world.step()).toBe("standby");
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
