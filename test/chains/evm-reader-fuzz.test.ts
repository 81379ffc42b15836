import { expect, it } from "vitest";
import { makeEvmReader } from "../../src/chains/evm/reader.ts";
import { ChainError, type ChainReader } from "../../src/chains/reader.ts";
import { inParallel } from "../../src/chains/rpc/in-parallel.ts";
import { fastClock } from "../simchain/fast-clock.ts";
import { heal, makeFaultyNode } from "../simchain/faulty-node.ts";
import type { SimNode } from "../simchain/node.ts";
import { type SeededRandom, seededRandom } from "../simchain/random.ts";
import { simulatedChain } from "../simchain/simulated-chain.ts";
import { plainBlock, Tree } from "../simchain/tree.ts";
import { runSize } from "../support/run-size.ts";

// SEED=<number> runs one seed again; LONG=1 runs many more.
const first = Number(process.env.SEED ?? 1);
const count = process.env.SEED ? 1 : runSize("READER_SEEDS", { short: 2, long: 3_000 });
/** Seeds that found a bug: a receipt without logs that duplicated those of another receipt. */
const once = process.env.SEED ? [] : [2732];

it(`the EVM reader returns only complete blocks of the chain from nodes that fail, lag and lie (${count} seeds)`, async () => {
  const seeds = [...Array.from({ length: count }, (_, at) => first + at), ...once];
  // A seed spends most of its time waiting for nodes that stall.
  await inParallel(16, seeds, (seed) =>
    runSeed(seed).catch((cause: unknown) => {
      throw new Error(`Seed ${seed} failed; run it again with SEED=${seed}.`, { cause });
    }),
  );
}, 1_200_000);

async function runSeed(seed: number): Promise<void> {
  const random = seededRandom(seed);
  const tree = new Tree(seed, { transactions: 3 });
  tree.grow(8);
  const nodes = await Promise.all(
    [1, 2, 3].map((number) => makeFaultyNode(tree, random, seed * 10 + number)),
  );
  const urls = nodes.map((node) => node.url);
  // The fast clock would reach the default deadline in 100 ms of real time, which a busy machine may take.
  const limits = { timeoutMs: 300, deadlineMs: 1_000_000 };
  const reader = makeEvmReader({ chain: simulatedChain, urls, clock: fastClock(200), ...limits });
  try {
    for (let step = 0; step < 3; step++) {
      await readBranches(tree, reader, random.chance(0.5));
      moveOn(tree, nodes, random);
    }
    await recover(tree, reader, nodes);
  } finally {
    await reader.close();
    await Promise.all(nodes.map((node) => node.close()));
  }
}

/** Reads the chain. The reader may reject, but it must not return wrong data. */
async function readBranches(tree: Tree, reader: ChainReader, receipts: boolean): Promise<void> {
  const head = await orUndefined(reader.head());
  if (!head) return;
  expect(tree.get(head.hash)?.height).toBe(head.height);
  const blocks =
    (await orUndefined(reader.blocks(Math.max(0, head.height - 6), head.height, { receipts }))) ?? [];
  for (const block of blocks) {
    const known = tree.get(block.hash);
    expect(known && plainBlock(known, { receipts })).toEqual(block);
  }
  const ref = await orUndefined(reader.blockRef(head.height - 2));
  if (ref) expect(tree.get(ref.hash)?.height).toBe(head.height - 2);
}

function moveOn(tree: Tree, nodes: SimNode[], random: SeededRandom): void {
  if (random.chance(0.4)) {
    const stale = tree.tip;
    tree.reorganise(1 + random.below(3));
    // One node may stay on a branch that the others left.
    if (random.chance(0.5)) random.pick(nodes).setTip(stale);
  } else tree.grow(1 + random.below(3));
}

/** With one healthy node, the whole chain can be read again. */
async function recover(tree: Tree, reader: ChainReader, nodes: SimNode[]): Promise<void> {
  const [well] = nodes;
  if (well) heal(well);
  const { height } = tree.tip;
  for (let attempt = 0; attempt < 100; attempt++) {
    const blocks = (await orUndefined(reader.blocks(height - 4, height, { receipts: true }))) ?? [];
    for (const block of blocks) {
      const known = tree.get(block.hash);
      expect(known && plainBlock(known)).toEqual(block);
    }
    if (blocks.at(-1)?.hash === tree.tip.hash) return;
    await reader.head().catch(ignoreChainError);
  }
  throw new Error("The reader did not recover.");
}

async function orUndefined<Value>(work: Promise<Value>): Promise<Value | undefined> {
  return work.catch(ignoreChainError);
}

function ignoreChainError(error: unknown): undefined {
  if (!(error instanceof ChainError)) throw error;
}
