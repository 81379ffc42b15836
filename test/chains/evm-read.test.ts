import { afterEach, describe, expect, it } from "vitest";
import type { Hex, Read } from "../../src/chains/block.ts";
import { makeEvmReader } from "../../src/chains/evm/reader.ts";
import { selectors } from "../simchain/call.ts";
import { contracts } from "../simchain/contents.ts";
import { fastClock } from "../simchain/fast-clock.ts";
import { makeNode, type View } from "../simchain/node.ts";
import { simulatedChain } from "../simchain/simulated-chain.ts";
import { accountOf } from "../simchain/state.ts";
import { ancestorAt, type SimBlock, Tree } from "../simchain/tree.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(views: View[], multicall3: Hex | null = simulatedChain.multicall3, speed = 50) {
  const tree = new Tree(77);
  tree.grow(30);
  const nodes = await Promise.all(views.map((view) => makeNode(tree, view)));
  const chain = { ...simulatedChain, multicall3 };
  const reader = makeEvmReader({
    chain,
    urls: nodes.map(({ url }) => url),
    clock: fastClock(speed),
    // By a faster clock, a node needs longer to reply.
    timeoutMs: 40 * speed,
    deadlineMs: 20_000 * speed,
  });
  closing.push(...nodes.map((node) => node.close), reader.close);
  const at = ancestorAt(tree.tip, 20) as SimBlock;
  return { tree, nodes, reader, at };
}

const [first = "", second = ""] = contracts;
const call = (data: Hex, to = first): Read => ({ kind: "call", to, data });
const word = (value: bigint | number) => `0x${value.toString(16).padStart(64, "0")}`;

const views: [string, View, Hex | null][] = [
  ["through Multicall3", {}, simulatedChain.multicall3],
  ["without Multicall3", {}, null],
  ["where Multicall3 is not deployed", {}, "0x00000000000000000000000000000000000000aa"],
  ["from a node that knows blocks by height only", { acceptsHashes: false }, simulatedChain.multicall3],
  ["from a node that rejects batches", { maxBatch: 1 }, null],
];

describe.each(views)("state %s", (_, view, multicall3) => {
  it("is read at the block, and each read fails independently", async () => {
    const { reader, at } = await start([view], multicall3);
    const account = accountOf(at.state, first);
    const reads: Read[] = [
      call(selectors.totalSupply),
      call(selectors.reverts),
      { kind: "balance", address: first },
      { kind: "storage", address: first, slot: word(0) as Hex },
      call(selectors.revertsWithoutReason),
      call(selectors.totalSupply, second),
      call("0x12345678", "0x00000000000000000000000000000000000000ff"),
      call(selectors.confusesTheNode),
    ];
    expect(await reader.read(reads, at)).toEqual([
      { ok: true, data: word(account.logs * 1000) },
      { ok: false, code: "reverted", problem: "The call reverted: not allowed" },
      { ok: true, data: word(account.balance) },
      { ok: true, data: word(account.logs) },
      { ok: false, code: "reverted", problem: "The call reverted." },
      { ok: true, data: word(accountOf(at.state, second).logs * 1000) },
      { ok: true, data: "0x" },
      { ok: false, code: "unavailable", problem: "The node returned error -32000 for eth_call." },
    ]);
  });
});

describe("many reads", () => {
  it("take few requests", async () => {
    const { reader, nodes, at } = await start([{}]);
    const reads = Array.from({ length: 600 }, () => call(selectors.totalSupply));
    const results = await reader.read(reads, at);
    expect(results.every((result) => result.ok)).toBe(true);
    expect(nodes[0]?.requests.length).toBeLessThanOrEqual(4);
  });

  it("succeed despite a call that uses up all gas", async () => {
    const { reader, at } = await start([{}]);
    const reads = [
      call(selectors.burnsAllGas),
      ...Array.from({ length: 20 }, () => call(selectors.totalSupply)),
    ];
    const [burning, ...others] = await reader.read(reads, at);
    expect(burning).toMatchObject({ ok: false });
    expect(others.every((result) => result.ok)).toBe(true);
  });

  it("without any read send no request", async () => {
    const { reader, nodes, at } = await start([{}]);
    expect(await reader.read([], at)).toEqual([]);
    expect(nodes[0]?.requests).toEqual([]);
  });
});

describe("an endpoint failure", () => {
  it("is not reported as a failed read, and leads to failover", async () => {
    const { reader, at } = await start([{ faults: { server_error: 1 } }, { lag: 25 }, {}]);
    expect(await reader.read([call(selectors.paused)], at)).toMatchObject([{ ok: true }]);
  });

  it("at every endpoint is the result of each read, with a code and a sentence", async () => {
    const { reader, at } = await start([{ faults: { html: 1 } }, { lag: 25 }]);
    const failed = { ok: false, code: "unavailable", problem: expect.stringMatching(/^The node .+\.$/) };
    expect(await reader.read([call(selectors.paused)], at)).toEqual([failed]);
  });

  it("of the rate limit leaves the reads that succeeded, and says which one is limited", async () => {
    // The reader waits some minutes of its clock before it gives up.
    const { reader, at } = await start([{ without: { eth_getBalance: -32005 } }], null, 500);
    const reads: Read[] = [call(selectors.paused), { kind: "balance", address: first }];
    expect(await reader.read(reads, at)).toMatchObject([{ ok: true }, { ok: false, code: "limited" }]);
  });

  it.each([true, false])("never leads to a read from another branch (by hash: %s)", async (acceptsHashes) => {
    const { reader, tree, at } = await start([{ acceptsHashes: acceptsHashes }]);
    tree.reorganise(15, { length: 20 });
    await expect(
      reader.read([call(selectors.totalSupply), call(selectors.paused)], at),
    ).rejects.toMatchObject({ name: "ChainError", code: "replaced" });
  });
});
