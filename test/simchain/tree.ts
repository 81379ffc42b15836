import type { Hex } from "viem";
import type { Block } from "../../src/chains/block.ts";
import { makeLogPositions } from "../../src/chains/evm/blocks/log-position.ts";
import { makeTransaction, type SimTransaction } from "./contents.ts";
import { makeHeader, type SimHeader } from "./header.ts";
import { type SeededRandom, seededRandom } from "./random.ts";
import { applyTransactions, type SimState } from "./state.ts";

/** A block in the tree, fully determined by its branch. */
export type SimBlock = {
  height: number;
  hash: Hex;
  time: number;
  parent: SimBlock | undefined;
  header: SimHeader;
  transactions: SimTransaction[];
  state: SimState;
};

/** How blocks differ from those of Ethereum. */
type BlockQuirks = { feesOfFailed?: boolean | undefined; gasWithoutTransactions?: boolean | undefined };

export type ExtendOptions = {
  /** The number of blocks; one by default. */
  count?: number;
  /** Transactions to include besides new ones, such as those of an orphaned branch. */
  include?: readonly SimTransaction[];
  /** Seconds since the parent; random by default. */
  seconds?: number;
};

/** A chain with all its branches. The same calls with the same seed build the same tree. */
export class Tree {
  readonly genesis: SimBlock;
  readonly random: SeededRandom;
  private readonly byHash = new Map<string, SimBlock>();
  private readonly maxTransactions: number;
  private readonly quirks: BlockQuirks;
  private canonical: SimBlock;

  constructor(seed: number, { transactions = 4, ...quirks }: { transactions?: number } & BlockQuirks = {}) {
    this.random = seededRandom(seed);
    this.quirks = quirks;
    this.maxTransactions = transactions;
    this.genesis = this.add(undefined, 1_700_000_000, []);
    this.canonical = this.genesis;
  }

  /** The head of the canonical chain, which honest nodes report. */
  get tip(): SimBlock {
    return this.canonical;
  }

  setTip(block: SimBlock): void {
    this.canonical = block;
  }

  get(hash: string): SimBlock | undefined {
    return this.byHash.get(hash.toLowerCase());
  }

  /** Extends a branch without moving the tip. Returns its last block. */
  extend(parent: SimBlock, { count = 1, include = [], seconds }: ExtendOptions = {}): SimBlock {
    let last = parent;
    for (let at = 0; at < count; at++) {
      const fresh = Array.from({ length: this.random.below(this.maxTransactions + 1) }, () =>
        makeTransaction(this.random, this.quirks),
      );
      const transactions = at === 0 ? [...include, ...fresh] : fresh;
      last = this.add(last, last.time + (seconds ?? this.secondsBetween()), transactions);
    }
    return last;
  }

  /** Extends the canonical chain. */
  grow(count = 1): SimBlock {
    this.canonical = this.extend(this.canonical, { count });
    return this.canonical;
  }

  /** Replaces the newest `depth` blocks by a branch that may include some of their transactions, and moves the tip to it. */
  reorganise(depth: number, { length = depth + 1, reinclude = 0.5 } = {}): SimBlock {
    const orphans = pathTo(this.canonical).slice(-depth);
    const ancestor = orphans[0]?.parent ?? this.genesis;
    const include = orphans
      .flatMap(({ transactions }) => transactions)
      .filter(() => this.random.chance(reinclude));
    this.canonical = this.extend(ancestor, { count: length, include });
    return this.canonical;
  }

  /** Mostly regular, sometimes zero, sometimes a long gap. */
  private secondsBetween(): number {
    if (this.random.chance(0.1)) return 0;
    return this.random.chance(0.05) ? 600 + this.random.below(3600) : 1 + this.random.below(12);
  }

  private add(parent: SimBlock | undefined, time: number, transactions: SimTransaction[]): SimBlock {
    const gas = this.quirks.gasWithoutTransactions && transactions.length === 0 ? 50_000n : 0n;
    const header = makeHeader(parent, time, transactions, gas);
    const height = parent ? parent.height + 1 : 0;
    const state = applyTransactions(parent?.state ?? new Map(), transactions);
    const block = { height, hash: header.hash, time, parent, header, transactions, state };
    this.byHash.set(block.hash, block);
    return block;
  }
}

/** The branch from the first block to this one. */
export function pathTo(block: SimBlock): SimBlock[] {
  const path: SimBlock[] = [];
  for (let at: SimBlock | undefined = block; at; at = at.parent) path.push(at);
  return path.reverse();
}

/** The ancestor of a block at a height. */
export function ancestorAt(block: SimBlock, height: number): SimBlock | undefined {
  let at: SimBlock | undefined = block.height >= height ? block : undefined;
  while (at && at.height > height) at = at.parent;
  return at;
}

/** The canonical chain as the blocks that a reader must return. */
export function canonicalBlocks(tree: Tree): Block[] {
  return pathTo(tree.tip).map((block) => plainBlock(block));
}

/** The block that a reader must return. */
export function plainBlock(block: SimBlock, { receipts = true } = {}): Block {
  let log_index = 0;
  const positionOf = makeLogPositions();
  const logs = block.transactions.flatMap(({ hash, logs: own }, tx_index) =>
    own.map((log) => {
      const position = positionOf({ tx_index, address: log.address, topic: log.topics[0] });
      return { ...log, tx_hash: hash, tx_index, log_index: log_index++, position };
    }),
  );
  const transactions = block.transactions.map((transaction, index) => {
    const { hash, from, to, value, input, nonce, gas_limit, gas_price, is_success, gas_used } = transaction;
    const receipt = receipts ? { is_success, gas_used } : null;
    return { hash, index, from, to, value, input, nonce, gas_limit, gas_price, receipt };
  });
  const parent_hash = block.header.parentHash;
  return { height: block.height, hash: block.hash, parent_hash, time: block.time, transactions, logs };
}
