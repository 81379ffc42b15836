import { afterEach, expect, test } from "vitest";
import type { Chain } from "../../src/chains/chain.ts";
import { makeEvmReader } from "../../src/chains/evm/reader.ts";
import { chainOf } from "../../src/chains/index.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { makeNode, type View } from "../simchain/node.ts";
import { simulatedChain } from "../simchain/simulated-chain.ts";
import { Tree } from "../simchain/tree.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function grown(seed: number, blocks: number): Tree {
  const tree = new Tree(seed);
  tree.grow(blocks);
  return tree;
}

async function readerOf(...trees: Tree[]) {
  return readerFrom(
    simulatedChain,
    trees.map((tree) => [tree, {}]),
  );
}

async function readerFrom(chain: Chain, views: [Tree, View][]) {
  const nodes = await Promise.all(views.map(([tree, view]) => makeNode(tree, view)));
  const urls = nodes.map(({ url }) => url);
  const reader = makeEvmReader({ chain, urls, clock: systemClock, deadlineMs: 2000 });
  closing.push(...nodes.map(({ close }) => close), reader.close);
  return reader;
}

test.each([22, 200])(
  "a forged chain of %d blocks from one endpoint is not followed while other endpoints agree on another",
  async (longer) => {
    const [real, invented] = [grown(1, 20), grown(2, longer)];
    const reader = await readerOf(invented, real, real);
    const { hash } = await reader.head();
    expect(hash).toBe(real.tip.hash);
    expect(reader.warning?.()).toContain("1 of 3 endpoints show a different chain");
    expect((await reader.blockRef(19))?.hash).toBe(real.tip.parent?.hash);
  },
);

test("endpoints on the same chain agree, even when some lack the newest block", async () => {
  const real = grown(1, 20);
  const late = grown(1, 19);
  const reader = await readerOf(late, real);
  await reader.head();
  expect(reader.warning?.()).toBeUndefined();
});

test("a single endpoint is trusted", async () => {
  const invented = grown(2, 22);
  const reader = await readerOf(invented);
  expect((await reader.head()).hash).toBe(invented.tip.hash);
  expect(reader.warning?.()).toBeUndefined();
});

const base = chainOf("base") as Chain;
const [own, polygon, fork] = [{ chainId: 8453 }, { chainId: 137 }, { chainId: 31_337 }];

test("a node of another chain is not used, and the error names its chain id", async () => {
  const [here, elsewhere] = [grown(1, 20), grown(2, 200)];
  const both = await readerFrom(base, [
    [elsewhere, polygon],
    [here, own],
  ]);
  expect((await both.head()).hash).toBe(here.tip.hash);
  expect(await both.blocks(20, 20, { receipts: true })).toMatchObject([{ hash: here.tip.hash }]);
  const alone = await readerFrom(base, [[elsewhere, polygon]]);
  await expect(alone.head()).rejects.toThrow("serves chain 137 instead of 8453");
});

test("a development node may serve any chain, and a node without eth_chainId is trusted", async () => {
  const tree = grown(1, 20);
  for (const view of [own, fork, { without: { eth_chainId: -32601 } }]) {
    const reader = await readerFrom(base, [[tree, view]]);
    expect((await reader.head()).hash).toBe(tree.tip.hash);
  }
});
