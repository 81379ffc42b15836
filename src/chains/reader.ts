import type { AddressScan, Block, Read, ReadResult } from "./block.ts";

/** Where a block stands, without what is in it. */
export type BlockRef = {
  height: number;
  hash: string;
  parent_hash: string;
  time: number;
  seen?: AddressScan;
};

/** Where the branch that we followed and the one that the nodes follow now part. */
export type Fork = {
  ancestor: BlockRef;
  /** How many of our blocks are gone. */
  depth: number;
};

/** What must be known of blocks besides their transactions and logs. Traces are given where nodes have them. */
export type BlockNeeds = { receipts: boolean; traces?: boolean };

/** How the engine reads a chain, whatever its nodes are like. Every answer is whole and consistent, or there is none. */
export type ChainReader = {
  /** The newest block that the nodes agree to show. */
  head(): Promise<BlockRef>;
  /** The block at a height on the branch that the nodes now follow; undefined when there is none yet. */
  blockRef(height: number): Promise<BlockRef | undefined>;
  /** Whole blocks in order, each checked against its own header. Links between them are for the caller to check. */
  blocks(from: number, to: number, wants: BlockNeeds): Promise<Block[]>;
  /** State at a block, many reads at once; each read fails for itself. */
  read(reads: Read[], at: { height: number; hash: string }): Promise<ReadResult[]>;
  /** How deep the nodes call the chain safe and final; undefined where they cannot say. */
  finality(): Promise<{ safe: number; finalized: number } | undefined>;
  /** Says which addresses matter, where a chain is read by address, before anything else is asked of it. */
  watch?(addresses: ReadonlySet<string>): void;
  /** Whether the nodes have left what we followed, where blocks do not link to each other. `marks` are newest first. */
  findFork?(refs: readonly BlockRef[], head: BlockRef): Promise<Fork | undefined>;
  /** How many heights may be asked for at once; 200 unless told. */
  maxHeightsPerBatch?: number;
  /** What is wrong with the nodes although the chain can be read, in a sentence for the operator. */
  warning?(): string | undefined;
  /** The address that makes all others late and later, once each time that it is found to. Whoever asks no longer watches it. */
  popOverloadedAddress?(): string | undefined;
  /** Returns when there may be a new head, or when the signal aborts. */
  waitForHead(seen: BlockRef, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
};

/** A chain that could not be read now. Trying again later is always right. */
export class ChainError extends Error {
  override name = "ChainError";
}
