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
import type { Header, Tolerates } from "./header.ts";
import { makeLogPositions } from "./log-position.ts";

/** Reads the logs of a block and verifies that they belong to it, in order and without a gap. */
export function readLogs(values: readonly unknown[], header: Header, tolerates: Tolerates): Log[] {
  const logs: Log[] = new Array(values.length);
  const positionOf = makeLogPositions();
  let previous: Log | undefined;
  let hasGaps = false;
  let isOrdered = true;
  for (let index = 0; index < values.length; index++) {
    const log = readLog(readObject(values[index], "log"), { header, previous, tolerates, positionOf });
    if (isOrdered && previous && !isAfter(log, previous)) {
      isOrdered = false;
      if (!tolerates("log_order", header, values.length)) throw inconsistent("returned logs out of order");
    }
    if (!hasGaps && log.log_index !== index) {
      hasGaps = tolerates("log_index_gaps", header, values.length);
      if (!hasGaps) throw inconsistent("returned logs with a gap between them");
    }
    logs[index] = log;
    previous = log;
  }
  return isOrdered ? logs : putInOrder(logs);
}

function isAfter(log: Log, previous: Log): boolean {
  return log.log_index > previous.log_index && log.tx_index >= previous.tx_index;
}

/** The position of a log follows from the order in its transaction. */
function putInOrder(logs: readonly Log[]): Log[] {
  const positionOf = makeLogPositions();
  return logs
    .toSorted((a, b) => a.tx_index - b.tx_index || a.log_index - b.log_index)
    .map((log) => ({ ...log, position: positionOf({ ...log, topic: log.topics[0] }) }));
}

/** Reads the receipts of a block. Returns the transactions with their receipts, and the raw logs of all receipts. */
export function readReceipts(
  value: unknown,
  header: Header,
  tolerates: Tolerates,
): { transactions: Transaction[]; logs: unknown[]; receipts: Raw[] } {
  const receipts = readList(value, "list of receipts").map((receipt) => readObject(receipt, "receipt"));
  const byHash = new Map(receipts.map((raw) => [readWord(raw.transactionHash, "receipt"), raw]));
  if (receipts.some((raw) => !isOfBlock(raw, header, tolerates)))
    throw inconsistent("returned receipts of another block");
  const listed = header.transactions.filter(({ hash }) => byHash.has(hash as Hex));
  const { length } = header.transactions;
  const isMissing = listed.length < length && !tolerates("missing_receipts", header, listed.length);
  const isUnlisted =
    receipts.length > listed.length && !tolerates("unlisted_transactions", header, receipts.length);
  if (isMissing || isUnlisted) throw inconsistent("returned a block and receipts of different transactions");
  const transactions = header.transactions.map((transaction) => {
    const raw = byHash.get(transaction.hash as Hex);
    return raw ? { ...transaction, receipt: readReceipt(raw) } : transaction;
  });
  return { transactions, receipts, logs: receipts.flatMap((raw) => logsOf(raw, header, tolerates)) };
}

/** Reads one receipt of a transaction of a block. */
export function readOneReceipt(
  value: unknown,
  header: Header,
  transaction: Transaction,
): NonNullable<Transaction["receipt"]> {
  const raw = readObject(value, "receipt");
  if (
    readWord(raw.blockHash, "receipt") !== header.hash ||
    readWord(raw.transactionHash, "receipt") !== transaction.hash
  )
    throw inconsistent("returned receipts of another block");
  return readReceipt(raw);
}

function logsOf(raw: Raw, header: Header, tolerates: Tolerates): unknown[] {
  const logs = readList(raw.logs, "list of logs");
  if (
    logs.length > 0 &&
    !readReceipt(raw).is_success &&
    !tolerates("logs_of_failed_transactions", header, logs.length)
  )
    throw inconsistent("returned logs of a transaction that failed");
  return logs;
}

function readReceipt(raw: Raw): NonNullable<Transaction["receipt"]> {
  // Before Byzantium a receipt had a state root instead of a status.
  const isSuccess = raw.status === undefined || raw.status === null || readNumber(raw.status, "status") === 1;
  return { is_success: isSuccess, gas_used: readBigInt(raw.gasUsed, "gas") };
}

type LogContext = {
  header: Header;
  previous: Log | undefined;
  tolerates: Tolerates;
  positionOf: ReturnType<typeof makeLogPositions>;
};

function readLog(raw: Raw, { header, previous, tolerates, positionOf }: LogContext): Log {
  const tx_index = readNumber(raw.transactionIndex, "log");
  const tx_hash = transactionOf(raw, tx_index, header, tolerates);
  const log_index = readNumber(raw.logIndex, "log");
  if (raw.blockHash !== header.hash && !isOfBlock(raw, header, tolerates)) {
    throw inconsistent("returned logs of another block");
  }
  if (raw.removed === true) throw inconsistent("returned logs that are marked as removed");
  const address = checksumAddress(raw.address, "log");
  const topics = readTopics(raw.topics, previous?.topics);
  return {
    address,
    topics,
    data: readBytes(raw.data, "log"),
    tx_hash,
    tx_index,
    log_index,
    position: positionOf({ tx_index, address, topic: topics[0] }),
  };
}

function isOfBlock(raw: Raw, header: Header, tolerates: Tolerates): boolean {
  const hash = readWord(raw.blockHash, "log");
  return hash === header.hash || tolerates("other_block_hash", header, hash);
}

/** Returns the hash of the transaction that emitted a log. */
function transactionOf(raw: Raw, tx_index: number, header: Header, tolerates: Tolerates): string {
  const listed = header.transactions[tx_index]?.hash;
  if (listed && raw.transactionHash === listed) return listed;
  const hash = readWord(raw.transactionHash, "log");
  if (hash !== listed && !tolerates("unlisted_transactions", header, hash))
    throw inconsistent("returned logs of transactions that are not in the block");
  return hash;
}

/** Reuses the topics of the previous log, which are often the same, before the slower cache lookup. */
export function readTopics(value: unknown, previous: readonly Hex[] = []): Hex[] {
  const topics = readList(value, "log");
  if (topics.length > 4) throw inconsistent("returned a log with more than four topics");
  return topics.map((topic, index) =>
    topic === previous[index] ? (previous[index] as Hex) : readTopic(topic),
  );
}

/** Returns the same string instance for equal topics, which makes later map lookups fast. */
function readTopic(value: unknown): Hex {
  return typeof value === "string" && value.length === 66 ? knownTopic(value) : readWord(value, "topic");
}

const knownTopic = memoize(50_000, (value) => readWord(value, "topic"));

function inconsistent(what: string): EndpointFailure {
  return new EndpointFailure("inconsistent", what);
}
