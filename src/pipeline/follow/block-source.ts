import { zeroHash } from "viem";
import type { Block } from "../../chains/block.ts";
import type { Chain } from "../../chains/chain.ts";
import type { BlockNeeds, ChainReader } from "../../chains/reader.ts";
import { Prefetch } from "./prefetch.ts";

/** Gives blocks that link to what is known, and reads the next ones while others are taken in. */
export class BlockSource {
  private readonly chain: Chain;
  private readonly reader: ChainReader;
  private readonly ahead = new Prefetch<Block[]>();

  constructor(chain: Chain, reader: ChainReader) {
    this.chain = chain;
    this.reader = reader;
  }

  /** Whole blocks that link to what is known and to each other; what does not link is left for the next step. */
  async take(
    from: number,
    to: number,
    wants: BlockNeeds,
    onto: { hash: string; time: number },
  ): Promise<{ linked: Block[]; isBroken: boolean }> {
    const blocks = await this.ahead.take(...this.reading(from, to, wants));
    const linked: Block[] = [];
    let last = onto;
    for (const block of blocks) {
      if (!this.isChild(block, last)) break;
      // Block time never runs backwards for us, whatever a block says: windows are ordered by it.
      linked.push(block.time < last.time ? { ...block, time: last.time } : block);
      last = linked.at(-1) as Block;
    }
    return { linked, isBroken: linked.length === 0 && blocks.length > 0 };
  }

  /** The nodes can answer for the next blocks while the database takes these in. */
  begin(from: number, to: number, wants: BlockNeeds): void {
    // What is found by address depends on which addresses matter by then.
    if (to >= from && !this.reader.watch) this.ahead.begin(...this.reading(from, to, wants));
  }

  /** What is to be read, in words and as a function: a rule that is new may need more than was read ahead. */
  private reading(from: number, to: number, wants: BlockNeeds): [what: string, read: () => Promise<Block[]>] {
    return [JSON.stringify({ from, to, wants }), () => this.reader.blocks(from, to, wants)];
  }

  /** A development node makes up the blocks of a long `hardhat_mine` when asked for them, and those name no parent. */
  private isChild({ parent_hash }: Block, { hash }: { hash: string }): boolean {
    // Where blocks name no parent, the reader itself looks whether what it gave still holds.
    if (this.reader.findFork) return true;
    return parent_hash === hash || (this.chain.chain === "local" && parent_hash === zeroHash);
  }
}
