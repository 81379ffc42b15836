import { keccak256, toHex } from "viem";
import type { Behaviour } from "../../behaviour.ts";

const bridge = "0x0000000000000000000000000000000000001001";

/** Every second block has a log of a state sync, whose transaction the block does not list and the bloom filter lacks. */
export const polygonBlocks: Behaviour = {
  name: "serves Polygon, whose state syncs have logs of transactions that are not listed",
  manners: () => ({
    async call(call, forward) {
      const reply = await forward(call);
      if (!("result" in reply) || !Array.isArray(reply.result)) return reply;
      if (call.method === "eth_getBlockReceipts") return { result: withReceipt(reply.result) };
      if (call.method !== "eth_getLogs") return reply;
      const blocks = Object.values(Object.groupBy(reply.result as JsonLog[], (log) => log.blockHash));
      return { result: blocks.flatMap((logs) => [...(logs ?? []), ...syncOf(logs?.at(-1))]) };
    },
  }),
  chain: "polygon",
  says: { of: "chain", what: /^$/ },
  readsState: true,
};

type JsonLog = { blockHash: string; blockNumber: string; transactionIndex: string; logIndex: string };
type JsonReceipt = { blockHash: string; blockNumber: string; transactionHash: string; logs: JsonLog[] };

function syncOf(last: JsonLog | undefined): object[] {
  if (!last || Number(last.blockNumber) % 2 !== 0) return [];
  return [
    {
      ...last,
      address: bridge,
      topics: [keccak256(toHex("StateCommitted(uint256,bool)"))],
      data: "0x",
      transactionHash: keccak256(toHex(`sync ${last.blockNumber}`)),
      transactionIndex: toHex(500),
      logIndex: toHex(Number(last.logIndex) + 1),
    },
  ];
}

function withReceipt(receipts: JsonReceipt[]): object[] {
  const last = receipts.flatMap(({ logs }) => logs).at(-1);
  const [log] = syncOf(last) as { transactionHash: string }[];
  if (!log) return receipts;
  const { blockHash, blockNumber } = last as JsonLog;
  const { transactionHash } = log;
  return [
    ...receipts,
    { blockHash, blockNumber, transactionHash, gasUsed: "0x0", status: "0x1", logs: [log] },
  ];
}
