import { hexToBigInt, toHex } from "viem";
import type { Block, Read, ReadResult } from "../../src/chains/block.ts";
import { type BlockRef, ChainError, type ChainReader } from "../../src/chains/reader.ts";
import type { Dice } from "../pipeline/dice.ts";
import type { ScriptedChain } from "../pipeline/scripted-chain.ts";
import type { Actor, Scheduler } from "./scheduler.ts";

/** The probabilities per request; the world changes them. */
export type NodeFaults = {
  failure: number;
  lag: number;
  stale: number;
  maxDelayMs: number;
  maxReadDelayMs: number;
};

/** The balance of every address after a block. It depends on the branch, so that a read at the wrong block shows. */
export function balanceAfter(hash: string): bigint {
  return hexToBigInt(`0x${hash.slice(2, 10)}`) * 10n ** 18n;
}

/** Nodes behind a load balancer: each request takes a while, may fail, and may reach a node that lags or is on an old branch. */
export class SimulatedNodes implements ChainReader {
  /** The engine waits for a block, so that its memory is between two steps. */
  isAwaited = false;
  private readonly scheduler: Scheduler;
  private readonly actor: Actor;
  private readonly chain: ScriptedChain;
  private readonly dice: Dice;
  private readonly faults: NodeFaults;
  private readonly oldTip: () => Block | undefined;

  constructor(
    { scheduler, actor, dice }: { scheduler: Scheduler; actor: Actor; dice: Dice },
    { chain, faults, oldTip }: { chain: ScriptedChain; faults: NodeFaults; oldTip: () => Block | undefined },
  ) {
    this.scheduler = scheduler;
    this.actor = actor;
    this.chain = chain;
    this.dice = dice;
    this.faults = faults;
    this.oldTip = oldTip;
  }

  async head(): Promise<BlockRef> {
    return (await this.request("head")).at(-1) as Block;
  }

  async blockRef(height: number): Promise<BlockRef | undefined> {
    return (await this.request(`blockRef ${height}`)).find((block) => block.height === height);
  }

  async blocks(from: number, to: number): Promise<Block[]> {
    const branch = await this.request(`blocks ${from} ${to}`);
    return branch.filter((block) => block.height >= from && block.height <= to);
  }

  /** State is read by block hash, so it is never that of another branch; a lagging node lacks the block. */
  async read(reads: Read[], at: { height: number; hash: string }): Promise<ReadResult[]> {
    const branch = await this.request(`read ${at.height}`, this.faults.maxReadDelayMs);
    if (!branch.some(({ hash }) => hash === at.hash))
      return reads.map(() => ({
        ok: false,
        code: "unavailable",
        problem: "The node does not have the block.",
      }));
    return reads.map(({ kind }) => ({
      ok: true,
      data: kind === "storage" ? "0x" : toHex(balanceAfter(at.hash)),
    }));
  }

  async finality() {
    return undefined;
  }

  async waitForHead(_known: BlockRef, signal: AbortSignal): Promise<void> {
    this.isAwaited = true;
    await this.scheduler.wait(this.actor, "waitForHead", this.dice.between(100, 1_500), signal);
    this.isAwaited = false;
  }

  async close(): Promise<void> {}

  /** Returns the branch of the node that replies. */
  private async request(label: string, maxDelayMs = this.faults.maxDelayMs): Promise<Block[]> {
    await this.scheduler.wait(this.actor, label, this.dice.between(0, maxDelayMs));
    if (this.dice.chance(this.faults.failure)) throw new ChainError(`The simulated node failed: ${label}`);
    const old = this.dice.chance(this.faults.stale) ? this.oldTip() : undefined;
    const branch = this.chain.branch(old ?? this.chain.tip);
    const lag = this.dice.chance(this.faults.lag) ? this.dice.between(1, 5) : 0;
    return branch.slice(0, Math.max(1, branch.length - lag));
  }
}
