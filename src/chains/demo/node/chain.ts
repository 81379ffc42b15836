import { createAddressFromString } from "@ethereumjs/util";
import type { Hex } from "../../block.ts";
import { type Call, type Execution, Machine } from "../evm/machine.ts";
import { accountKey } from "../evm/state-view.ts";
import { type AccountValue, WorldState } from "../evm/world-state.ts";
import { attacker, deployer, keeper, safeOwners, treasury, users } from "../story/accounts.ts";
import type { IncidentName } from "../story/incidents.ts";
import { callsOf, ongoing } from "../story/story.ts";
import { type DemoBlock, type DemoTransaction, makeBlock, makeTransaction } from "./block.ts";

/** Blocks whose contents and state are kept: three hours. */
const keptBlocks = 5_400;
const emptyCode = Buffer.from("c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470", "hex");

/** What makes two chains the same. */
export type Origin = { seed: string; time: number; startsAt: number };

/** A step of the chain, by which it can be made again: a block at the end, or one in place of the newest. */
export type Step = { time: number; branch: number; isReplaced?: true; request?: IncidentName };

export type SavedChain = {
  origin: Origin;
  blocks: DemoBlock[];
  state: ReturnType<WorldState["save"]>;
  requested: [number, IncidentName][];
};

/** A chain that runs real contracts. The same origin and the same steps make the same blocks. */
export class DemoChain {
  readonly origin: Origin;
  private readonly world: WorldState;
  private readonly producer: Machine;
  private readonly caller: Machine;
  private readonly blocks: DemoBlock[] = [];
  private readonly byHash = new Map<Hex, DemoBlock>();
  private readonly byTransaction = new Map<Hex, DemoBlock>();
  private readonly requested = new Map<number, IncidentName>();

  private constructor(origin: Origin, world: WorldState, machines: [Machine, Machine]) {
    this.origin = origin;
    this.world = world;
    [this.producer, this.caller] = machines;
  }

  /** Opens a saved chain, or a new one with its first block. */
  static async open(origin: Origin, saved?: SavedChain): Promise<DemoChain> {
    const world = new WorldState();
    const machines: [Machine, Machine] = [await Machine.open(world), await Machine.open(world)];
    const chain = new DemoChain(saved?.origin ?? origin, world, machines);
    if (saved) {
      world.load(saved.state);
      for (const block of saved.blocks) chain.append(block);
      for (const [height, name] of saved.requested) chain.requested.set(height, name);
    } else {
      world.write(0, endowments());
      chain.append(makeBlock(undefined, { time: origin.time, branch: 0 }, []));
    }
    return chain;
  }

  get head(): DemoBlock {
    return this.blocks.at(-1) as DemoBlock;
  }

  at(height: number): DemoBlock | undefined {
    return this.blocks[height - (this.blocks[0]?.height ?? 0)];
  }

  withHash(hash: Hex): DemoBlock | undefined {
    const block = this.byHash.get(hash);
    return block && this.at(block.height) === block ? block : undefined;
  }

  findTransaction(hash: Hex): { block: DemoBlock; transaction: DemoTransaction; index: number } | undefined {
    const block = this.byTransaction.get(hash);
    if (!block) return undefined;
    const index = block.transactions.findIndex((demoTransaction) => demoTransaction.hash === hash);
    const transaction = block.transactions[index];
    return transaction && { block, transaction, index };
  }

  /** The incidents that an alert at a height may be about. An alert of what no longer happens comes up to a minute later. */
  incidentsAround(height: number): { title: string; text: string; from_block: number; to_block: number }[] {
    const { requested, origin } = this;
    return ongoing(height, { requested, startsAt: origin.startsAt }, 30).map(({ incident, step }) => {
      const from_block = height - step;
      const { title, text, blocks } = incident;
      return { title, text, from_block, to_block: from_block + blocks - 1 };
    });
  }

  /** Blocks between two heights that are kept. */
  between(from: number, to: number): DemoBlock[] {
    const first = this.blocks[0]?.height ?? 0;
    return this.blocks.slice(Math.max(from - first, 0), Math.max(to - first + 1, 0));
  }

  /** Makes the next block. */
  async advance({ time, branch, isReplaced, request }: Step): Promise<DemoBlock> {
    if (isReplaced) this.dropHead();
    const height = this.head.height + 1;
    if (request) this.requested.set(height, request);
    const { seed, startsAt } = this.origin;
    const calls = callsOf(height, {
      ...{ seed, time, branch, startsAt },
      parentTime: this.head.time,
      requested: this.requested,
    });
    const transactions: DemoTransaction[] = [];
    for (const call of calls) transactions.push(await this.include(call, height, time, transactions.length));
    const block = makeBlock(this.head, { time, branch }, transactions);
    this.append(block);
    this.forget();
    return block;
  }

  /** Runs a call on the state after a block, without changing it. */
  call(call: Call, { height, time }: DemoBlock): Promise<Execution> {
    return this.caller.run(call, { stateHeight: height, height, time });
  }

  read(key: string, height: number) {
    return this.world.read(key, height);
  }

  save(): SavedChain {
    const { origin, blocks, requested } = this;
    return { origin, blocks: [...blocks], state: this.world.save(), requested: [...requested] };
  }

  private async include(call: Call, height: number, time: number, index: number): Promise<DemoTransaction> {
    const sender = this.read(accountKey(createAddressFromString(call.from)), height) as
      | AccountValue
      | undefined;
    // What the transactions before it in the block have changed is the state at this height.
    const execution = await this.producer.transact(call, { stateHeight: height, height, time });
    this.world.write(height, execution.writes);
    return makeTransaction(call, Number(sender?.nonce ?? 0n), execution, `${height}/${index}`);
  }

  private append(block: DemoBlock): void {
    this.blocks.push(block);
    this.byHash.set(block.hash, block);
    for (const { hash } of block.transactions) this.byTransaction.set(hash, block);
  }

  private remove(block: DemoBlock | undefined): void {
    if (!block) return;
    this.byHash.delete(block.hash);
    for (const { hash } of block.transactions) this.byTransaction.delete(hash);
  }

  private dropHead(): void {
    const dropped = this.blocks.pop();
    this.remove(dropped);
    if (dropped) this.world.rollBack(dropped.height - 1);
  }

  private forget(): void {
    while (this.blocks.length > keptBlocks) this.remove(this.blocks.shift());
    const first = this.blocks[0]?.height ?? 0;
    this.world.forget(first);
    for (const height of this.requested.keys()) if (height < first) this.requested.delete(height);
  }
}

/** Everyone has ether for gas. */
function endowments(): Map<string, AccountValue> {
  const owners = [deployer, keeper, attacker, treasury, ...users, ...safeOwners];
  const account = { nonce: 0n, balance: 10_000n * 10n ** 18n, codeHash: emptyCode };
  return new Map(owners.map((owner) => [accountKey(createAddressFromString(owner)), account]));
}
