import { afterEach, expect, test } from "vitest";
import type { Chain } from "../../src/chains/chain.ts";
import { makeEvmReader } from "../../src/chains/evm/reader.ts";
import { chainOf } from "../../src/chains/index.ts";
import { identifyEvents, mergeEvents, type ReadingPlan } from "../../src/chains/reading-plan.ts";
import { contracts, topics } from "../simchain/contents.ts";
import { fastClock } from "../simchain/fast-clock.ts";
import { makeNode } from "../simchain/node.ts";
import { pathTo, plainBlock, Tree } from "../simchain/tree.ts";
import { patientLimits } from "../support/patient-limits.ts";
import { type Call, type Forward, type Reply, serveProvider } from "../zoo/proxy.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const [address = ""] = contracts;
const events = mergeEvents([{ address, topics: [topics.transfer] }]);
const plan: Extract<ReadingPlan, { reads: "logs" }> = {
  ...{ reads: "logs", events, filter: identifyEvents(events), hasRules: false },
  ...{
    pollingSeconds: undefined,
    stateTargets: 0,
    ownCalls: 0,
    stateAddresses: new Set(),
    holders: new Map(),
    awaitsFinality: false,
  },
};
const local = chainOf("local") as Chain;
const fast: Chain = { ...local, block_time_ms: 250, alwaysProducesBlocks: true };

async function start(chain: Chain, rangeLimit?: number) {
  const tree = new Tree(7, { transactions: 3 });
  tree.grow(30);
  const text = () => `exceeds max block range: ${rangeLimit}`;
  const node = await makeNode(
    tree,
    rangeLimit ? { rangeLimit: { blocks: rangeLimit, code: -32602, text } } : {},
  );
  const provider = await serveProvider(node.url);
  const reader = makeEvmReader({ chain, urls: [provider.url], clock: fastClock(20), ...patientLimits });
  closing.push(node.close, provider.close, reader.close);
  /** The watched logs of the chain, by height. */
  const expected = (from: number) =>
    pathTo(tree.tip)
      .filter(({ height }) => height >= from)
      .map((block) => plainBlock(block))
      .map(({ height, hash, time, logs }) => {
        const own = logs.filter((log) => log.address === address && log.topics[0] === topics.transfer);
        return { height, hash, time, logs: own };
      });
  return { tree, provider, reader, expected };
}

test("a scan returns every block with its watched logs, from the logs of the range and one header for each block", async () => {
  const { reader, provider, expected } = await start(local);
  const head = await reader.head();
  provider.calls.length = 0;
  const blocks = await reader.scan?.(21, head.height, plan);
  expect(blocks).toMatchObject(expected(21));
  // One call for the range, and one for a block whose bloom filter names the address and the event for other logs.
  expect(provider.calls.filter((method) => method === "eth_getLogs")).toHaveLength(2);
  // The header of the head is known.
  expect(provider.calls.filter((method) => method === "eth_getBlockByNumber")).toHaveLength(9);
});

test("on a chain with fast blocks, a scan returns the blocks with watched logs and the last one", async () => {
  const { reader, expected } = await start(fast);
  const head = await reader.head();
  const blocks = await reader.scan?.(1, head.height, plan);
  const some = expected(1).filter(({ logs, height }) => logs.length > 0 || height === head.height);
  expect(some.length).toBeLessThan(expected(1).length);
  expect(blocks).toMatchObject(some);
});

test("a scan is split by the range that the endpoint allows, which is remembered", async () => {
  const { reader, provider, expected } = await start(local, 7);
  const head = await reader.head();
  expect(await reader.scan?.(1, head.height, plan)).toMatchObject(expected(1));
  // The next step begins.
  await reader.findLateLogs?.([], head, plan);
  const spans: number[] = [];
  provider.setManners({
    call(call, forward) {
      const { fromBlock, toBlock } = (call.params[0] ?? {}) as Record<string, unknown>;
      if (fromBlock) spans.push(Number(toBlock) - Number(fromBlock) + 1);
      return forward(call);
    },
  });
  expect(await reader.scan?.(11, head.height, plan)).toMatchObject(expected(11));
  expect(spans).toEqual([7, 7, 6]);
});

test("logs that an endpoint indexed late are found by the next scan, as a fork below their block", async () => {
  const { tree, reader, provider, expected } = await start(fast);
  const late = expected(20).find(({ logs, height }) => logs.length > 0 && height < tree.tip.height);
  if (!late) throw new Error("The chain has no logs.");
  provider.setManners({
    async call(call, forward) {
      const reply = await forward(call);
      if (call.method !== "eth_getLogs" || !("result" in reply) || !Array.isArray(reply.result)) return reply;
      return { result: reply.result.filter(({ blockNumber }) => Number(blockNumber) !== late.height) };
    },
  });
  const head = await reader.head();
  await reader.findLateLogs?.([{ ...head, height: 1 }], head, plan);
  const blocks = (await reader.scan?.(1, head.height, plan)) ?? [];
  expect(blocks.map(({ height }) => height)).not.toContain(late.height);
  provider.setManners({});
  tree.grow();
  const next = await reader.head();
  const refs = blocks.toReversed();
  const fork = await reader.findLateLogs?.(refs, next, plan);
  expect(fork).toMatchObject({ isLate: true });
  expect(fork?.ancestor).toEqual(refs.find(({ height }) => height < late.height));
  const again = await reader.scan?.((fork?.ancestor.height ?? 0) + 1, next.height, plan);
  expect(again).toContainEqual(expect.objectContaining({ hash: late.hash, logs: late.logs }));
});

test("an endpoint that omits all logs of a block is not believed, because the bloom filter names them", async () => {
  const { reader, provider, expected } = await start(local);
  const head = await reader.head();
  provider.setManners({
    call: (call, forward) => (call.method === "eth_getLogs" ? { result: [] } : forward(call)),
  });
  await expect(reader.scan?.(1, head.height, plan)).rejects.toThrow("bloom filter");
  provider.setManners({});
  expect(await reader.scan?.(1, head.height, plan)).toMatchObject(expected(1));
});

test("an endpoint that rejects filters by address is read by whole blocks", async () => {
  const { reader, provider, expected } = await start(local);
  const head = await reader.head();
  provider.setManners({
    call: (call, forward) =>
      call.method === "eth_getLogs" && "address" in (call.params[0] as object)
        ? { error: { code: -32602, message: "filters are not available" } }
        : forward(call),
  });
  expect(await reader.scan?.(21, head.height, plan)).toMatchObject(expected(21));
});

type JsonLog = { blockHash: string; transactionHash: string; address: string; data: string };

/** A provider that changes every log that it returns. */
function changingLogs(change: (log: JsonLog) => object) {
  return {
    async call(call: Call, forward: Forward): Promise<Reply> {
      const reply = await forward(call);
      if (call.method !== "eth_getLogs" || !("result" in reply) || !Array.isArray(reply.result)) return reply;
      return { result: reply.result.map(change) };
    },
  };
}

const otherHash = (hash: string) => `0x${[...hash.slice(2)].reverse().join("")}`;

/** A chain of 30 blocks with one endpoint, in front of which a test puts its manners. */
async function openSingleEndpoint() {
  const tree = new Tree(7, { transactions: 3 });
  tree.grow(30);
  const node = await makeNode(tree);
  const provider = await serveProvider(node.url);
  const clock = fastClock(500);
  const reader = makeEvmReader({ chain: local, urls: [provider.url], clock });
  closing.push(node.close, provider.close, reader.close);
  return { tree, provider, clock, reader };
}

test.each([
  [
    "of transactions that blocks do not list",
    (log: JsonLog) => ({ ...log, transactionHash: otherHash(log.transactionHash) }),
  ],
  ["with another block hash", (log: JsonLog) => ({ ...log, blockHash: otherHash(log.blockHash) })],
])(
  "a single endpoint whose logs are all %s is believed after a bounded time, and then delays no block",
  async (_, change) => {
    const { tree, provider, clock, reader } = await openSingleEndpoint();
    provider.setManners(changingLogs(change));
    const startedMs = clock.now().getTime();
    const waitedMs = () => clock.now().getTime() - startedMs;
    const { height } = await reader.head();
    const scanned = () => reader.scan?.(1, height, plan).catch(() => undefined);
    expect(await scanned()).toBeUndefined();
    let blocks: Awaited<ReturnType<typeof scanned>>;
    while (!blocks && waitedMs() < 3_600_000) blocks = await scanned();
    // All blocks but the first pass without a wait.
    expect(blocks).toHaveLength(height);
    expect(reader.warning?.()).toContain("They are accepted without this check");
    provider.calls.length = 0;
    tree.grow(3);
    const next = await reader.head();
    expect(await reader.scan?.(height + 1, next.height, plan)).toHaveLength(3);
    expect(provider.calls.filter((method) => method === "eth_getLogs").length).toBeLessThanOrEqual(4);
  },
  60_000,
);

test("whole blocks of a single endpoint that numbers the logs of each transaction keep up after the first wait", async () => {
  const { tree, provider, clock, reader } = await openSingleEndpoint();
  const counts = new Map<string, number>();
  provider.setManners({
    async call(call, forward) {
      const reply = await forward(call);
      if (call.method !== "eth_getLogs" || !("result" in reply) || !Array.isArray(reply.result)) return reply;
      counts.clear();
      const numbered = (reply.result as JsonLog[]).map((log) => {
        const logIndex = counts.get(log.transactionHash) ?? 0;
        counts.set(log.transactionHash, logIndex + 1);
        return { ...log, logIndex: `0x${logIndex.toString(16)}` };
      });
      return { result: numbered };
    },
  });
  const startedMs = clock.now().getTime();
  const { height } = await reader.head();
  const fetched = () => reader.blocks(1, height, { receipts: false }).catch(() => undefined);
  expect(await fetched()).toBeUndefined();
  let blocks: Awaited<ReturnType<typeof fetched>>;
  while (!blocks && clock.now().getTime() - startedMs < 3_600_000) blocks = await fetched();
  const logsOf = (block: { logs: readonly { tx_hash: string; position: number }[] }) =>
    block.logs.map(({ tx_hash, position }) => `${tx_hash} ${position}`);
  const real = pathTo(tree.tip)
    .filter(({ height: own }) => own > 0)
    .map((block) => logsOf(plainBlock(block)));
  expect(blocks?.map(logsOf)).toEqual(real);
  tree.grow(40);
  const next = await reader.head();
  expect(await reader.blocks(height + 1, next.height, { receipts: false })).toHaveLength(40);
  expect(reader.warning?.()).toContain("list their logs out of order");
}, 60_000);
