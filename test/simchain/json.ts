import { type Hex, toHex } from "viem";
import { bloomOf } from "./header.ts";
import type { SimBlock } from "./tree.ts";

/** A log in JSON-RPC format. */
export type JsonLog = {
  address: string;
  topics: Hex[];
  data: Hex;
  blockHash: Hex;
  blockNumber: Hex;
  transactionHash: Hex;
  transactionIndex: Hex;
  logIndex: Hex;
  removed: boolean;
};

export function jsonBlock(block: SimBlock, isFull: boolean): Record<string, unknown> {
  const transactions = isFull
    ? block.transactions.map((_, index) => jsonTransaction(block, index))
    : block.transactions.map(({ hash }) => hash);
  return { ...block.header, size: "0x400", uncles: [], transactions };
}

export function jsonTransaction(block: SimBlock, index: number): Record<string, unknown> {
  const transaction = block.transactions[index];
  if (!transaction) return {};
  const { hash, from, to, value, input, nonce, gas_limit, gas_price } = transaction;
  return {
    blockHash: block.hash,
    blockNumber: block.header.number,
    hash,
    transactionIndex: toHex(index),
    from: from.toLowerCase(),
    to: to?.toLowerCase() ?? null,
    value: toHex(value),
    input,
    nonce: toHex(nonce),
    gas: toHex(gas_limit),
    gasPrice: toHex(gas_price),
    type: "0x0",
    chainId: "0x7a69",
  };
}

export function jsonLogs(block: SimBlock): JsonLog[] {
  let next = 0;
  return block.transactions.flatMap(({ hash, logs }, index) =>
    logs.map(({ address, topics, data }) => ({
      address: address.toLowerCase(),
      topics,
      data,
      blockHash: block.hash,
      blockNumber: block.header.number,
      transactionHash: hash,
      transactionIndex: toHex(index),
      logIndex: toHex(next++),
      removed: false,
    })),
  );
}

/** The receipts of a block, with the given logs. */
export function jsonReceipts(block: SimBlock, logs = jsonLogs(block)): Record<string, unknown>[] {
  return block.transactions.map(({ hash, gas_used, is_success, from, to, logs: own }, index) => ({
    blockHash: block.hash,
    blockNumber: block.header.number,
    transactionHash: hash,
    transactionIndex: toHex(index),
    from: from.toLowerCase(),
    to: to?.toLowerCase() ?? null,
    gasUsed: toHex(gas_used),
    logsBloom: bloomOf([{ logs: own }]),
    status: is_success ? "0x1" : "0x0",
    logs: logs.filter(({ transactionIndex }) => transactionIndex === toHex(index)),
  }));
}
