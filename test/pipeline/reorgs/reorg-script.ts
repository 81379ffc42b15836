import { toHex } from "viem";
import type { Block } from "../../../src/chains/block.ts";
import type { Dice } from "../dice.ts";
import type { Scripted, ScriptedChain } from "../scripted-chain.ts";

const implementation = "0x00000000000000000000000000000000000a11ce";

/** The probabilities that a move is a fork and that a block has transactions. */
type Chances = { fork: number; activity: number };

/**
 * Moves a chain at random: extends it, forks it or returns to an old branch, sometimes with the same transactions. Some
 * blocks follow a long gap, and some transactions upgrade a contract.
 */
export class ReorgScript {
  private readonly dice: Dice;
  private readonly chain: ScriptedChain;
  private readonly addresses: string[];
  private readonly floor: number;
  private readonly chances: Chances;
  private nextTx: number;
  private orphans: Scripted[] = [];
  private readonly contents = new Map<string, Scripted[]>();
  private salt = 1;

  constructor(
    dice: Dice,
    chain: ScriptedChain,
    addresses: string[],
    { seed, ...chances }: { seed: number } & Partial<Chances>,
  ) {
    this.chances = { fork: 0.25, activity: 0.4, ...chances };
    this.dice = dice;
    this.chain = chain;
    this.addresses = addresses;
    this.floor = chain.tip.height;
    this.nextTx = seed * 100_000;
  }

  move(): void {
    if (this.dice.chance(this.chances.fork)) this.fork();
    else for (let blocks = this.dice.between(1, 4); blocks > 0; blocks--) this.mine(this.chain.tip);
  }

  /** Forks some blocks below the tip and grows at least as high as before. */
  private fork(): void {
    const tip = this.chain.tip;
    const depth = Math.min(this.dice.between(1, 8), tip.height - this.floor);
    let from: Block = tip;
    for (let back = 0; back < depth; back++) {
      this.orphans.push(...(this.contents.get(from.hash) ?? []));
      from = this.chain.blocksByHash.get(from.parent_hash) as Block;
    }
    for (let blocks = depth + this.dice.between(0, 2); blocks > 0; blocks--) from = this.mine(from);
  }

  private mine(on: Block): Block {
    const fresh = Array.from(
      { length: this.dice.chance(this.chances.activity) ? this.dice.between(1, 3) : 0 },
      () => this.transaction(),
    );
    const known = new Set(this.chain.branch(on).flatMap((block) => block.transactions.map((tx) => tx.hash)));
    const back = this.orphans.splice(0).filter((tx) => !known.has(toHex(tx.id, { size: 32 })));
    const again = back.filter(() => this.dice.chance(0.4));
    this.orphans = back.filter((tx) => !again.includes(tx) && this.dice.chance(0.7));
    const transactions = [...again, ...fresh];
    const time = on.time + (this.dice.chance(0.15) ? 4_000 : this.dice.pick([0, 1, 12, 12, 12, 30]));
    const block = this.chain.mine(transactions, { on, time, salt: this.salt++ });
    this.contents.set(block.hash, transactions);
    return block;
  }

  private transaction(): Scripted {
    // Groups by the amount have few readings unless some amounts are frequent.
    const amounts = Array.from({ length: this.dice.between(0, 3) }, () =>
      this.dice.chance(0.5) ? this.dice.between(1, 100) : this.dice.pick([40, 60, 95]),
    );
    const upgrade = this.dice.chance(0.4) ? { upgradesTo: implementation } : {};
    return { id: this.nextTx++, to: this.dice.pick(this.addresses), amounts, ...upgrade };
  }
}
