import { pad, toHex } from "viem";
import type { Block, Hex, Read, ReadResult, Transaction } from "../../src/chains/block.ts";
import { addressOf, blockTimeOf, InstantNode } from "../engine-world.ts";

const latestRoundData = "0xfeaf968c";
const word = (value: number | bigint) => pad(toHex(value), { size: 32 }).slice(2);
/** Enough for every function that the templates read, and a true or a small number for each. */
const ones: Hex = `0x${word(1).repeat(12)}`;

/** A node whose blocks also have transactions to the contracts, and whose contracts reply to every read of their state. */
export class TemplateNode extends InstantNode {
  private readonly transactions: number;
  private readonly contracts: number;
  reads = 0;

  constructor(contracts: number, logs: number, transactions: number) {
    super(logs, (height, index) =>
      addressOf(index < logs / 5 ? (height * 211 + index * 17) % contracts : 50_000_000 + index),
    );
    this.contracts = contracts;
    this.transactions = transactions;
  }

  override async read(reads: readonly Read[] = [], at?: { height: number }): Promise<ReadResult[]> {
    this.reads += reads.length;
    const time = blockTimeOf(at?.height ?? this.tip);
    const round: Hex = `0x${[1, 2_000e8, time, time, 1].map(word).join("")}`;
    return reads.map((read) => ({
      ok: true,
      data:
        read.kind === "call" ? (read.data.startsWith(latestRoundData) ? round : ones) : `0x${word(1_000)}`,
    }));
  }

  protected override make(height: number): Block {
    return {
      ...super.make(height),
      transactions: Array.from({ length: this.transactions }, (_, index) => this.transaction(height, index)),
    };
  }

  private transaction(height: number, index: number): Transaction {
    const isWatched = index < this.transactions / 5;
    return {
      hash: pad(toHex(height * 1_000 + index), { size: 32 }),
      index,
      from: addressOf(60_000_000 + index),
      to: addressOf(isWatched ? (height * 101 + index * 13) % this.contracts : 70_000_000 + index),
      value: 0n,
      input: "0xa9059cbb",
      nonce: height,
      gas_limit: 100_000n,
      gas_price: 1n,
      receipt: { is_success: index % 7 !== 0, gas_used: 50_000n },
    };
  }
}
