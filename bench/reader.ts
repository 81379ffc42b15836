import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { makeEvmReader } from "../src/chains/evm/reader.ts";
import { systemClock } from "../src/lib/clock.ts";
import { makeBusyBlock } from "../test/simchain/contents.ts";
import { jsonBlock, jsonLogs, jsonReceipts } from "../test/simchain/json.ts";
import { simulatedChain } from "../test/simchain/simulated-chain.ts";
import { pathTo, Tree } from "../test/simchain/tree.ts";

// Measures how many blocks per second the reader reads from a fast node. Run: node bench/reader.ts
const height = 400;
const transactionsPerBlock = 20;
const logsPerBlock = 50;

if (isMainThread) await benchReader();
else await serve();

/** Reads the same chain several times, with and without receipts, in the batches of the engine. */
export async function benchReader(): Promise<void> {
  const worker = new Worker(new URL(import.meta.url));
  const url = await new Promise<string>((resolve) => worker.once("message", resolve));
  const reader = makeEvmReader({ chain: simulatedChain, urls: [url], clock: systemClock });
  try {
    for (const receipts of [false, true]) {
      const rates: number[] = [];
      for (let round = 0; round < 5; round++) rates.push(await measure(reader, receipts));
      const figures = rates.map((rate) => rate.toFixed(0)).join(" ");
      console.log(
        `${receipts ? "with" : "without"} receipts: ${figures} blocks/s (${logsPerBlock} logs each)`,
      );
    }
  } finally {
    await reader.close();
    await worker.terminate();
  }
}

async function measure(reader: ReturnType<typeof makeEvmReader>, receipts: boolean): Promise<number> {
  const started = performance.now();
  let logs = 0;
  for (let from = 1; from <= height; from += 50) {
    const blocks = await reader.blocks(from, Math.min(height, from + 49), { receipts });
    for (const block of blocks) logs += block.logs.length;
  }
  if (logs !== height * logsPerBlock) throw new Error(`${logs} logs were read, not ${height * logsPerBlock}`);
  return height / ((performance.now() - started) / 1000);
}

/** A node in its own thread with prepared replies. */
async function serve(): Promise<void> {
  const parts = makeAnswers();
  const server = createServer(async (context, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of context as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    const calls: { id: number; method: string; params: unknown[] }[] = Array.isArray(body) ? body : [body];
    const answers = calls.map(({ id, ...call }) => `{"jsonrpc":"2.0","id":${id},"result":${parts(call)}}`);
    response.end(Array.isArray(body) ? `[${answers.join()}]` : answers[0]);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  parentPort?.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

function makeAnswers() {
  const tree = new Tree(1, { transactions: 0 });
  for (let index = 0; index < height; index++) {
    const include = makeBusyBlock(tree.random, transactionsPerBlock, logsPerBlock);
    tree.setTip(tree.extend(tree.tip, { include }));
  }
  const chain = pathTo(tree.tip);
  const blocks = chain.map((block) => JSON.stringify(jsonBlock(block, true)));
  const logs = chain.map((block) => JSON.stringify(jsonLogs(block)).slice(1, -1));
  const receipts = new Map(chain.map((block) => [block.hash as string, JSON.stringify(jsonReceipts(block))]));
  return ({ method, params: [first] }: { method: string; params: unknown[] }): string => {
    if (method === "eth_getBlockByNumber") return blocks[Number(first)] ?? "null";
    if (method === "eth_getBlockReceipts") return receipts.get(String(first)) ?? "null";
    const { fromBlock, toBlock } = first as { fromBlock: string; toBlock: string };
    return `[${logs
      .slice(Number(fromBlock), Number(toBlock) + 1)
      .filter(Boolean)
      .join()}]`;
  };
}
