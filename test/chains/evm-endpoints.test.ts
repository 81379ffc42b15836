import { afterEach, describe, expect, it } from "vitest";
import type { Read } from "../../src/chains/block.ts";
import { classifyEvmError } from "../../src/chains/evm/classify-error.ts";
import { makeEvmReader } from "../../src/chains/evm/reader.ts";
import { ChainError } from "../../src/chains/reader.ts";
import { RpcError } from "../../src/chains/rpc/failure.ts";
import { makeRpc } from "../../src/chains/rpc/rpc.ts";
import { makeAddressPolicy } from "../../src/lib/outbound/address-policy.ts";
import { makeOutbound } from "../../src/lib/outbound/outbound.ts";
import { contracts } from "../simchain/contents.ts";
import { fastClock } from "../simchain/fast-clock.ts";
import { makeNode, type View } from "../simchain/node.ts";
import { simulatedChain } from "../simchain/simulated-chain.ts";
import { pathTo, plainBlock, Tree } from "../simchain/tree.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(views: View[], { speed = 50, maxBytes }: { speed?: number; maxBytes?: number } = {}) {
  const tree = new Tree(5);
  tree.grow(120);
  const nodes = await Promise.all(views.map((view) => makeNode(tree, view)));
  const outbound = makeOutbound({ policy: makeAddressPolicy({ allow: ["127.0.0.1/32"] }) });
  const clock = fastClock(speed);
  const rpc = makeRpc({
    urls: nodes.map(({ url }) => url),
    outbound,
    clock,
    timeoutMs: 300,
    maxBytes,
    classifyError: classifyEvmError,
  });
  closing.push(...nodes.map((node) => node.close), outbound.close, rpc.close);
  return { tree, nodes, rpc, clock };
}

/** The fast clock would reach the default deadline in 400 ms of real time, which a busy machine may take. */
const deadlineMs = 3_000_000;

const headCall: [string, unknown[]] = ["eth_blockNumber", []];

describe("a request", () => {
  it.each([
    ["too_many"],
    ["too_many_retry_after"],
    ["server_error"],
    ["html"],
    ["truncated"],
    ["stall"],
    ["limit_error"],
    ["internal_error"],
  ] as const)("fails over to the next endpoint when one replies with %s", async (fault) => {
    const { rpc } = await start([{ faults: { [fault]: 1 }, stallMs: 600 }, {}]);
    expect(await rpc.request(...headCall)).toBe("0x78");
  });

  it("fails over when an endpoint does not accept connections", async () => {
    const { rpc, nodes } = await start([{}, {}]);
    await nodes[0]?.close();
    expect(await rpc.request(...headCall)).toBe("0x78");
  });

  it("fails over when a result that must exist is null", async () => {
    const { rpc } = await start([{ lag: 100 }, {}]);
    const params = ["0x70", false];
    expect(await rpc.request("eth_getBlockByNumber", params)).toBeNull();
    expect(await rpc.request("eth_getBlockByNumber", params, { mustExist: true })).toMatchObject({
      number: "0x70",
    });
  });

  it("that is invalid is rejected without failover", async () => {
    const { rpc, nodes } = await start([{ acceptsHashes: false }, {}]);
    const error = await rpc.request("eth_getBalance", ["0x00", {}]).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RpcError);
    expect(error).toMatchObject({ code: -32602 });
    expect(nodes[1]?.requests).toEqual([]);
  });

  it("whose reply exceeds the size limit fails early", async () => {
    const { rpc } = await start([{}], { maxBytes: 200 });
    await expect(rpc.request("eth_getBlockByNumber", ["0x1", true])).rejects.toBeInstanceOf(ChainError);
  });

  it("that fails at every endpoint rejects with hosts and failures, but no keys", async () => {
    const { rpc } = await start([{ faults: { html: 1 } }, { faults: { server_error: 1 } }]);
    const error = await rpc.request(...headCall).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ChainError);
    expect(String(error)).toMatch(/127\.0\.0\.1:\d+ returned a reply that is not JSON-RPC/);
    const { publicMessage } = error as ChainError;
    expect(publicMessage).toMatch(/returned a reply that is not JSON-RPC/);
    expect(publicMessage).not.toContain("127.0.0.1");
    expect(JSON.stringify([String(error), rpc.stats()])).not.toContain("key-that-must-not-show");
  });
});

describe("an endpoint that rejects every request", () => {
  it("is skipped for every kind of read", async () => {
    const { tree, nodes, clock } = await start([{ faults: { blames_request: 1 } }, {}]);
    const reader = makeEvmReader({
      chain: simulatedChain,
      urls: nodes.map(({ url }) => url),
      clock,
      deadlineMs,
    });
    closing.push(reader.close);
    const { height, hash } = tree.tip;
    expect(await reader.head()).toMatchObject({ height, hash });
    await reader.close();
    const again = makeEvmReader({
      chain: simulatedChain,
      urls: nodes.map(({ url }) => url),
      clock,
      deadlineMs,
    });
    closing.push(again.close);
    // Before any request to either of them.
    const balance: Read = { kind: "balance", address: contracts[0] as string };
    expect(await again.read([balance], { height, hash })).toMatchObject([{ ok: true }]);
    expect(await again.blockRef(height - 1)).toMatchObject({ hash: tree.tip.parent?.hash });
    expect(await again.blocks(height, height, { receipts: true })).toMatchObject([{ hash }]);
  });
});

describe("a batch", () => {
  it.each(["doubled_id", "lost_id", "shuffled"] as const)(
    "returns every result despite replies with %s",
    async (fault) => {
      const { rpc } = await start([{ faults: { [fault]: 1 } }, {}]);
      const calls = Array.from({ length: 40 }, (_, height) => ({
        method: "eth_getBlockByNumber",
        params: [`0x${height.toString(16)}`, false],
      }));
      const results = await rpc.batch(calls);
      expect(results.map((result) => result.ok && (result.result as { number: string }).number)).toEqual(
        calls.map(({ params }) => params[0]),
      );
    },
  );
});

describe("an endpoint that is always rate limited", () => {
  it("gets fewer and fewer requests", async () => {
    const { rpc, nodes, clock } = await start([{ faults: { too_many: 1 } }], { speed: 100 });
    const until = clock.now().getTime() + 60_000;
    while (clock.now().getTime() < until) {
      await rpc.request(...headCall).catch(() => undefined);
      await clock.sleep(250);
    }
    // One minute on its clock, with four requests a second.
    expect(nodes[0]?.requests.length).toBeLessThanOrEqual(12);
  });

  it("delays no request while another endpoint is available", async () => {
    const { rpc, nodes } = await start([{ faults: { too_many_retry_after: 1 } }, {}]);
    for (let at = 0; at < 30; at++) await rpc.request(...headCall);
    expect(nodes[0]?.requests.length).toBeLessThanOrEqual(4);
  });
});

const limits: [string, number, (limit: number) => string][] = [
  ["Infura", -32005, () => "query returned more than 10000 results"],
  ["Alchemy", -32602, () => "Log response size exceeded. this block range should work: [0x1, 0x5]"],
  ["QuickNode", -32614, (limit) => `eth_getLogs is limited to a ${limit} range`],
  [
    "Cloudflare",
    -32047,
    (limit) => `Invalid eth_getLogs request. 'fromBlock'-'toBlock' range too large. Max range: ${limit}`,
  ],
  ["Ankr", -32600, () => "block range is too wide"],
  ["publicnode", -32701, (limit) => `exceed maximum block range: ${limit}`],
  ["Arbitrum", -32000, () => "logs matched by query exceeds limit of 10000"],
  ["dRPC", 35, () => "ranges over 10000 blocks are not supported on freetier"],
  ["a gateway", -32000, () => "backend response too large"],
];

describe.each(limits)("a range of logs that %s rejects", (_, code, text) => {
  it.each([1, 7, 30])("is narrowed until it spans at most %d blocks", async (blocks) => {
    const rangeLimit = { blocks, code, text: () => text(blocks) };
    const { tree, nodes, clock } = await start([{ rangeLimit }]);
    const reader = makeEvmReader({
      chain: simulatedChain,
      urls: nodes.map(({ url }) => url),
      clock,
      deadlineMs,
    });
    closing.push(reader.close);
    const expected = pathTo(tree.tip).map((block) => plainBlock(block, { receipts: false }));
    for (const from of [1, 41, 81]) {
      expect(await reader.blocks(from, from + 39, { receipts: false })).toEqual(
        expected.slice(from, from + 40),
      );
    }
    // The limit is remembered, so the range is narrowed once and not for every request.
    const refused = nodes[0]?.requests.flat().filter((method) => method === "eth_getLogs").length ?? 0;
    expect(refused).toBeLessThanOrEqual(blocks === 1 ? 130 : Math.ceil(120 / Math.min(blocks, 20)) * 2.5 + 8);
  });
});
