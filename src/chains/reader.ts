import type { AddressScan, Block, Read, ReadResult } from "./block.ts";

/** A block reference: height, hash and time of a block without its contents. */
export type BlockRef = {
  height: number;
  hash: string;
  parent_hash: string;
  time: number;
  seen?: AddressScan;
};

/** The point where the followed branch and the current chain part. */
export type Fork = {
  ancestor: BlockRef;
  /** The number of followed blocks above the ancestor. */
  depth: number;
};

/** The data to fetch besides transactions and logs. Traces are best effort: not every node has them. */
export type BlockNeeds = {
  receipts: boolean;
  traces?: boolean;
  /** The addresses whose transactions need receipts, where nodes return receipts one by one; by default all transactions. */
  watched?: ReadonlySet<string>;
};

/** Reads a chain for the engine. Every result is complete and consistent, or the method rejects with a ChainError. */
export type ChainReader = {
  /** The newest block on which the nodes agree. */
  head(): Promise<BlockRef>;
  /** The block at a height of the current chain; undefined when there is none yet. */
  blockRef(height: number): Promise<BlockRef | undefined>;
  /** Complete blocks in order, each verified against its header. The caller verifies that they link. */
  blocks(from: number, to: number, wants: BlockNeeds): Promise<Block[]>;
  /** Reads state at a block in one batch; each read fails independently. */
  read(reads: Read[], at: { height: number; hash: string }): Promise<ReadResult[]>;
  /** The heights that the nodes report as safe and final; undefined when they do not report them. */
  finality(): Promise<{ safe: number; finalized: number } | undefined>;
  /** Sets the watched addresses of a chain that is read by address. Call it before any other method. */
  watch?(addresses: ReadonlySet<string>): void;
  /** Finds a fork on a chain whose blocks do not link to each other. `refs` are newest first. */
  findFork?(refs: readonly BlockRef[], head: BlockRef): Promise<Fork | undefined>;
  /** The number of heights that `blocks` accepts at once; the default is 200. */
  maxHeightsPerBatch?: number;
  /** A problem of the nodes that does not stop the chain from being read, as a sentence for the operator. */
  warning?(): string | undefined;
  /** Returns, once, an address with too many transactions to keep up with. The caller must stop watching it. */
  popOverloadedAddress?(): string | undefined;
  /** Resolves when there may be a new head, or when the signal aborts. */
  waitForHead(known: BlockRef, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
};

/** The chain cannot be read now. The caller may retry later. */
export class ChainError extends Error {
  override name = "ChainError";
  readonly code: ChainErrorCode;
  /** The message without the hosts of endpoints, which only the operator may see. */
  readonly publicMessage: string;

  constructor(message: string, code: ChainErrorCode = "unreadable", publicMessage = message) {
    super(message);
    this.code = code;
    this.publicMessage = publicMessage;
  }
}

export type ChainErrorCode =
  | "unreadable"
  /** No endpoint has this part of the history any more, so that a retry fails too. */
  | "pruned"
  /** The block was replaced by a reorg while it was read. */
  | "replaced";
