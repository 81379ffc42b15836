import type { Hex, Log, Read, ReadResult, Transaction } from "./block.ts";
import type { Chain } from "./chain.ts";
import type { BlockRef } from "./reader.ts";

/** Queries a chain on behalf of a request. Rejects with a ChainError when no node replies. */
export type ChainClient = {
  chain: Chain;
  /** Pins the newest block, so that all reads of one task see the same state. */
  pinLatestBlock(): Promise<PinnedBlock>;
  /** Searches a range of blocks for logs, newest first, as far as the nodes allow. */
  logs(filter: LogFilter): Promise<LogSearchResult>;
  /** The transactions of a range of blocks, oldest first, with the time of their block. */
  transactions(from: number, to: number): Promise<TransactionSummary[]>;
  /** The times of blocks, in their order; undefined for those that the nodes do not have. */
  blockTimes(heights: readonly number[]): Promise<(number | undefined)[]>;
  close(): Promise<void>;
};

export type TransactionSummary = Pick<Transaction, "hash" | "from" | "to" | "nonce"> & {
  height: number;
  time: number;
};

/** The state of a chain at one block. */
export type PinnedBlock = {
  block: BlockRef;
  /** Reads code, storage, calls, balances and nonces in one batch; each read fails independently. */
  read(reads: readonly Read[]): Promise<ReadResult[]>;
};

export type LogFilter = {
  addresses?: string[];
  /** By position; a list matches any of its topics, null matches every topic. */
  topics: (Hex | Hex[] | null)[];
  from: number;
  to: number;
  /** The default is 20. */
  maxRequests?: number;
};

export type FoundLog = Pick<Log, "address" | "topics" | "data" | "tx_hash" | "log_index"> & {
  height: number;
};

/** The logs found, and the oldest block that was searched. */
export type LogSearchResult = { logs: FoundLog[]; searched_from: number; is_complete: boolean };

/** The clients of all configured chains; each is opened on first use. */
export type ChainClients = {
  clientFor(chain: Chain): ChainClient;
  close(): Promise<void>;
  /** The longest time that a request spends on a chain, if it is not the usual one. */
  maxRequestMs?: number;
};
