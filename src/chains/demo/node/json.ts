import type { Hex } from "../../block.ts";
import { demo } from "../../definitions/testnets/demo.ts";
import { toHex } from "../../evm/values/hex.ts";
import { gasPrice } from "../evm/machine.ts";
import { bloomOf, type DemoBlock, type DemoTransaction } from "./block.ts";

export type JsonLog = {
  address: Hex;
  topics: Hex[];
  data: Hex;
  blockHash: Hex;
  blockNumber: Hex;
  blockTimestamp: Hex;
  transactionHash: Hex;
  transactionIndex: Hex;
  logIndex: Hex;
  removed: false;
};

export function jsonBlock(block: DemoBlock, isFull: boolean): object {
  const transactions = block.transactions.map((transaction, index) =>
    isFull ? jsonTransaction(block, transaction, index) : transaction.hash,
  );
  return {
    ...block.header,
    hash: block.hash,
    size: "0x400",
    uncles: [],
    totalDifficulty: "0x0",
    transactions,
  };
}

export function jsonTransaction(block: DemoBlock, demoTransaction: DemoTransaction, index: number): object {
  return {
    ...placeOf(block),
    hash: demoTransaction.hash,
    transactionIndex: toHex(index),
    from: demoTransaction.from,
    to: demoTransaction.to,
    value: toHex(demoTransaction.value),
    input: demoTransaction.input,
    nonce: toHex(demoTransaction.nonce),
    gas: toHex(15_000_000),
    gasPrice: toHex(gasPrice),
    type: "0x0",
    chainId: toHex(demo.chain_id),
  };
}

export function jsonLogs(block: DemoBlock): JsonLog[] {
  let next = 0;
  return block.transactions.flatMap(({ hash, logs }, index) =>
    logs.map((log) => ({
      ...log,
      ...placeOf(block),
      blockTimestamp: toHex(block.time),
      transactionHash: hash,
      transactionIndex: toHex(index),
      logIndex: toHex(next++),
      removed: false as const,
    })),
  );
}

export function jsonReceipts(block: DemoBlock): object[] {
  const logs = jsonLogs(block);
  let total = 0n;
  return block.transactions.map(({ hash, from, to, gasUsed, isSuccess, created, logs: own }, index) => {
    total += gasUsed;
    return {
      ...placeOf(block),
      ...{ transactionHash: hash, transactionIndex: toHex(index), from, to, contractAddress: created },
      cumulativeGasUsed: toHex(total),
      gasUsed: toHex(gasUsed),
      effectiveGasPrice: toHex(gasPrice),
      logsBloom: bloomOf(own),
      status: isSuccess ? "0x1" : "0x0",
      type: "0x0",
      logs: logs.filter(({ transactionHash }) => transactionHash === hash),
    };
  });
}

function placeOf({ hash, height }: DemoBlock) {
  return { blockHash: hash, blockNumber: toHex(height) };
}
