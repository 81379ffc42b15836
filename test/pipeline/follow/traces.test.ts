import { encodeFunctionData, parseAbi } from "viem";
import { afterAll, expect, test } from "vitest";
import type { Chain } from "../../../src/chains/chain.ts";
import { makeEvmReader } from "../../../src/chains/evm/reader.ts";
import { chainOf } from "../../../src/chains/index.ts";
import { Follower } from "../../../src/pipeline/follow/follower.ts";
import type { Target } from "../../../src/wire/contracts/targets.ts";
import { contracts, makeTransaction, type SimTransaction } from "../../simchain/contents.ts";
import { fastClock } from "../../simchain/fast-clock.ts";
import { makeNode } from "../../simchain/node.ts";
import { calledFunction, plainCalls } from "../../simchain/traces.ts";
import { type SimBlock, Tree } from "../../simchain/tree.ts";
import { harness } from "../../support/harness.ts";
import { txHash } from "../scripted-chain.ts";
import { freshWorld, tokenAddress } from "../world.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });

const function_signature = "transfer(address to, uint256 amount)";
const target = { target_type: "function_call_rate", config: { function_signature, internal: true } };
const elsewhere = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const input = encodeFunctionData({
  abi: parseAbi([`function ${function_signature}`]),
  functionName: "transfer",
  args: [elsewhere, 5n],
});

async function tracedWorld() {
  const world = await freshWorld(h);
  const target_id = await world.watch(target);
  await world.rule(target_id, { operator: "gte", threshold: 1, window_seconds: 60 });
  await world.catchUp();
  const asked: { blocks: number }[] = [];
  const plain = world.chain.blocks.bind(world.chain);
  world.chain.blocks = async (from, to, wants?: object) => {
    asked.push({ ...wants, blocks: to - from + 1 });
    return plain(from, to);
  };
  const statusOf = async () => {
    const { contract_id } = await h.app.db
      .selectFrom("targets")
      .select("contract_id")
      .where("id", "=", target_id)
      .executeTakeFirstOrThrow();
    const targets = (await world.owner.client.get(`/contracts/${contract_id}/targets`)).body as Target[];
    return targets.find(({ id }) => id === target_id);
  };
  return { world, asked, statusOf };
}

test("a call by another contract fires a rule and shows its transaction and arguments", async () => {
  const { world, asked } = await tracedWorld();
  const block = world.chain.mine([{ id: 900_001, to: elsewhere, amounts: [] }]);
  const call = { tx_hash: txHash(900_001), tx_index: 0, from: elsewhere, to: tokenAddress, input, value: 0n };
  block.internal_calls = [{ ...call, is_success: true }];
  await world.catchUp();
  expect(asked.at(-1)).toMatchObject({ traces: true });
  expect(await world.events()).toMatchObject([
    { value: 1, tx_hash: txHash(900_001), explanation: { decoded: { name: "transfer" } } },
  ]);
});

test("batches with traces are small", async () => {
  const { world, asked } = await tracedWorld();
  for (let count = 0; count < 50; count++) world.chain.mine();
  await world.catchUp();
  expect(Math.max(...asked.map(({ blocks }) => blocks))).toBe(20);
});

test("a target that needs traces reports that the node has none", async () => {
  const { world, statusOf } = await tracedWorld();
  world.chain.mine([{ id: 900_002, to: elsewhere, amounts: [] }]);
  await world.catchUp();
  expect(await statusOf()).toMatchObject({
    status: "error",
    status_reason: expect.stringContaining("traces"),
  });
  expect(await world.events()).toEqual([]);
});

/** Starts an engine that reads a node over HTTP, with a function that moves the node and catches up. */
async function nodeWorld() {
  const world = await freshWorld(h);
  const tree = new Tree(1, { transactions: 0 });
  const node = await makeNode(tree);
  const local = chainOf("local") as Chain;
  const reader = makeEvmReader({ chain: local, urls: [node.url], clock: fastClock(50) });
  afterAll(async () => {
    await reader.close();
    await node.close();
  });
  const follower = new Follower(h.app, local, reader);
  const goTo = async (tip: SimBlock) => {
    tree.setTip(tip);
    while ((await follower.step()) !== "idle");
  };
  await goTo(tree.extend(tree.tip));
  return { world, tree, goTo };
}

/** Returns a transaction in which another contract calls this one. */
function transactionCalling({ random }: Pick<Tree, "random">, address: string): SimTransaction {
  const transaction = makeTransaction(random);
  const calls = plainCalls({ transactions: [transaction] });
  const isFit = transaction.to !== address && calls.some(({ to }) => to === address);
  return isFit ? transaction : transactionCalling({ random }, address);
}

test("an event of a traced call is retracted with its block and fires again in the next block with the call", async () => {
  const { world, tree, goTo } = await nodeWorld();
  const [address = ""] = contracts;
  const config = { function_signature: calledFunction, internal: true };
  const target_id = await world.watch({ target_type: "function_call_rate", config }, address);
  await world.rule(target_id, { operator: "gte", threshold: 1, window_seconds: 60 });
  const before = tree.extend(tree.tip);
  await goTo(before);
  const transaction = transactionCalling(tree, address);
  const include = [transaction];
  await goTo(tree.extend(before, { include, seconds: 2 }));
  const fired = await world.events();
  expect(fired).toMatchObject([
    { status: "firing", tx_hash: transaction.hash, explanation: { decoded: { name: "touch" } } },
  ]);
  const without = tree.extend(before, { count: 2, seconds: 2 });
  await goTo(without);
  expect(await world.events()).toMatchObject([{ id: fired[0]?.id, status: "retracted" }]);
  await goTo(tree.extend(without, { include, seconds: 2 }));
  expect(await world.events()).toMatchObject([{ id: fired[0]?.id, status: "firing" }]);
});
