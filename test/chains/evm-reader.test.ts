import { afterEach, describe, expect, it } from "vitest";
import { makeEvmReader } from "../../src/chains/evm/reader.ts";
import { ChainError } from "../../src/chains/reader.ts";
import { contracts } from "../simchain/contents.ts";
import { fastClock } from "../simchain/fast-clock.ts";
import { makeNode, type SimNode, type View } from "../simchain/node.ts";
import { simulatedChain } from "../simchain/simulated-chain.ts";
import { ancestorAt, canonicalBlocks, pathTo, plainBlock, Tree } from "../simchain/tree.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A reader on nodes that serve a tree of blocks, with a fast clock that shortens cooldowns. */
async function start(
  tree: Tree,
  views: View[],
  options: { speed?: number; urls?: (nodes: SimNode[]) => string[] } = {},
) {
  const nodes = await Promise.all(views.map((view) => makeNode(tree, view)));
  const urls = options.urls?.(nodes) ?? nodes.map((node) => node.url);
  const clock = fastClock(options.speed ?? 50);
  const reader = makeEvmReader({
    chain: simulatedChain,
    urls,
    clock,
    timeoutMs: 2_000,
    deadlineMs: 1_000_000,
  });
  closing.push(...nodes.map((node) => node.close), reader.close);
  return { nodes, reader };
}

function grown(seed: number, blocks = 30): Tree {
  const tree = new Tree(seed);
  tree.grow(blocks);
  return tree;
}

const stripped = (tree: Tree) => pathTo(tree.tip).map((block) => plainBlock(block, { receipts: false }));

describe("the reader on one healthy node", () => {
  it("returns the exact chain, with and without receipts", async () => {
    const tree = grown(1, 60);
    const { reader } = await start(tree, [{}]);
    expect(await reader.head()).toMatchObject({ height: 60, hash: tree.tip.hash });
    expect(await reader.blocks(0, 60, { receipts: true })).toEqual(canonicalBlocks(tree));
    expect(await reader.blocks(0, 60, { receipts: false })).toEqual(stripped(tree));
    expect(await reader.blocks(61, 60, { receipts: false })).toEqual([]);
  });

  it("reads a quiet range with one request for logs and few for blocks", async () => {
    const tree = grown(2, 20);
    const { reader, nodes } = await start(tree, [{}]);
    await reader.blocks(1, 20, { receipts: false });
    const methods = nodes[0]?.requests.flat() ?? [];
    expect(methods.filter((method) => method === "eth_getLogs")).toHaveLength(1);
    expect(nodes[0]?.requests.length).toBeLessThanOrEqual(3);
  });

  it.each([
    ["no receipts of whole blocks", { without: { eth_getBlockReceipts: -32601 } }],
    ["no receipts of whole blocks, said with another code", { without: { eth_getBlockReceipts: -32004 } }],
    ["no logs at all", { without: { eth_getLogs: -32601 } }],
    ["no batches", { maxBatch: 1 }],
    ["small batches", { maxBatch: 3 }],
  ] satisfies [string, View][])("gets by with %s", async (_, view) => {
    const tree = grown(3);
    const { reader } = await start(tree, [view]);
    expect(await reader.blocks(0, 30, { receipts: true })).toEqual(canonicalBlocks(tree));
    expect(await reader.blocks(0, 30, { receipts: false })).toEqual(stripped(tree));
  });

  it("fetches only the receipts that matter from a node without receipts of whole blocks", async () => {
    const tree = grown(4, 20);
    const { reader, nodes } = await start(tree, [{ without: { eth_getBlockReceipts: -32601 } }]);
    const [address = ""] = contracts;
    const blocks = await reader.blocks(1, 20, { receipts: true, watched: new Set([address]) });
    const matter = canonicalBlocks(tree).flatMap(({ transactions, logs }) =>
      transactions.filter(
        ({ to, index }) =>
          to === address || logs.some((log) => log.address === address && log.tx_index === index),
      ),
    );
    const all = blocks.flatMap(({ transactions }) => transactions);
    expect(matter.length).toBeGreaterThan(5);
    expect(matter.length).toBeLessThan(all.length);
    expect(all.filter(({ receipt }) => receipt).map(({ hash }) => hash)).toEqual(
      matter.map(({ hash }) => hash),
    );
    const methods = nodes[0]?.requests.flat() ?? [];
    expect(methods.filter((method) => method === "eth_getTransactionReceipt")).toHaveLength(matter.length);
  });

  it("remembers which methods the node does not support", async () => {
    const tree = grown(3);
    const { reader, nodes } = await start(tree, [{ without: { eth_getBlockReceipts: -32601 } }]);
    for (let height = 1; height <= 10; height++) await reader.blocks(height, height, { receipts: true });
    const asked = nodes[0]?.requests.flat().filter((method) => method === "eth_getBlockReceipts");
    expect(asked).toHaveLength(1);
  });

  it("returns the safe and finalized heights, and block references by height", async () => {
    const tree = grown(4);
    const { reader } = await start(tree, [{}]);
    expect(await reader.blockRef(7)).toMatchObject({ height: 7, hash: ancestorAt(tree.tip, 7)?.hash });
    expect(await reader.blockRef(31)).toBeUndefined();
    expect(await reader.finality()).toEqual({ safe: 26, finalized: 22 });
  });

  it("rejects with a ChainError without keys when a block does not exist yet", async () => {
    const tree = grown(5);
    const { reader } = await start(tree, [{}]);
    const error = await reader.blocks(29, 31, { receipts: false }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ChainError);
    expect(String(error)).not.toContain("key-that-must-not-show");
    expect(String(error)).toContain("127.0.0.1");
  });
});

describe("the reader on nodes that disagree", () => {
  it("follows the node with the highest head and does not mistake a lagging node for a reorg", async () => {
    const tree = grown(6);
    const { reader } = await start(tree, [{ lag: 12 }, { lag: 0 }, { lag: 5 }]);
    expect((await reader.head()).height).toBe(30);
    expect((await reader.blockRef(29))?.hash).toBe(ancestorAt(tree.tip, 29)?.hash);
    expect((await reader.blocks(25, 30, { receipts: false })).at(-1)?.hash).toBe(tree.tip.hash);
  });

  it("does not report a block below the head as missing", async () => {
    const tree = grown(7);
    const { reader, nodes } = await start(tree, [{}]);
    await reader.head();
    nodes[0]?.setLag(10);
    await expect(reader.blockRef(28)).rejects.toBeInstanceOf(ChainError);
  });

  it("follows the nodes to another branch", async () => {
    const tree = grown(8);
    const { reader } = await start(tree, [{}]);
    await reader.head();
    const before = tree.tip;
    tree.reorganise(5, { length: 6 });
    expect((await reader.head()).hash).toBe(tree.tip.hash);
    expect((await reader.blockRef(before.height))?.hash).not.toBe(before.hash);
    expect(await reader.blocks(20, 31, { receipts: true })).toEqual(canonicalBlocks(tree).slice(20));
  });

  it.each(["empty_logs", "missing_log", "extra_log", "wrong_hash", "null_block"] as const)(
    "never believes a node that always answers with %s",
    async (fault) => {
      const tree = grown(9);
      const { reader } = await start(tree, [{ faults: { [fault]: 1 } }, {}]);
      expect(await reader.blocks(1, 30, { receipts: false })).toEqual(stripped(tree).slice(1));
      expect(await reader.blocks(1, 30, { receipts: true })).toEqual(canonicalBlocks(tree).slice(1));
    },
  );

  it("returns nothing when every node lies", async () => {
    const tree = grown(10);
    const { reader } = await start(tree, [
      { faults: { empty_logs: 1 } },
      { faults: { extra_log: 1 }, seed: 1 },
    ]);
    await expect(reader.blocks(1, 30, { receipts: false })).rejects.toBeInstanceOf(ChainError);
    await expect(reader.blocks(1, 30, { receipts: true })).rejects.toBeInstanceOf(ChainError);
  });
});

describe("a chain that hashes its headers differently", () => {
  it("can be read, even when the head changes with every request", async () => {
    const tree = grown(11);
    for (const block of pathTo(tree.tip)) block.header.extraData = "0x01";
    const { reader } = await start(tree, [{}]);
    expect((await reader.head()).height).toBe(30);
    tree.grow();
    expect((await reader.head()).height).toBe(31);
    expect(await reader.blocks(1, 30, { receipts: false })).toEqual(stripped(tree).slice(1, 31));
  });
});
