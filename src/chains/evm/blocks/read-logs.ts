import { memoize } from "../../../lib/caching/memoize.ts";
import type { Hex, Log, Transaction } from "../../block.ts";
import { EndpointFailure } from "../../rpc/failure.ts";
import { checksumAddress } from "../values/checksum-address.ts";
import {
  type Raw,
  readBigInt,
  readBytes,
  readList,
  readNumber,
  readObject,
  readWord,
} from "../values/raw.ts";
import type { Header } from "./header.ts";

/** Reads the logs of a block and verifies that they belong to it, in order and without a gap. */
export function readLogs(values: readonly unknown[], header: Header, { mayHaveGaps = false } = {}): Log[] {
  const logs: Log[] = new Array(values.length);
  let previous: Log | undefined;
  for (let at = 0; at < values.length; at++) {
    const log = readLog(readObject(values[at], "log"), header, previous);
    if (!mayHaveGaps && log.log_index !== at) throw inconsistent("returned logs with a gap between them");
    logs[at] = log;
    previous = log;
  }
  return logs;
}

/** Reads the receipts of a block. Returns the transactions with their receipts, and the raw logs of all receipts. */
export function readReceipts(
  value: unknown,
  header: Header,
): { transactions: Transaction[]; logs: unknown[] } {
  const receipts = readList(value, "list of receipts");
  if (receipts.length !== header.transactions.length) {
    throw inconsistent("returned a block and receipts that differ in number");
  }
  const logs: unknown[] = [];
  const transactions = header.transactions.map((transaction, index) => {
    const raw = readObject(receipts[index], "receipt");
    if (
      readWord(raw.blockHash, "receipt") !== header.hash ||
      readWord(raw.transactionHash, "receipt") !== transaction.hash
    ) {
      throw inconsistent("returned receipts of another block");
    }
    const receipt = readReceipt(raw);
    const own = readList(raw.logs, "list of logs");
    if (own.length > 0 && !receipt.is_success)
      throw inconsistent("returned logs of a transaction that failed");
    for (const log of own) logs.push(log);
    return { ...transaction, receipt };
  });
  return { transactions, logs };
}

function readReceipt(raw: Raw): NonNullable<Transaction["receipt"]> {
  // Before Byzantium a receipt had a state root instead of a status.
  const isSuccess = raw.status === undefined || raw.status === null || readNumber(raw.status, "status") === 1;
  return { is_success: isSuccess, gas_used: readBigInt(raw.gasUsed, "gas") };
}

function readLog(raw: Raw, header: Header, previous: Log | undefined): Log {
  const tx_index = readNumber(raw.transactionIndex, "log");
  const tx_hash = header.transactions[tx_index]?.hash;
  const log_index = readNumber(raw.logIndex, "log");
  if (raw.blockHash !== header.hash && readWord(raw.blockHash, "log") !== header.hash) {
    throw inconsistent("returned logs of another block");
  }
  if (raw.removed === true) throw inconsistent("returned logs that are marked as removed");
  if (!tx_hash || (raw.transactionHash !== tx_hash && readWord(raw.transactionHash, "log") !== tx_hash)) {
    throw inconsistent("returned logs of transactions that are not in the block");
  }
  if (previous && (log_index <= previous.log_index || tx_index < previous.tx_index)) {
    throw inconsistent("returned logs out of order");
  }
  const isSameTransaction = previous?.tx_index === tx_index;
  return {
    address: checksumAddress(raw.address, "log"),
    topics: readTopics(raw.topics, previous?.topics),
    data: readBytes(raw.data, "log"),
    tx_hash,
    tx_index,
    log_index,
    position: isSameTransaction && previous ? previous.position + 1 : 0,
  };
}

/** Reuses the topics of the previous log, which are often the same, before the slower cache lookup. */
function readTopics(value: unknown, previous: readonly Hex[] = []): Hex[] {
  const topics = readList(value, "log");
  if (topics.length > 4) throw inconsistent("returned a log with more than four topics");
  return topics.map((topic, at) => (topic === previous[at] ? (previous[at] as Hex) : readTopic(topic)));
}

/** Returns the same string instance for equal topics, which makes later map lookups fast. */
function readTopic(value: unknown): Hex {
  return typeof value === "string" && value.length === 66 ? knownTopic(value) : readWord(value, "topic");
}

const knownTopic = memoize(50_000, (value) => readWord(value, "topic"));

function inconsistent(what: string): EndpointFailure {
  return new EndpointFailure("inconsistent", what);
}
