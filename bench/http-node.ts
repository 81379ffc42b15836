import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Hex, pad } from "viem";
import { type SimLog, topics } from "../test/simchain/contents.ts";
import { jsonBlock, jsonLogs } from "../test/simchain/json.ts";
import { Tree } from "../test/simchain/tree.ts";
import { addressOf } from "./engine-world.ts";

// A node in its own process with prepared replies. It shows its first block until the benchmark starts it.
const height = Number(process.argv[2] ?? 1000);
const transactionsPerBlock = 10;
const logsPerTransaction = 5;
const person: Hex = pad("0xbeef", { size: 32 });
const amount: Hex = pad("0x64", { size: 32 });

const chain = makeChain();
let shown = 1;
process.on("message", () => {
  shown = height;
});
process.on("disconnect", () => process.exit());
const server = createServer(async (context, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of context as AsyncIterable<Buffer>) chunks.push(chunk);
  const body = JSON.parse(Buffer.concat(chunks).toString());
  const calls: { id: number; method: string; params: unknown[] }[] = Array.isArray(body) ? body : [body];
  const parts: Buffer[] = [];
  for (const [index, { id, method, params }] of calls.entries()) {
    parts.push(
      Buffer.from(`${index > 0 ? "," : Array.isArray(body) ? "[" : ""}{"jsonrpc":"2.0","id":${id},"result":`),
    );
    parts.push(...answer(method, params), Buffer.from("}"));
  }
  if (Array.isArray(body)) parts.push(Buffer.from("]"));
  response.end(Buffer.concat(parts));
});
server.listen(0, "127.0.0.1", () =>
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
);

function answer(method: string, [first]: unknown[]): Buffer[] {
  if (method === "eth_getBlockByNumber") {
    const at = first === "latest" ? shown : Number(first);
    return [chain.blocks[at] ?? Buffer.from("null")];
  }
  if (method === "eth_getStorageAt") return [Buffer.from('"0x"')];
  const { fromBlock, toBlock } = first as { fromBlock: string; toBlock: string };
  const logs = chain.logs.slice(Number(fromBlock), Number(toBlock) + 1);
  return [
    Buffer.from("["),
    ...logs.flatMap((part, index) => (index > 0 ? [Buffer.from(","), part] : [part])),
    Buffer.from("]"),
  ];
}

/** Blocks of 50 logs, five of them of 1,000 monitored contracts. */
function makeChain(): { blocks: Buffer[]; logs: Buffer[] } {
  const tree = new Tree(1, { transactions: 0 });
  const [blocks, logs]: [Buffer[], Buffer[]] = [[], []];
  for (let position = 0; position <= height; position++) {
    const include = Array.from({ length: transactionsPerBlock }, (_, index) =>
      makeTransaction(tree, position, index),
    );
    const block = tree.extend(tree.tip, { include, seconds: 2 });
    tree.setTip(block);
    blocks[block.height] = Buffer.from(JSON.stringify(jsonBlock(block, true)));
    logs[block.height] = Buffer.from(JSON.stringify(jsonLogs(block)).slice(1, -1));
  }
  return { blocks, logs };
}

function makeTransaction({ random }: Tree, offset: number, index: number) {
  const makeLog = (_: unknown, place: number): SimLog => ({
    address: addressOf(isWatched(index, place) ? (offset * 7 + index) % 1_000 : 5_000_000 + place),
    topics: [topics.transfer, person, person],
    data: amount,
  });
  return {
    hash: random.word(),
    from: addressOf(6_000_000 + index),
    to: addressOf(5_000_000 + index),
    value: 0n,
    input: `0xa9059cbb${random.word().slice(2)}${random.word().slice(2)}` as Hex,
    nonce: offset,
    gas_limit: 100_000n,
    gas_price: 1n,
    gas_used: 50_000n,
    is_success: true,
    logs: Array.from({ length: logsPerTransaction }, makeLog),
  };
}

function isWatched(index: number, place: number): boolean {
  return index % 2 === 0 && place === 0;
}
