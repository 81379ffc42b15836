import { toHex } from "viem";
import type { Behaviour } from "../../behaviour.ts";

/** Blocks use gas for transactions that are not of the EVM, and logs are numbered with gaps. */
export const seiBlocks: Behaviour = {
  name: "serves Sei, whose blocks use gas without transactions and skip log indexes",
  manners: () => ({
    async call(call, forward) {
      const reply = await forward(call);
      if (!("result" in reply)) return reply;
      if (call.method.startsWith("eth_getBlockBy")) return { result: withGas(reply.result) };
      if (call.method === "eth_getLogs") return { result: withGaps(reply.result) };
      if (call.method !== "eth_getBlockReceipts" || !Array.isArray(reply.result)) return reply;
      return { result: reply.result.map((receipt) => ({ ...receipt, logs: withGaps(receipt.logs) })) };
    },
  }),
  chain: "sei",
  blocks: { gasWithoutTransactions: true },
  logIndexOf,
  says: { of: "chain", what: /^$/ },
  readsState: true,
};

function logIndexOf(index: number): number {
  return 2 * index + 1;
}

/** Transactions that are not of the EVM used the gas of a block without others. */
function withGas(block: unknown): unknown {
  const { transactions, gasUsed } = (block ?? {}) as { transactions?: unknown[]; gasUsed?: string };
  return transactions?.length === 0 && Number(gasUsed) === 0
    ? { ...(block as object), gasUsed: toHex(48_000) }
    : block;
}

function withGaps(logs: unknown): unknown {
  if (!Array.isArray(logs)) return logs;
  return logs.map((log) => ({ ...log, logIndex: toHex(logIndexOf(Number(log.logIndex))) }));
}
