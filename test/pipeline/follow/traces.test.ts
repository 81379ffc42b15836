import { encodeFunctionData, parseAbi } from "viem";
import { afterAll, expect, test } from "vitest";
import type { Block, InternalCall } from "../../../src/chains/block.ts";
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
import { patientLimits } from "../../support/patient-limits.ts";
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

/** The world of a chain whose traces are returned when the test says so, or fail. */
async function slowWorld() {
  const { world, statusOf } = await tracedWorld();
  const local = chainOf("local") as Chain;
  const fast = fastClock(100);
  let laterMs = 0;
  const clock = { ...fast, now: () => new Date(fast.now().getTime() + laterMs) };
  const app = { ...h.app, clock };
  const waiting: { blocks: readonly Block[]; onCalls: OnCalls; done: (isSupported: boolean) => void }[] = [];
  world.chain.traces = (blocks, onCalls) =>
    new Promise((done) => waiting.push({ blocks: blocks.map((block) => block), onCalls, done }));
  const start = () => new Follower(app, local, world.chain);
  let follower = start();
  afterAll(() => follower.stop());
  return {
    ...{ world, statusOf, waiting },
    catchUp: async () => {
      const steps: string[] = [];
      for (let step = await follower.step(); step !== "idle"; step = await follower.step()) steps.push(step);
      return steps;
    },
    async restart() {
      await follower.stop();
      waiting.length = 0;
      follower = start();
    },
    /** Returns the traces that were asked for: a call of the token in each block with transactions. */
    answer() {
      for (const { blocks, onCalls, done } of waiting.splice(0)) {
        for (const block of blocks)
          onCalls(
            block,
            block.transactions.map(({ hash }) => callIn(hash)),
          );
        done(true);
      }
    },
    /** Hands the chain over from the engine of the world. */
    begin: () => world.restart(),
    advance: (minutes: number) => {
      laterMs += minutes * 60_000;
    },
  };
}

type OnCalls = (block: Block, calls: InternalCall[]) => void;

function callIn(tx_hash: string): InternalCall {
  return { tx_hash, tx_index: 0, from: elsewhere, to: tokenAddress, input, value: 0n, is_success: true };
}

const elsewhereTransaction = (id: number) => ({ id, to: elsewhere, amounts: [] });

test("a block whose traces are late is committed without them, and their calls are counted once when they come", async () => {
  const { world, statusOf, catchUp, answer, begin, waiting } = await slowWorld();
  await begin();
  world.chain.mine([elsewhereTransaction(910_001)]);
  expect(await catchUp()).toEqual(["moved"]);
  const { height } = world.chain.tip;
  expect(await statusOf()).toMatchObject({
    status: "error",
    status_reason: `The nodes have not returned the traces of block ${height} yet (debug_traceBlockByHash). Calls made by other contracts are counted when they arrive.`,
  });
  world.chain.mine([elsewhereTransaction(910_002)]);
  await catchUp();
  expect(waiting.flatMap(({ blocks }) => blocks)).toHaveLength(2);
  expect(await world.events()).toEqual([]);
  answer();
  expect(await catchUp()).toEqual(["rolled_back"]);
  expect(await world.events()).toMatchObject([
    { status: "firing", tx_hash: txHash(910_001), value: 1, block_number: height },
  ]);
  expect(await statusOf()).toMatchObject({ status: "ok", status_reason: null });
  expect(await catchUp()).toEqual([]);
});

test("traces without a call of a watched contract only end the problem in the status", async () => {
  const { world, statusOf, catchUp, begin, waiting } = await slowWorld();
  await begin();
  world.chain.mine([elsewhereTransaction(910_011)]);
  await catchUp();
  expect(await statusOf()).toMatchObject({ status: "error" });
  for (const { blocks, onCalls, done } of waiting.splice(0)) {
    for (const block of blocks) onCalls(block, []);
    done(true);
  }
  world.chain.traces = async (blocks, onCalls) => {
    for (const block of blocks) onCalls(block, []);
    return true;
  };
  world.chain.mine();
  expect(await catchUp()).toEqual(["moved"]);
  expect(await statusOf()).toMatchObject({ status: "ok", status_reason: null });
});

test("late traces are counted after a restart and not for a block that was replaced", async () => {
  const { world, catchUp, answer, begin, restart } = await slowWorld();
  await begin();
  const before = world.chain.tip;
  world.chain.mine([elsewhereTransaction(910_021)]);
  await catchUp();
  world.chain.mine([elsewhereTransaction(910_022)], { on: before, salt: 1 });
  world.chain.mine();
  await catchUp();
  // Also when the traces of both branches come.
  answer();
  await restart();
  const steps = catchUp();
  const answering = setInterval(answer, 5);
  await steps;
  await catchUp();
  clearInterval(answering);
  expect(await world.events()).toMatchObject([{ status: "firing", tx_hash: txHash(910_022) }]);
});

test("traces that are not returned for ten minutes are given up, which the status says", async () => {
  const { world, statusOf, catchUp, begin, advance } = await slowWorld();
  await begin();
  world.chain.mine([elsewhereTransaction(910_031)]);
  const { height } = world.chain.tip;
  await catchUp();
  advance(11);
  world.chain.traces = async (blocks, onCalls) => {
    for (const block of blocks) onCalls(block, []);
    return true;
  };
  world.chain.mine();
  await catchUp();
  expect(await statusOf()).toMatchObject({
    status: "error",
    status_reason: expect.stringContaining(`did not return the traces of block ${height} `),
  });
});

/** Starts an engine that reads a node over HTTP, with a function that moves the node and catches up. */
async function nodeWorld() {
  const world = await freshWorld(h);
  const tree = new Tree(1, { transactions: 0 });
  const node = await makeNode(tree);
  const local = chainOf("local") as Chain;
  const reader = makeEvmReader({ chain: local, urls: [node.url], clock: fastClock(50), ...patientLimits });
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
