import type { AddressScan, Block, InternalCall, LogScan, Read, ReadResult } from "./block.ts";
import type { BlockNeeds, ReadingPlan, WatchedEvents } from "./reading-plan.ts";

/** A block reference: height, hash and time of a block without its contents. */
export type BlockRef = {
  height: number;
  hash: string;
  parent_hash: string;
  time: number;
  seen?: AddressScan;
  scan?: LogScan;
  /** True if the block was processed without its internal calls, which may still come. */
  untraced?: boolean;
};

/** The point where the followed branch and the current chain part. */
export type Fork = {
  ancestor: BlockRef;
  /** The number of followed blocks above the ancestor. */
  depth: number;
  /** True if the chain did not change: the nodes returned some logs or traces too late for the blocks that were processed. */
  isLate?: true;
};

/** The heights above `after` up to `upTo`. */
export type HeightRange = { after: number; upTo: number };

/** Addresses whose activity is asked for, and holders by token. */
export type AskedAddresses = {
  addresses: ReadonlySet<string>;
  holders: ReadonlyMap<string, ReadonlySet<string>>;
};

/** Reads a chain for the engine. Every result is complete and consistent, or the method rejects with a ChainError. */
export type ChainReader = {
  /** The newest block on which the nodes agree. */
  head(): Promise<BlockRef>;
  /** The block at a height of the current chain; undefined when there is none yet. */
  blockRef(height: number): Promise<BlockRef | undefined>;
  /** Complete blocks in order, each verified against its header. The caller verifies that they link. */
  blocks(from: number, to: number, wants: BlockNeeds): Promise<Block[]>;
  /**
   * The blocks of a range that a plan needs, in order and without anything else: those with watched events and the last one.
   * The parent hash of a block is empty where the block before it was left out. A reader without it reads whole blocks.
   */
  scan?(from: number, to: number, plan: ReadingPlan): Promise<Block[]>;
  /** Provides the events that stored blocks were scanned for, by the filter of their scan. */
  rememberScans?(filters: ReadonlyMap<string, WatchedEvents>): void;
  /** Finds watched logs that nodes returned too late for the blocks that were processed. `refs` are newest first. */
  findLateLogs?(refs: readonly BlockRef[], head: BlockRef, plan: ReadingPlan): Promise<Fork | undefined>;
  /** Sets the plan from which the reader derives when to poll. */
  follow?(plan: ReadingPlan): void;
  /** The interval between polls of the current plan, and what the plan costs. */
  pace?(): Pace;
  /** Reads state at a block in one batch; each read fails independently. */
  read(reads: Read[], at: { height: number; hash: string }): Promise<ReadResult[]>;
  /**
   * The addresses that emitted events in a range, of those given, and the holders of tokens that were transferred: a hint that
   * their state changed.
   */
  activeAddresses?(from: number, to: number, asked: AskedAddresses): Promise<ReadonlySet<string>>;
  /** The senders of transactions, by hash. Those that the nodes do not return at this height are left out. */
  senders?(transactions: readonly IncludedTransaction[]): Promise<Map<string, string>>;
  /**
   * Fetches the internal calls of blocks, and passes on those of each block as they arrive. Resolves with false if no node
   * supports traces. Rejects with a ChainError if some could not be fetched now.
   */
  traces?(blocks: readonly Block[], onCalls: (block: Block, calls: InternalCall[]) => void): Promise<boolean>;
  /**
   * Reads the newest transactions of an address in a range, as blocks, the newest first, on a chain that is read by address. They
   * are read in parts, as they are asked for.
   */
  transactionsBetween?(address: string, range: HeightRange): AsyncIterable<Block[]>;
  /** The heights that the nodes report as safe and final; undefined when they do not report them. */
  finality(): Promise<{ safe: number; finalized: number } | undefined>;
  /**
   * Sets the watched addresses of a chain that is read by address. Call it before any other method. Those in `resuming` are
   * followed again after a height below the newest block, so that the blocks after it are read again.
   */
  watch?(
    addresses: ReadonlySet<string>,
    resuming?: ReadonlyMap<string, number>,
    searches?: HolderSearchState,
  ): void;
  /** Reads what suspended addresses have missed. Present on a chain that is read by address. */
  past?: AddressPast;
  /** Finds a fork on a chain whose blocks do not link to each other. `refs` are newest first. */
  findFork?(refs: readonly BlockRef[], head: BlockRef): Promise<Fork | undefined>;
  /** The number of heights to read at once; the default is 200, and 20 with traces. */
  maxHeightsPerBatch?(plan: ReadingPlan): number;
  /** False while the calls of the day are used up: nothing but the head may be read. */
  mayReadBlocks?(): boolean;
  /** A problem of the nodes that does not stop the chain from being read, as a sentence for the operator. */
  warning?(): string | undefined;
  /** Returns, once each, an address that cannot be followed. The caller must stop watching it. */
  popUnreadableAddress?(): UnreadableAddress | undefined;
  /** Returns why an address cannot be followed now, to be read after its name; undefined if it can be. */
  checkAddress?(address: string): Promise<string | undefined>;
  /** Resolves when there may be a new head, or when the signal aborts. */
  waitForHead(known: BlockRef, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
};

/**
 * A token account that was found for a watched address, and the height at which it was. It counts after a height that may be below
 * the newest block.
 */
export type FoundAddress = { holder: string; since: number; found_height: number | undefined };

/** What is known of the token accounts of watched addresses. */
export type HolderSearchState = {
  found: ReadonlyMap<string, FoundAddress>;
  /** The height up to which all were searched, which keeps the blocks after it comparable; undefined without any. */
  searchedTo: number | undefined;
  /** The calls that a search of all takes. */
  calls: number;
};

/** An address that cannot be followed: it is complete up to a height. */
export type UnreadableAddress = {
  address: string;
  since: number;
  /** To be read after the address. */
  problem: string;
  /** True if it has too many transactions, and does not fail. */
  isBusy: boolean;
  /** True if it is a token account that was found so late that stored blocks cannot be compared from `since` on. */
  isFoundLate?: true;
};

/** Reads the past of addresses beside the chain and at its own pace. */
export type AddressPast = {
  open(addresses: ReadonlySet<string>): AddressHistory;
  /** The height up to which the past of an address will not change any more. */
  stableTo(): number;
  /** Keeps the blocks after a height comparable, so that addresses can resume there; undefined ends it. */
  hold(height: number | undefined): void;
};

/** The transactions of some addresses, oldest first. */
export type AddressHistory = {
  /**
   * Reads the next blocks after a height, and up to which height they are complete. Rejects with PrunedHistory if no node has
   * the height any more. With `skipsMissing`, transactions that no node returns are left out and listed.
   */
  read(after: number, to: number, options: { skipsMissing: boolean }): Promise<PastBlocks>;
};

export type PastBlocks = { blocks: Block[]; to: number; missing: string[] };

/** A transaction and the height of its block. */
export type IncludedTransaction = { hash: string; height: number };

/** How often a chain is polled. */
export type Pace = {
  pollSeconds: number;
  /** The expected number of calls a day, at this interval. */
  callsPerDay: number;
  /** True if the interval is longer than the plan needs, to stay within the budget of calls. */
  isSlowed: boolean;
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

/** No node has the blocks after the cursor any more. A reader throws it if the chain can be followed from the oldest block. */
export class PrunedHistory extends ChainError {
  override name = "PrunedHistory";
  /** The oldest block that a node has. */
  readonly oldest: number;

  constructor(next: number, oldest: number) {
    super(
      `The nodes have pruned everything before block ${oldest}; block ${next} was to be read next.`,
      "pruned",
    );
    this.oldest = oldest;
  }
}

export type ChainErrorCode =
  | "unreadable"
  /** No endpoint has this part of the history any more, so that a retry fails too. */
  | "pruned"
  /** The block was replaced by a reorg while it was read. */
  | "replaced";
