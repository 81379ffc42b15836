import { zeroHash } from "viem";
import { type App, newId } from "../app.ts";
import type { Block } from "../chains/block.ts";
import type { Chain } from "../chains/chain.ts";
import type { ChainReader, Mark } from "../chains/reader.ts";
import { listBlocks } from "../store/blocks.ts";
import { type Cursor, dropLease, findCursor, moveCursor, noteHead, takeLease } from "../store/cursors.ts";
import { ensurePartition, partitionFor } from "../store/partitions.ts";
import { listStatesAt } from "../store/rule-states.ts";
import { listUpgradedAbove } from "../store/upgrades.ts";
import { commit, LostLease, type Reached } from "./commit.ts";
import { type Fork, findFork } from "./fork.ts";
import { followChanges, type Loaded, loadMemory, readByCode } from "./load.ts";
import { addToOutcome, emptyOutcome, type Outcome } from "./outcome.ts";
import { processBlock } from "./process.ts";
import { ReadAhead } from "./read-ahead.ts";
import type { RuleState } from "./rule-state.ts";

/** Short, so that a chain is not left alone for long after a crash; renewed while a step goes on. */
const leaseSeconds = 6;
/** Blocks that are taken in and written together while catching up. */
const batch = 200;
/** Further than this behind the head, old state may no longer be told by the nodes, and is not news either. */
const stateReadDepth = 64;

/** What a step came to. */
export type Progress = "not_ours" | "idle" | "moved" | "rolled_back";

/** Follows one chain: from each new block to what is committed about it. One step at a time, each safe to repeat. */
export class Follower {
  private readonly app: App;
  private readonly chain: Chain;
  private readonly reader: ChainReader;
  private readonly holder: string;
  /** Undefined until loaded, and again after a failure: what is in memory is only ever a copy. */
  private loaded: (Loaded & { cursor: Cursor; marks: Mark[] }) | undefined;
  /** Of the lease that memory was loaded under. */
  private fence: number | undefined;
  private readonly ahead = new ReadAhead<Block[]>();
  /** The partitions that are known to exist. */
  private readonly partitions = new Set<string>();

  constructor(app: App, chain: Chain, reader: ChainReader) {
    this.app = app;
    this.chain = chain;
    this.reader = reader;
    this.holder = newId(app);
  }

  /** Takes in what is new, up to a batch of blocks. Whatever fails leaves the store as it was. */
  async step(): Promise<Progress> {
    const lease = await takeLease(this.app.db, this.chain.chain, this.holder, leaseSeconds);
    if (!lease) {
      this.loaded = undefined;
      return "not_ours";
    }
    // A new fence means that another had the chain in between: what is in memory is from before that.
    if (this.fence !== lease.fence) this.loaded = undefined;
    this.fence = lease.fence;
    try {
      await this.app.faults.hit("engine.after_lease");
      return await this.advance(lease);
    } catch (error) {
      this.loaded = undefined;
      // What failed may have been that one of them was dropped since.
      this.partitions.clear();
      if (error instanceof LostLease) return "not_ours";
      throw error;
    }
  }

  /** Keeps the chain ours while a step takes longer than the lease lasts. Called at intervals, whatever the step does. */
  async renew(): Promise<void> {
    if (this.loaded) await takeLease(this.app.db, this.chain.chain, this.holder, leaseSeconds);
  }

  /** Lets another process have the chain at once. */
  async stop(): Promise<void> {
    await dropLease(this.app.db, this.chain.chain, this.holder);
  }

  /** The newest block that is committed. */
  get cursor(): Cursor | undefined {
    return this.loaded?.cursor;
  }

  private async advance(lease: { fence: number }): Promise<Progress> {
    const head = await this.reader.head();
    const loaded = this.loaded ?? (await this.load(lease, head));
    this.loaded = loaded;
    await noteHead(this.app.db, this.chain.chain, {
      head_height: head.height,
      head_seen_at: this.app.clock.now(),
      last_error: null,
    });
    await followChanges(this.app, loaded, this.chain, loaded.cursor);
    const fork = await findFork(this.reader, loaded.marks, head);
    if (!fork && head.height <= loaded.cursor.height) return "idle";
    const from = fork ? fork.ancestor.height : loaded.cursor.height;
    // A branch is taken in as far as ours went and a batch more, so that what is in both is not called off in between.
    const to = Math.min(head.height, loaded.cursor.height + batch);
    const blocks = await this.fetch(from + 1, to, fork?.ancestor ?? loaded.cursor);
    if (blocks.length === 0) return "idle";
    if (fork) await this.rollBack(fork);
    await this.takeIn(blocks, head, lease, fork);
    return fork ? "rolled_back" : "moved";
  }

  /** A chain is followed from the block after the one that is newest when it is first looked at. */
  private async load(lease: { fence: number }, head: Mark) {
    const cursor = (await findCursor(this.app.db, this.chain.chain)) ?? head;
    if (cursor === head) await moveCursor(this.app.db, this.chain.chain, head, lease, this.app.clock.now());
    const stored = await listBlocks(this.app.db, this.chain.chain);
    const marks = stored.length > 0 ? stored : [{ parent_hash: "", ...cursor }];
    const memory = await loadMemory(this.app, this.chain, cursor);
    await this.app.faults.hit("engine.after_load");
    return { ...memory, cursor, marks };
  }

  /** Whole blocks that link to what is known and to each other; what does not link is left for the next step. */
  private async fetch(from: number, to: number, onto: Cursor): Promise<Block[]> {
    const blocks = await this.ahead.take(...this.reading(from, to));
    const linked: Block[] = [];
    let last: { hash: string; time: number } = onto;
    for (const block of blocks) {
      if (!this.isChild(block, last)) break;
      // Block time never runs backwards for us, whatever a block says: windows are ordered by it.
      linked.push({ ...block, time: Math.max(block.time, last.time) });
      last = linked.at(-1) as Block;
    }
    return linked;
  }

  /** A development node makes up the blocks of a long `hardhat_mine` when asked for them, and those name no parent. */
  private isChild({ parent_hash }: Block, { hash }: { hash: string }): boolean {
    return parent_hash === hash || (this.chain.chain === "local" && parent_hash === zeroHash);
  }

  /** What is to be read, in words and as a function: a rule that is new may need more than was read ahead. */
  private reading(from: number, to: number): [what: string, read: () => Promise<Block[]>] {
    const wants = { receipts: (this.loaded as Loaded).memory.watchList.needsReceipts };
    return [JSON.stringify({ from, to, wants }), () => this.reader.blocks(from, to, wants)];
  }

  private async rollBack({ ancestor, depth }: Fork): Promise<void> {
    const loaded = this.loaded as NonNullable<Follower["loaded"]>;
    this.app.log.warn({ chain: this.chain.chain, depth, to: ancestor.height }, "the chain was reorganised");
    const isDeep = depth > this.chain.finality_depth;
    if (isDeep || ancestor.height < loaded.height) {
      // So far back, memory does not know, or may have let go of, what the windows of that time need.
      Object.assign(loaded, await loadMemory(this.app, this.chain, ancestor));
    } else {
      const states = await listStatesAt(this.app.db, this.chain.chain, ancestor.height);
      loaded.memory.rollBackTo(ancestor, states as { rule_id: string; state: RuleState | null }[]);
    }
    loaded.marks = loaded.marks.filter((mark) => mark.height <= ancestor.height);
    for (const id of await listUpgradedAbove(this.app.db, this.chain.chain, ancestor.height)) {
      const contract = loaded.memory.watchList.contract(id);
      if (contract) await readByCode(this.app, loaded.memory, contract, null, ancestor);
    }
    if (isDeep) await this.degrade(depth);
  }

  /** Deeper than the chain should ever go back: still followed, but people must know. */
  private async degrade(depth: number): Promise<void> {
    const degraded_reason = `A reorganisation went ${depth} blocks deep; ${this.chain.finality_depth} were held to be final.`;
    this.app.log.error({ chain: this.chain.chain, depth }, degraded_reason);
    await noteHead(this.app.db, this.chain.chain, { degraded_reason });
  }

  private async takeIn(
    blocks: Block[],
    head: Mark,
    lease: { fence: number },
    fork: Fork | undefined,
  ): Promise<void> {
    const loaded = this.loaded as NonNullable<Follower["loaded"]>;
    const outcome = emptyOutcome(fork?.ancestor.height);
    for (const block of blocks) {
      await this.takeInBlock(outcome, block, head);
    }
    const last = blocks[outcome.blocks.length - 1] as Block;
    const cursor = { height: last.height, hash: last.hash, time: last.time };
    for (const block of blocks) await this.ensureDay(block.time);
    const reached = await this.reached(head);
    const next = Math.min(head.height, last.height + batch);
    // The nodes can answer for the next blocks while the database takes these in.
    if (next > last.height) this.ahead.begin(...this.reading(last.height + 1, next));
    const ids = await commit(this.app, this.chain.chain, outcome, cursor, lease, reached);
    loaded.memory.renameEvents(ids);
    loaded.cursor = cursor;
    loaded.marks = [...outcome.blocks.toReversed(), ...loaded.marks].slice(0, 256);
  }

  private async takeInBlock(outcome: Outcome, block: Block, head: Mark): Promise<void> {
    const { memory } = this.loaded as Loaded;
    const readsState = head.height - block.height <= stateReadDepth;
    const processed = await processBlock(memory, block, this.reader, readsState);
    addToOutcome(outcome, block, processed.measured.samples, processed.evaluations, {
      makeId: () => newId(this.app),
      now: () => this.app.clock.now(),
      setState: (rule_id, state) => memory.setState(rule_id, state),
    });
    for (const [contract, implementation] of processed.upgrades) {
      outcome.upgrades.push({ contract_id: contract.id, implementation, height: block.height });
      await readByCode(this.app, memory, contract, implementation, block);
    }
    for (const contract of processed.touched) outcome.activity.set(contract.id, block.time);
    for (const { series_id, reading } of processed.measured.samples) {
      if (memory.watchList.target(series_id)) {
        outcome.readings.set(series_id, { value: reading.value, time: reading.time });
      }
    }
    for (const [target_id, problem] of processed.problems) outcome.readings.set(target_id, { problem });
  }

  private async ensureDay(time: number): Promise<void> {
    if (this.partitions.has(partitionFor("samples", time))) return;
    this.partitions.add(await ensurePartition(this.app.db, "samples", time));
  }

  private async reached(head: Mark): Promise<Reached> {
    const depth = Math.max(0, head.height - this.chain.finality_depth);
    const settled = (await this.reader.settled()) ?? { safe: depth, finalized: depth };
    return { head: head.height, ...settled };
  }
}
