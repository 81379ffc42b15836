import { type App, newId } from "../../app.ts";
import type { Block } from "../../chains/block.ts";
import type { Chain } from "../../chains/chain.ts";
import type { BlockNeeds, BlockRef, ChainReader, Fork } from "../../chains/reader.ts";
import { listBlocks } from "../../store/engine/blocks.ts";
import {
  acquireLease,
  type Cursor,
  findCursor,
  moveCursor,
  recordHead,
  releaseLease,
} from "../../store/engine/cursors.ts";
import { emptyChangeSet } from "../commit/change-set.ts";
import { commit, LeaseLost } from "../commit/commit.ts";
import { SamplePartitions } from "../commit/sample-partitions.ts";
import type { FinalityReached } from "../commit/write-events.ts";
import { applyConfigChanges, type Loaded, loadEngineState } from "../watch/load-state.ts";
import { applyBlock, applyCodeChanges } from "./apply-block.ts";
import { BatchPacer } from "./batch-pacer.ts";
import { BlockSource } from "./block-source.ts";
import { discoverCode } from "./discover-code.ts";
import { findFork } from "./find-fork.ts";
import { rollBack } from "./roll-back.ts";
import { resumeContracts, suspendContracts } from "./suspend-contracts.ts";

/** Short, so that a chain is not left alone for long after a crash; renewed while a step goes on. */
const leaseSeconds = 6;
/** Blocks that are taken in and written together while catching up. */
const batch = 200;
/** The same with the calls that contracts made, of which a block may have a hundred thousand. */
const batchWithTraces = 20;
/** Further than this behind the head, old state may no longer be told by the nodes, and is not news either. */
const stateReadDepth = 64;

/** So many blocks of another branch are always taken in together. */
const wholeBranch = 64;

/** How often to see whether something is to be followed again. */
const resumeCheckMs = 30_000;

/** What a step came to. */
export type Progress = "not_ours" | "idle" | "moved" | "rolled_back";

type Following = Loaded & { cursor: Cursor; refs: BlockRef[] };
type Lease = { fence: number };

/** Follows one chain: from each new block to what is committed about it. One step at a time, each safe to repeat. */
export class Follower {
  private readonly app: App;
  private readonly chain: Chain;
  private readonly reader: ChainReader;
  private readonly holder: string;
  private readonly source: BlockSource;
  private readonly days = new SamplePartitions();
  private readonly pace = new BatchPacer();
  /** Undefined until loaded, and again after a failure: what is in memory is only ever a copy. */
  private loaded: Following | undefined;
  private isLoading = false;
  /** Of the lease that memory was loaded under. */
  private fence: number | undefined;
  /** How many steps in a row were given blocks that do not link. */
  private brokenSteps = 0;
  private nextResumeCheckAt = 0;

  constructor(app: App, chain: Chain, reader: ChainReader) {
    this.app = app;
    this.chain = chain;
    this.reader = reader;
    this.holder = newId(app);
    this.source = new BlockSource(chain, reader);
  }

  /** Takes in what is new, up to a batch of blocks. Whatever fails leaves the store as it was. */
  async step(): Promise<Progress> {
    const lease = await acquireLease(this.app.db, this.chain.chain, this.holder, leaseSeconds);
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
      this.days.forget();
      if (error instanceof LeaseLost) return "not_ours";
      throw error;
    }
  }

  /**
   * Keeps the chain ours while a step, or loading all that is watched, takes longer than the lease lasts. Called at intervals,
   * whatever the step does. After a failure it is left to whoever fares better.
   */
  async renew(): Promise<void> {
    if (this.loaded || this.isLoading)
      await acquireLease(this.app.db, this.chain.chain, this.holder, leaseSeconds);
  }

  /** Lets another process have the chain at once. */
  async stop(): Promise<void> {
    await releaseLease(this.app.db, this.chain.chain, this.holder);
  }

  private batchOf({ traces }: BlockNeeds): number {
    return this.pace.of(this.reader.maxHeightsPerBatch ?? (traces ? batchWithTraces : batch));
  }

  /**
   * How far another branch is taken in at once, besides a batch: as far as ours went, so that what is in both is not called
   * off in between. From nodes that cannot give so much it comes in parts.
   */
  private branchOf(heights: number): number {
    return this.pace.isSlow && !this.reader.findFork ? Math.min(heights, wholeBranch) : heights;
  }

  /** The newest block that is committed. */
  get cursor(): Cursor | undefined {
    return this.loaded?.cursor;
  }

  private async advance(lease: Lease): Promise<Progress> {
    const head = await this.reader.head();
    const loaded = this.loaded ?? (await this.loadHolding(lease, head));
    this.loaded = loaded;
    await this.noteHead(head, loaded.cursor);
    if (this.reader.popOverloadedAddress) await this.followWhatCanBe(loaded, lease);
    await applyConfigChanges(this.app, loaded, this.chain, loaded.cursor);
    this.reader.watch?.(loaded.engine.watchList.addresses());
    const fork = await findFork(this.reader, loaded.refs, head);
    if (!fork && head.height <= loaded.cursor.height) return "idle";
    const onto = fork?.ancestor ?? loaded.cursor;
    const wants = blockNeedsOf(loaded);
    const branch = this.branchOf(loaded.cursor.height - onto.height);
    const to = Math.min(head.height, onto.height + branch + this.batchOf(wants));
    const taking = this.source.take(onto.height + 1, to, wants, onto);
    const { linked, isBroken } = await this.pace.watch(taking);
    await this.recordBroken(isBroken, onto);
    if (linked.length === 0) return "idle";
    if (fork) await this.goBack(loaded, fork);
    await this.applyBatch(loaded, linked, onto, head, lease, fork);
    return fork ? "rolled_back" : "moved";
  }

  /** Lets go of what holds up all others, and takes back what was let go long ago. */
  private async followWhatCanBe({ cursor, engine }: Following, lease: Lease): Promise<void> {
    const at = { chain: this.chain, cursor, lease };
    const busiest = this.reader.popOverloadedAddress?.();
    if (busiest) await suspendContracts(this.app, at, engine.watchList, busiest);
    const now = this.app.clock.now().getTime();
    if (now < this.nextResumeCheckAt) return;
    await resumeContracts(this.app, at);
    this.nextResumeCheckAt = now + resumeCheckMs;
  }

  private async loadHolding(lease: Lease, head: BlockRef): Promise<Following> {
    this.isLoading = true;
    return this.load(lease, head).finally(() => {
      this.isLoading = false;
    });
  }

  /** A chain is followed from the block after the one that is newest when it is first looked at. */
  private async load(lease: Lease, head: BlockRef): Promise<Following> {
    const cursor = (await findCursor(this.app.db, this.chain.chain)) ?? head;
    if (cursor === head) await moveCursor(this.app.db, this.chain.chain, head, lease, this.app.clock.now());
    const stored = await listBlocks(this.app.db, this.chain.chain);
    const refs = stored.length > 0 ? stored : [{ parent_hash: "", ...cursor }];
    const engine = await loadEngineState(this.app, this.chain, cursor);
    await this.app.faults.hit("engine.after_load");
    return { ...engine, cursor, refs };
  }

  /** What was wrong is over when the chain can be read again, unless what is read does not fit. */
  private async noteHead({ height }: BlockRef, cursor: Cursor): Promise<void> {
    await recordHead(this.app.db, this.chain.chain, {
      head_height: height,
      head_seen_at: this.app.clock.now(),
      ...(this.brokenSteps < 2 && { last_error: this.reader.warning?.() ?? this.shortfall(height, cursor) }),
    });
  }

  /** Nodes that lag are waited for; those that have begun anew, as a development node does, would be for long. */
  private shortfall(head: number, { height }: Cursor): string | null {
    if (height - head <= this.chain.finality_depth) return null;
    return `The nodes show block ${head}, far below block ${height} that was followed already; what they have is taken in once it is longer.`;
  }

  /** Once, a reorganisation between two questions looks the same; a node that keeps at it has to be looked at. */
  private async recordBroken(isBroken: boolean, { height }: Cursor): Promise<void> {
    this.brokenSteps = isBroken ? this.brokenSteps + 1 : 0;
    if (this.brokenSteps !== 2) return;
    const last_error = `The nodes give a block ${height + 1} that does not follow block ${height}.`;
    this.app.log.warn({ chain: this.chain.chain, height }, last_error);
    await recordHead(this.app.db, this.chain.chain, { last_error });
  }

  private async goBack(loaded: Following, fork: Fork): Promise<void> {
    await rollBack(this.app, this.chain, loaded, fork);
    loaded.refs = loaded.refs.filter((ref) => ref.height <= fork.ancestor.height);
  }

  private async applyBatch(
    loaded: Following,
    blocks: Block[],
    onto: Cursor,
    head: BlockRef,
    lease: Lease,
    fork: Fork | undefined,
  ): Promise<void> {
    const { app, chain, reader } = this;
    const changes = emptyChangeSet(fork?.ancestor.height);
    const { height, hash, time } = blocks.at(-1) as Block;
    const wants = blockNeedsOf(loaded);
    this.source.begin(height + 1, Math.min(head.height, height + this.batchOf(wants)), wants);
    const isFresh = ({ height }: { height: number }) => head.height - height <= stateReadDepth;
    if (isFresh(onto)) {
      const codes = await discoverCode(app, loaded.engine, reader, onto);
      await applyCodeChanges(app, loaded.engine, changes, codes, onto);
    }
    for (const block of blocks) await applyBlock(app, loaded.engine, reader, changes, block, isFresh(block));
    await this.days.ensure(
      app,
      blocks.map((block) => block.time),
    );
    const reached = await this.reached(head);
    const ids = await commit(app, chain.chain, changes, { height, hash, time }, lease, reached);
    loaded.engine.renameEvents(ids);
    loaded.cursor = { height, hash, time };
    loaded.refs = [...changes.blocks.toReversed(), ...loaded.refs].slice(0, 256);
  }

  private async reached(head: BlockRef): Promise<FinalityReached> {
    const depth = Math.max(0, head.height - this.chain.finality_depth);
    const settled = (await this.reader.finality()) ?? { safe: depth, finalized: depth };
    return { head: head.height, ...settled };
  }
}

function blockNeedsOf({ engine: { watchList } }: Loaded): BlockNeeds {
  return { receipts: watchList.needsReceipts, ...(watchList.tracing.size > 0 && { traces: true }) };
}
