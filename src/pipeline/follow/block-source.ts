import { type Block, zeroHash } from "../../chains/block.ts";
import type { Chain } from "../../chains/chain.ts";
import type { ChainReader } from "../../chains/reader.ts";
import type { ReadingPlan } from "../../chains/reading-plan.ts";
import { Prefetch } from "./prefetch.ts";

/** A range of heights and the parts of its blocks that are needed. */
export type BlockRange = { from: number; to: number; plan: ReadingPlan; watchVersion: number };

/** Reads blocks that link to each other, and prefetches the next ones while a batch is applied. */
export class BlockSource {
  private readonly chain: Chain;
  private readonly reader: ChainReader;
  private readonly ahead = new Prefetch<Block[]>();

  constructor(chain: Chain, reader: ChainReader) {
    this.chain = chain;
    this.reader = reader;
  }

  /** Returns the blocks that link to `parent` and to each other; the next step reads the others again. */
  async read(
    range: BlockRange,
    parent: { hash: string; time: number },
  ): Promise<{ linked: Block[]; isBroken: boolean }> {
    const blocks = await this.ahead.resultOf(keyOf(range), () => this.fetch(range));
    const linked: Block[] = [];
    let last = parent;
    for (const block of blocks) {
      if (!this.isChild(block, last)) break;
      // Windows are ordered by block time, so a block that claims an earlier time than its parent gets its parent's.
      linked.push(block.time < last.time ? { ...block, time: last.time } : block);
      last = linked.at(-1) as Block;
    }
    return { linked, isBroken: linked.length === 0 && blocks.length > 0 };
  }

  /** Starts to read a range, so that the endpoints work while the database writes. */
  prefetch(range: BlockRange): void {
    // A reader that finds blocks by address depends on the addresses at the time of the read.
    if (range.to >= range.from && !this.reader.watch) this.ahead.start(keyOf(range), () => this.fetch(range));
  }

  private fetch({ from, to, plan }: BlockRange): Promise<Block[]> {
    if (plan.reads !== "blocks" && this.reader.scan) return this.reader.scan(from, to, plan);
    return this.reader.blocks(from, to, plan.reads === "blocks" ? plan.needs : { receipts: false });
  }

  /** A development node synthesises the blocks of a long `hardhat_mine` on request, and those name no parent. */
  private isChild({ parent_hash }: Block, { hash }: { hash: string }): boolean {
    // Blocks of such a reader name no parent; it checks the branch itself.
    if (this.reader.findFork) return true;
    // The block before it was not read. The fork was searched for, and the next step compares this block.
    if (parent_hash === "") return true;
    return parent_hash === hash || (this.chain.chain === "local" && parent_hash === zeroHash);
  }
}

/** The watched addresses are part of the version of the watch list. Code that is discovered adds events to the filter. */
function keyOf({ from, to, plan, watchVersion }: BlockRange): string {
  const filter = plan.reads === "logs" ? plan.filter : null;
  return JSON.stringify([from, to, plan.reads, filter, watchVersion]);
}
