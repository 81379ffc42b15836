import { setImmediate } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { Block, InternalCall } from "../../src/chains/block.ts";
import { makeEvmReader } from "../../src/chains/evm/reader.ts";
import { ChainError, type ChainReader } from "../../src/chains/reader.ts";
import { inParallel } from "../../src/chains/rpc/in-parallel.ts";
import type { Clock } from "../../src/lib/clock.ts";
import { traceFaults } from "../simchain/faults.ts";
import { changeFaults, heal, makeFaultyNode } from "../simchain/faulty-node.ts";
import { makeNode, type SimNode, type View } from "../simchain/node.ts";
import { seededRandom } from "../simchain/random.ts";
import { simulatedChain } from "../simchain/simulated-chain.ts";
import { plainCalls } from "../simchain/traces.ts";
import { ancestorAt, pathTo, plainBlock, type SimBlock, Tree } from "../simchain/tree.ts";
import { runSize } from "../support/run-size.ts";
import { serveProvider } from "../zoo/proxy.ts";

const method = "debug_traceBlockByHash";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(tree: Tree, views: View[]) {
  const nodes = await Promise.all(views.map((view) => makeNode(tree, view)));
  const reader = readerOf(nodes, leapingClock());
  closing.push(...nodes.map((node) => node.close), reader.close);
  return { nodes, reader };
}

/** Starts a node behind a provider that answers every request for traces with a fault. */
async function startFailing(tree: Tree, fault: Fault) {
  const node = await makeNode(tree, {});
  const provider = await serveProvider(node.url);
  const clock = leapingClock();
  const reader = readerOf([provider], clock);
  closing.push(node.close, provider.close, reader.close);
  provider.setManners(
    "status" in fault
      ? { request: (calls) => (calls.some((call) => call.method === method) ? fault : undefined) }
      : { call: (call, forward) => (call.method === method ? { error: fault } : forward(call)) },
  );
  return { provider, reader, clock };
}

type Fault = { code: number; message: string } | { status: number; body: string };

function readerOf(nodes: readonly { url: string }[], clock: Clock): ChainReader {
  const urls = nodes.map((node) => node.url);
  return makeEvmReader({ chain: simulatedChain, urls, clock, timeoutMs: 1_000, deadlineMs: 20_000 });
}

/** Reads blocks and then their traces; those that could not be fetched stay without. */
async function readTraced(reader: ChainReader, from: number, to: number): Promise<Block[]> {
  const blocks = await reader.blocks(from, to, { receipts: false });
  const found = new Map<string, InternalCall[]>();
  await reader
    .traces?.(blocks, ({ hash }, calls) => found.set(hash, calls))
    .catch((error: unknown) => {
      if (!(error instanceof ChainError) || error.code === "replaced") throw error;
    });
  return blocks.map((block) => {
    const internal_calls = found.get(block.hash);
    return internal_calls ? { ...block, internal_calls } : block;
  });
}

/** A clock on which only sleeping takes time, and sleeps end at once. */
function leapingClock(): Clock {
  let nowMs = Date.parse("2026-01-01");
  return {
    now: () => new Date(nowMs),
    async sleep(ms) {
      nowMs += ms;
      await setImmediate();
    },
  };
}

function grown(seed: number, blocks = 20): Tree {
  const tree = new Tree(seed);
  tree.grow(blocks);
  return tree;
}

const traced = (block: SimBlock) => ({
  ...plainBlock(block, { receipts: false }),
  internal_calls: plainCalls(block),
});
const untraced = (block: SimBlock) => plainBlock(block, { receipts: false });
const timesAsked = (node: SimNode | undefined) =>
  node?.requests.flat().filter((asked) => asked === method).length ?? 0;

describe("internal calls", () => {
  it("are returned with their blocks, and empty blocks are not traced", async () => {
    const tree = grown(1);
    const { nodes, reader } = await start(tree, [{}]);
    const blocks = await readTraced(reader, 0, 20);
    expect(blocks).toEqual(pathTo(tree.tip).map(traced));
    expect(blocks.flatMap(({ internal_calls }) => internal_calls ?? []).length).toBeGreaterThan(20);
    expect(timesAsked(nodes[0])).toBe(blocks.filter(({ transactions }) => transactions.length > 0).length);
  });

  it("come from a node that supports traces, and other nodes are not queried repeatedly", async () => {
    const tree = grown(2);
    const { nodes, reader } = await start(tree, [{ without: { [method]: -32601 } }, {}]);
    for (let height = 1; height <= 20; height++) {
      expect(await readTraced(reader, height, height)).toMatchObject([traced(at(tree, height))]);
    }
    expect(timesAsked(nodes[0])).toBe(1);
  });

  it.each([-32601, -32004, -32602])(
    "are undefined instead of empty when no node supports traces (%s)",
    async (code) => {
      const tree = grown(3);
      const { nodes, reader } = await start(tree, [{ without: { [method]: code } }]);
      await readTraced(reader, 1, 20);
      expect(await readTraced(reader, 1, 20)).toEqual(pathTo(tree.tip).slice(1).map(untraced));
      expect(timesAsked(nodes[0])).toBeLessThanOrEqual(4);
    },
  );

  it.each([
    ["an invalid request", { code: -32600, message: "Must be authenticated!" }],
    ["a failed execution", { code: -32000, message: "execution reverted" }],
    ["an internal error", { code: -32603, message: "internal error" }],
    ["a rate limit", { code: -32005, message: "too many requests" }],
    ["a timeout", { code: -32000, message: "execution timeout" }],
    ["a missing block", { code: -32000, message: "block 0x12 not found" }],
    ["the status 429", { status: 429, body: "slow down" }],
    ["the status 504", { status: 504, body: "Gateway Time-out" }],
  ])("are asked for again soon after %s", async (_, fault) => {
    const tree = grown(6);
    const { provider, reader } = await startFailing(tree, fault);
    expect(await readTraced(reader, 20, 20)).toEqual([untraced(tree.tip)]);
    provider.setManners({});
    expect(await readTraced(reader, 20, 20)).toEqual([traced(tree.tip)]);
  });

  it("are not asked for again soon from a node that has rejected every request for a minute", async () => {
    const tree = grown(7);
    const { provider, reader, clock } = await startFailing(tree, { code: -32602, message: "invalid params" });
    const blocks = await reader.blocks(20, 20, { receipts: false });
    const ask = () => reader.traces?.(blocks, () => undefined);
    for (let asked = 0; asked < 4; asked++) {
      await expect(ask()).rejects.toThrow(`The nodes reject ${method}`);
      await clock.sleep(15_000);
    }
    expect(await ask()).toBe(false);
    expect(await ask()).toBe(false);
    expect(provider.calls.filter((called) => called === method)).toHaveLength(5);
    expect(reader.warning?.()).toContain(`does not support ${method}`);
    provider.setManners({});
    await clock.sleep(10 * 60_000);
    expect(await readTraced(reader, 20, 20)).toEqual([traced(tree.tip)]);
  });

  it("of a block that is too expensive to trace are left out, without those of other blocks", async () => {
    const tree = grown(4);
    const heavy = pathTo(tree.tip).findLast(({ transactions }) => transactions.length > 0) as SimBlock;
    const refusesTrace = (hash: string) => hash === heavy.hash;
    const { reader } = await start(tree, [{ rejectsTrace: refusesTrace }, { rejectsTrace: refusesTrace }]);
    const blocks = await readTraced(reader, 1, 20);
    expect(blocks).toEqual(
      pathTo(tree.tip)
        .slice(1)
        .map((block) => (block === heavy ? untraced(block) : traced(block))),
    );
  });

  it("of a block that is replaced by a reorg are not waited for", async () => {
    const tree = grown(5);
    const from = at(tree, 18);
    const replaceOnce = () => {
      if (at(tree, 18) === from) tree.reorganise(5, { reinclude: 0 });
      return false;
    };
    const { nodes, reader } = await start(tree, [{ rejectsTrace: replaceOnce }]);
    await reader.head();
    await expect(readTraced(reader, 16, 20)).rejects.toThrow("was replaced");
    expect(timesAsked(nodes[0])).toBeLessThanOrEqual(5);
    expect(await readTraced(reader, 16, 21)).toEqual(pathTo(tree.tip).slice(16).map(traced));
  });
});

const count = runSize("TRACE_SEEDS", { short: 3, long: 1_000 });

it(`internal calls are never invented or omitted, with nodes that fail and follow other branches (${count} seeds)`, async () => {
  const seeds = process.env.SEED
    ? [Number(process.env.SEED)]
    : Array.from({ length: count }, (_, seed) => seed);
  await inParallel(16, seeds, (seed) =>
    runSeed(seed).catch((cause: unknown) => {
      throw new Error(`Seed ${seed} failed; run it again with SEED=${seed}.`, { cause });
    }),
  );
}, 600_000);

async function runSeed(seed: number): Promise<void> {
  const random = seededRandom(seed);
  const tree = new Tree(seed, { transactions: 3 });
  tree.grow(8);
  const nodes = await Promise.all([1, 2].map((number) => makeFaultyNode(tree, random, seed * 10 + number)));
  const clock = leapingClock();
  const reader = readerOf(nodes, clock);
  try {
    for (let step = 0; step < 3; step++) {
      for (const node of nodes) node.faults[random.pick(traceFaults)] = 0.5;
      await readBranches(tree, reader);
      tree.reorganise(1 + random.below(4));
      for (const node of nodes) changeFaults(node, random);
    }
    nodes.forEach(heal);
    await recover(tree, reader, clock);
  } finally {
    await reader.close();
    await Promise.all(nodes.map((node) => node.close()));
  }
}

/** After the cooldown of failed nodes, everything can be read again. */
async function recover(tree: Tree, reader: ChainReader, clock: Clock): Promise<void> {
  const { height } = tree.tip;
  const expected = pathTo(tree.tip).slice(-6);
  for (let attempt = 0; attempt < 500; attempt++) {
    const blocks = await readTraced(reader, height - 5, height).catch(noneOf);
    const isComplete = blocks.length > 0 && blocks.every(({ internal_calls }) => internal_calls);
    if (isComplete) return expect(blocks).toEqual(expected.map(traced));
    await clock.sleep(10_000);
  }
  throw new Error("the nodes are well again and still not believed");
}

/** The reader may reject, or omit traces, but it must not return wrong ones. */
async function readBranches(tree: Tree, reader: ChainReader): Promise<void> {
  const { height } = tree.tip;
  for (const block of await readTraced(reader, height - 5, height - 2).catch(noneOf)) {
    const known = tree.get(block.hash) as SimBlock;
    expect(block).toEqual(block.internal_calls ? traced(known) : untraced(known));
  }
}

function noneOf(error: unknown): [] {
  if (error instanceof ChainError) return [];
  throw error;
}

function at(tree: Tree, height: number): SimBlock {
  return ancestorAt(tree.tip, height) as SimBlock;
}
