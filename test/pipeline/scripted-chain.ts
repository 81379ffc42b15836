import { encodeAbiParameters, keccak256, pad, toHex } from "viem";
import type { Block, Hex, Log, Read, ReadResult, Transaction } from "../../src/chains/block.ts";
import { type BlockRef, ChainError, type ChainReader } from "../../src/chains/reader.ts";
import { isWatchedEvent, type ReadingPlan } from "../../src/chains/reading-plan.ts";
import { digestOf } from "../simchain/digest.ts";

/** A transaction of a scripted block: its events, the proxy upgrade that it makes, and whether it failed. */
export type Scripted = {
  id: number;
  to: string;
  amounts: number[];
  upgradesTo?: string;
  isSuccess?: boolean;
  /** The called contract, if it is another than `to`, which emits the events. */
  through?: string;
  input?: Hex;
};

export const transferTopic = keccak256(toHex("Transfer(address,address,uint256)"));
const upgradedTopic = keccak256(toHex("Upgraded(address)"));
const sender = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/**
 * A chain that a test writes by hand: blocks form a tree, and `tip` selects the branch that the node shows. Replies are
 * immediate and correct; the simulated node covers faults and delays.
 */
export class ScriptedChain implements ChainReader {
  readonly blocksByHash = new Map<string, Block>();
  tip: Block;
  balance = 0n;
  /** While set, reads of state fail with this reason. */
  failure: string | undefined;
  /** While set, every request fails with this reason. */
  outage: string | undefined;
  /** The safe and final heights that the node reports; undefined when it does not report them. */
  settledAt: { safe: number; finalized: number } | undefined;
  /** How a plan of events is read: by whole blocks, or by the watched events of every block or of blocks that have some. */
  scans: "whole" | "every_block" | "some_blocks" = "whole";
  /** Reads internal calls of blocks that have none; by default the node has no traces. */
  traces?: NonNullable<ChainReader["traces"]>;
  /** The number of block requests, and the largest batch. */
  asked = { times: 0, most: 0 };

  constructor(time = 1_700_000_000) {
    this.tip = this.put({ height: 100, parent: undefined, time, transactions: [], salt: 0 });
  }

  /** Adds a block on top of another, by default the tip, and makes it the tip. */
  mine(transactions: Scripted[] = [], options: { on?: Block; time?: number; salt?: number } = {}): Block {
    const parent = options.on ?? this.tip;
    const time = options.time ?? parent.time + 12;
    const salt = options.salt ?? 0;
    this.tip = this.put({ height: parent.height + 1, parent, time, transactions, salt });
    return this.tip;
  }

  /** Returns the blocks from the first one to a tip. */
  branch(tip: Block = this.tip): Block[] {
    const blocks: Block[] = [];
    for (let block: Block | undefined = tip; block; block = this.blocksByHash.get(block.parent_hash))
      blocks.push(block);
    return blocks.reverse();
  }

  async head(): Promise<BlockRef> {
    if (this.outage) throw new ChainError(this.outage);
    return this.tip;
  }
  async blockRef(height: number): Promise<BlockRef | undefined> {
    return this.branch().find((block) => block.height === height);
  }
  async blocks(from: number, to: number): Promise<Block[]> {
    this.asked = { times: this.asked.times + 1, most: Math.max(this.asked.most, to - from + 1) };
    return this.branch().filter((block) => block.height >= from && block.height <= to);
  }
  async scan(from: number, to: number, plan: ReadingPlan): Promise<Block[]> {
    const blocks = await this.blocks(from, to);
    if (this.scans === "whole" || plan.reads === "blocks") return blocks;
    const found = blocks.map((block) => {
      const logs = block.logs.filter(
        ({ address, topics }) => plan.reads === "logs" && isWatchedEvent(plan.events, address, topics[0]),
      );
      return { ...block, transactions: [], logs };
    });
    if (this.scans === "every_block") return found;
    const some = found.filter(({ height, logs }) => logs.length > 0 || height === to);
    let before = from - 1;
    return some.map((block) => {
      const parent_hash = block.height === before + 1 ? block.parent_hash : "";
      before = block.height;
      return { ...block, parent_hash };
    });
  }
  async read(reads: Read[], _at: { height: number; hash: string }): Promise<ReadResult[]> {
    const { failure } = this;
    if (failure) return reads.map(() => ({ ok: false, code: "unavailable", problem: failure }));
    // No contract is a proxy when it is discovered.
    return reads.map(({ kind }) => ({ ok: true, data: kind === "storage" ? "0x" : toHex(this.balance) }));
  }
  async finality() {
    return this.settledAt;
  }
  async waitForHead(): Promise<void> {}
  async close(): Promise<void> {}

  private put(plan: {
    height: number;
    parent: Block | undefined;
    time: number;
    transactions: Scripted[];
    salt: number;
  }): Block {
    const { height, parent, time, transactions, salt } = plan;
    const parent_hash = parent?.hash ?? pad("0x0");
    const hash = digestOf(JSON.stringify([parent_hash, time, salt, transactions]));
    const block = { height, hash, parent_hash, time, ...contentOf(transactions) };
    this.blocksByHash.set(hash, block);
    return block;
  }
}

export function txHash(id: number): Hex {
  return pad(toHex(id), { size: 32 });
}

function contentOf(scripted: Scripted[]): { transactions: Transaction[]; logs: Log[] } {
  let log_index = 0;
  const logs = scripted.flatMap((tx, tx_index) => [
    ...tx.amounts.map((amount, position) => toLog(tx, tx_index, position, amount, log_index++)),
    ...(tx.upgradesTo ? [toUpgrade(tx, tx_index, log_index++)] : []),
  ]);
  return { transactions: scripted.map(toTransaction), logs };
}

function toTransaction(
  { id, to, through, isSuccess = true, input = "0x" }: Scripted,
  index: number,
): Transaction {
  return {
    hash: txHash(id),
    index,
    from: sender,
    to: through ?? to,
    value: 0n,
    input,
    nonce: id,
    gas_limit: 100_000n,
    gas_price: 1n,
    receipt: { is_success: isSuccess, gas_used: 50_000n },
  };
}

function toLog(
  { id, to }: Scripted,
  tx_index: number,
  position: number,
  amount: number,
  log_index: number,
): Log {
  return {
    address: to,
    topics: [transferTopic, pad(sender), pad(to as Hex)],
    data: encodeAbiParameters([{ type: "uint256" }], [BigInt(amount)]),
    tx_hash: txHash(id),
    tx_index,
    log_index,
    position,
  };
}

function toUpgrade({ id, to, amounts, upgradesTo }: Scripted, tx_index: number, log_index: number): Log {
  return {
    address: to,
    topics: [upgradedTopic, pad(upgradesTo as Hex)],
    data: "0x",
    tx_hash: txHash(id),
    tx_index,
    log_index,
    position: amounts.length,
  };
}
