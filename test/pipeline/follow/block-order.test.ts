import { expect, test } from "vitest";
import type { Chain } from "../../../src/chains/chain.ts";
import { chainOf } from "../../../src/chains/index.ts";
import { harness } from "../../support/harness.ts";
import type { Scripted } from "../scripted-chain.ts";
import { atLeast, emits, freshWorld, transfers } from "../world.ts";
import { amounts, contractPath, high, makeFollowSteps, statuses } from "./follow-steps.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });
const { samples, progress, watching } = makeFollowSteps(h);

const local = chainOf("local") as Chain;

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
