import type { Block, Read, ReadResult } from "./block.ts";

/** Where a block stands, without what is in it. */
export type Mark = { height: number; hash: string; parent_hash: string; time: number };

/** How the engine reads a chain, whatever its nodes are like. Every answer is whole and consistent, or there is none. */
export type ChainReader = {
  /** The newest block that the nodes agree to show. */
  head(): Promise<Mark>;
  /** The block at a height on the branch that the nodes now follow; undefined when there is none yet. */
  mark(height: number): Promise<Mark | undefined>;
  /** Whole blocks in order, each checked against its own header. Links between them are for the caller to check. */
  blocks(from: number, to: number, wants: { receipts: boolean }): Promise<Block[]>;
  /** State at a block, many reads at once; each read fails for itself. */
  read(reads: Read[], at: { height: number; hash: string }): Promise<ReadResult[]>;
  /** How deep the nodes call the chain safe and final; undefined where they cannot say. */
  settled(): Promise<{ safe: number; finalized: number } | undefined>;
  /** What is wrong with the nodes although the chain can be read, in a sentence for the operator. */
  trouble?(): string | undefined;
  /** Returns when there may be a new head, or when the signal aborts. */
  waitForHead(seen: Mark, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
};

/** A chain that could not be read now. Trying again later is always right. */
export class ChainError extends Error {
  override name = "ChainError";
}
