import { afterEach, expect, test } from "vitest";
import { Follower } from "../../../src/pipeline/follow/follower.ts";
import { contracts, makeTransaction, type SimLog, topics } from "../../simchain/contents.ts";
import type { SimBlock } from "../../simchain/tree.ts";
import { harness } from "../../support/harness.ts";
import { type EventWorld, fast, startEventWorld } from "../event-world.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const [address = ""] = contracts;
const word = `0x${"0".repeat(63)}1` as const;
const transfer: SimLog = { address, topics: [topics.transfer, word, word], data: word };

/** Extends a branch by empty blocks and one with a transfer, whose transaction it returns with the last block. */
function extendWithTransfer({ tree }: EventWorld, from: SimBlock, emptyBefore: number, emptyAfter: number) {
  const include = [{ ...makeTransaction(tree.random), is_success: true, to: address, logs: [transfer] }];
  const before = emptyBefore > 0 ? tree.extend(from, { count: emptyBefore, seconds: 1 }) : from;
  const tip = tree.extend(tree.extend(before, { include, seconds: 1 }), { count: emptyAfter, seconds: 1 });
  return { tip, tx_hash: include[0]?.hash };
}

/** Follows the chain as a process that starts again. */
async function restartAndReachHead({ follower, reader, tree }: EventWorld): Promise<void> {
  await follower.stop();
  const restarted = new Follower(h.app, fast, reader);
  closing.unshift(() => restarted.stop());
  for (let steps = 0; steps < 8 && restarted.cursor?.hash !== tree.tip.hash; steps++) await restarted.step();
  expect(restarted.cursor?.hash).toBe(tree.tip.hash);
}

const hashesOf = async (world: EventWorld) =>
  (await world.events()).filter(({ status }) => status !== "retracted").map(({ tx_hash }) => tx_hash);

test("a branch that replaces every block since following began loses no event", async () => {
  const world = await startEventWorld(h, { chain: fast, transactions: 0 });
  closing.push(world.close);
  const { tree } = world;
  const start = tree.tip;
  const old = extendWithTransfer(world, start, 30, 5);
  tree.setTip(old.tip);
  await world.reachHead();
  expect(await hashesOf(world)).toEqual([old.tx_hash]);
  const replacing = extendWithTransfer(world, start, 10, 40);
  tree.setTip(replacing.tip);
  await restartAndReachHead(world);
  expect(await hashesOf(world)).toEqual([replacing.tx_hash]);
});

test("a branch that replaces the end of a batch longer than the retained blocks loses no event", async () => {
  const world = await startEventWorld(h, { chain: fast, transactions: 0 });
  closing.push(world.close);
  const { tree } = world;
  // The end of this batch is a height at which old blocks are deleted.
  const shared = tree.extend(tree.tip, { count: 1_275 - tree.tip.height, seconds: 1 });
  tree.setTip(tree.extend(shared, { count: 5, seconds: 1 }));
  await world.reachHead();
  const replacing = extendWithTransfer(world, shared, 2, 40);
  tree.setTip(replacing.tip);
  await restartAndReachHead(world);
  expect(await hashesOf(world)).toEqual([replacing.tx_hash]);
});
