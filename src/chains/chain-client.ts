import type { Hex, Log, Read, ReadResult, Transaction } from "./block.ts";
import type { Chain } from "./chain.ts";
import type { BlockRef } from "./reader.ts";

/** A chain that can be asked about its present and, in part, about its past. Rejects with a ChainError when no node answers. */
export type ChainClient = {
  chain: Chain;
  /** The newest block, to which everything that is asked of the moment is pinned. */
  pinLatestBlock(): Promise<PinnedBlock>;
  /** Logs of a range, newest first, as far as the nodes give them. */
  logs(filter: LogFilter): Promise<LogSearchResult>;
  /** Transactions of a range of blocks, oldest first, with the time of their block. */
  transactions(from: number, to: number): Promise<TransactionSummary[]>;
  close(): Promise<void>;
};

export type TransactionSummary = Pick<Transaction, "hash" | "from" | "to" | "nonce"> & {
  height: number;
  time: number;
};

/** A chain's state at one block. */
export type PinnedBlock = {
  block: BlockRef;
  /** Code, storage, calls, balances and nonces, as many as wanted at once; each fails for itself. */
  read(reads: readonly Read[]): Promise<ReadResult[]>;
};

export type LogFilter = {
  addresses?: string[];
  /** By position; a list means any of them, null means whatever. */
  topics: (Hex | Hex[] | null)[];
  from: number;
  to: number;
  /** 20 unless told. */
  maxRequests?: number;
};

export type FoundLog = Pick<Log, "address" | "topics" | "data" | "tx_hash" | "log_index"> & {
  height: number;
};

/** What was found, and the oldest block that was looked at. */
export type LogSearchResult = { logs: FoundLog[]; searched_from: number; is_complete: boolean };

/** The chains that run here, for whoever asks; each is opened when it is first asked. */
export type ChainClients = {
  clientFor(chain: Chain): ChainClient;
  close(): Promise<void>;
};
