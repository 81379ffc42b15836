import { afterEach, expect, test } from "vitest";
import { makeEvmReader } from "../../src/chains/evm/reader.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { makeNode } from "../simchain/node.ts";
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
  const nodes = await Promise.all(trees.map((tree) => makeNode(tree)));
  const urls = nodes.map(({ url }) => url);
  const reader = makeEvmReader({ chain: simulatedChain, urls, clock: systemClock });
  closing.push(...nodes.map(({ close }) => close), reader.close);
  return reader;
}

test("a chain that one endpoint makes up is not believed while others show another, however long it is", async () => {
  const [real, invented] = [grown(1, 20), grown(2, 22)];
  const reader = await readerOf(invented, real, real);
  const { hash } = await reader.head();
  expect(hash).toBe(real.tip.hash);
  expect(reader.trouble?.()).toContain("1 of 3 endpoints show another chain");
  expect((await reader.mark(19))?.hash).toBe(real.tip.parent?.hash);
});

test("endpoints that follow one chain are believed, also where they have not all seen the newest block", async () => {
  const real = grown(1, 20);
  const late = grown(1, 19);
  const reader = await readerOf(late, real);
  await reader.head();
  expect(reader.trouble?.()).toBeUndefined();
});

test("the only endpoint is believed", async () => {
  const invented = grown(2, 22);
  const reader = await readerOf(invented);
  expect((await reader.head()).hash).toBe(invented.tip.hash);
  expect(reader.trouble?.()).toBeUndefined();
});
