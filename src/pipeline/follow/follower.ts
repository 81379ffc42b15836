import { type App, newId } from "../../app.ts";
import type { Chain } from "../../chains/chain.ts";
import { type BlockRef, type ChainReader, type Fork, PrunedHistory } from "../../chains/reader.ts";
import type { ReadingPlan } from "../../chains/reading-plan.ts";
import { insertBlocks, listBlocks } from "../../store/engine/blocks.ts";
import {
  acquireLease,
  type Cursor,
  findCursor,
  moveCursor,
  releaseLease,
} from "../../store/engine/cursors.ts";
import { listScanFilters } from "../../store/engine/scan-filters.ts";
import { newestWatchChange } from "../../store/engine/watch.ts";
import { LeaseLost } from "../commit/commit.ts";
import { SamplePartitions } from "../commit/sample-partitions.ts";
import { applyConfigChanges, loadEngineState } from "../watch/load-state.ts";
import { applyBatch, type ChainState, type Lease, type Parts } from "./apply-batch.ts";
import { applyLateState } from "./apply-late-state.ts";
import { AuxiliaryReads } from "./auxiliary-reads.ts";
import { BatchPacer } from "./batch-pacer.ts";
import { BlockSource } from "./block-source.ts";
import { ChainHealth } from "./chain-health.ts";
import { findFork } from "./find-fork.ts";
import { rollBack } from "./roll-back.ts";
import { explainPruned, skipPruned } from "./skip-pruned.ts";
import { Suspensions } from "./suspensions.ts";

/** Short, so that another process takes over soon after a crash; renewed during a step. */
const leaseSeconds = 6;
/** The number of blocks that are applied and committed together while catching up. */
const maxBatch = 200;
/** The same with traces: a block may have a hundred thousand internal calls. */
const maxBatchWithTraces = 20;
/** A new branch of up to this length is applied in one batch even if endpoints are slow. */
const minBranchBatch = 64;
/** The interval at which a chain that is polled rarely checks the watch list for changes. */
const changeCheckMs = 2_000;

/** The outcome of a step. */
export type Progress =
  /** Another process follows the chain. */
  | "standby"
  | "idle"
  | "moved"
  | "rolled_back"
  /** There is no new block, and state that was read late was applied. */
  | "measured";

/** Follows one chain in steps: each reads new blocks, applies and commits them, and is safe to repeat. */
export class Follower {
  private readonly app: App;
  private readonly chain: Chain;
  private readonly reader: ChainReader;
  private readonly holder: string;
  private readonly source: BlockSource;
  private readonly health: ChainHealth;
  private readonly partitions = new SamplePartitions();
  private readonly pacer = new BatchPacer();
  private readonly auxiliary: AuxiliaryReads;
  private readonly suspensions: Suspensions;
  /** Undefined before loading and after a failure: the store holds the authoritative state. */
  private chainState: ChainState | undefined;
  private isLoading = false;
  /** The fencing token under which the state was loaded. */
  private fence: number | undefined;
  /** True if the last step left nothing to read. */
  isAtHead = false;

  constructor(app: App, chain: Chain, reader: ChainReader) {
    this.app = app;
    this.chain = chain;
    this.reader = reader;
    this.holder = newId(app);
    this.source = new BlockSource(chain, reader);
    this.health = new ChainHealth(app, chain, reader);
    this.auxiliary = new AuxiliaryReads(app, reader);
    this.suspensions = new Suspensions(this.parts());
  }

  /** Applies new blocks, up to one batch. A batch is committed completely or not at all. */
  async step(): Promise<Progress> {
    const lease = await acquireLease(this.app.db, this.chain.chain, this.holder, leaseSeconds);
    if (!lease) {
      this.chainState = undefined;
      return "standby";
    }
    // A new fencing token means that another process held the lease in between, so the loaded state is outdated.
    if (this.fence !== lease.fence) this.chainState = undefined;
    this.fence = lease.fence;
    try {
      await this.app.faults.hit("engine.after_lease");
      return await this.advance(lease);
    } catch (error) {
      this.chainState = undefined;
      this.partitions.forget();
      this.auxiliary.polls.clear();
      this.auxiliary.activity.clear();
      this.suspensions.clear();
      if (error instanceof LeaseLost) return "standby";
      if (error instanceof PrunedHistory) {
        await skipPruned(this.app, this.chain, this.reader, error, lease);
        return "moved";
      }
      throw error;
    }
  }

  /**
   * Renews the lease while a step or loading takes longer than the lease lasts. After a failure the lease is not renewed, so
   * that another process may take over.
   */
  async renew(): Promise<void> {
    if (this.chainState || this.isLoading)
      await acquireLease(this.app.db, this.chain.chain, this.holder, leaseSeconds);
  }

  /** Releases the lease. */
  async stop(): Promise<void> {
    await releaseLease(this.app.db, this.chain.chain, this.holder);
  }

  /** The engine state in memory, for checks; undefined when the next step loads it. */
  get state(): ChainState | undefined {
    return this.chainState;
  }

  /** The newest committed block. */
  get cursor(): Cursor | undefined {
    return this.chainState?.cursor;
  }

  /** True while state is being read beside the blocks. */
  get isReadingState(): boolean {
    return this.auxiliary.polls.hasPending;
  }

  private async advance(lease: Lease): Promise<Progress> {
    const head = await this.reader.head();
    const chainState = this.chainState ?? (await this.load(lease, head));
    this.chainState = chainState;
    await this.health.recordHead(head, chainState.cursor, chainState.engine.watchList.plan.reads);
    if (this.reader.popUnreadableAddress) await this.suspensions.update({ chainState, head, lease });
    chainState.engine.observeHead(head.time);
    await applyConfigChanges(this.app, chainState, this.chain, chainState.cursor);
    // A chain without new blocks is not measured any longer either.
    chainState.engine.removePaused(
      head.height <= chainState.cursor.height ? Infinity : chainState.cursor.time,
    );
    const { watchList } = chainState.engine;
    this.auxiliary.holders.watch(chainState.engine);
    const { plan } = watchList;
    this.reader.follow?.(plan);
    const fork = await this.findFork(chainState, head).catch((error: unknown) =>
      explainPruned(this.chain, error, { next: chainState.cursor.height + 1, head }),
    );
    this.isAtHead = !fork && head.height <= chainState.cursor.height;
    if (this.isAtHead) return this.applyLateState(chainState, head, lease);
    if (this.reader.mayReadBlocks?.() === false) return "idle";
    const parent = fork?.ancestor ?? chainState.cursor;
    const branch = this.branchSize(chainState.cursor.height - parent.height);
    const to = Math.min(head.height, parent.height + branch + this.batchSize(plan));
    const { watchVersion } = chainState;
    const reading = this.source.read({ from: parent.height + 1, to, plan, watchVersion }, parent);
    const { linked, isBroken } = await this.pacer
      .observe(reading)
      .catch((error: unknown) => explainPruned(this.chain, error, { next: parent.height + 1, head }));
    await this.health.recordLinks(isBroken, parent);
    const last = linked.at(-1);
    if (!last) return "idle";
    if (fork) {
      await rollBack(this.app, this.chain, chainState, fork);
      chainState.refs = chainState.refs.filter((ref) => ref.height <= fork.ancestor.height);
      this.auxiliary.rollBackTo(fork.ancestor, chainState.engine);
      this.suspensions.rollBackTo(fork.ancestor.height);
    }
    this.prefetchAfter(last.height, head, chainState);
    await applyBatch(this.parts(), chainState, { blocks: linked, plan, parent, head, fork }, lease);
    // A block that is read by address may have another hash than the head, which was read without its contents.
    this.isAtHead = this.reader.findFork
      ? chainState.cursor.height >= head.height
      : chainState.cursor.hash === head.hash;
    return fork ? "rolled_back" : "moved";
  }

  private async findFork({ refs, engine }: ChainState, head: BlockRef): Promise<Fork | undefined> {
    const fork = await findFork(this.reader, refs, head);
    if (fork) return fork;
    const late = await this.reader.findLateLogs?.(refs, head, engine.watchList.plan);
    return late ?? this.auxiliary.traces.findLate(refs, engine.watchList);
  }

  /** Waits until there may be a new head, or state or traces that were read late. */
  async waitForWork(signal: AbortSignal): Promise<void> {
    const { cursor } = this;
    if (!cursor) return;
    const wakeUp = new AbortController();
    const stop = AbortSignal.any([signal, wakeUp.signal]);
    this.auxiliary.polls.whenSettled(() => wakeUp.abort());
    this.suspensions.whenReady(() => wakeUp.abort());
    this.auxiliary.traces.whenLate(() => wakeUp.abort());
    const watching = this.waitForChange(stop).then(() => wakeUp.abort());
    await this.reader.waitForHead({ parent_hash: "", ...cursor }, stop);
    wakeUp.abort();
    await watching;
  }

  /** A chain that is polled rarely must notice soon that more of it is watched. */
  private async waitForChange(signal: AbortSignal): Promise<void> {
    const { chainState } = this;
    const reads = chainState?.engine.watchList.plan.reads;
    const isRare =
      this.reader.pace !== undefined &&
      (reads === "nothing" || reads === "state" || this.reader.findFork !== undefined);
    if (!chainState || !isRare) return waitForAbort(signal);
    while (!signal.aborted) {
      await this.app.clock.sleep(changeCheckMs, signal);
      const newest = signal.aborted
        ? 0
        : await newestWatchChange(this.app.db, this.chain.chain).catch(() => 0);
      if (newest > chainState.watchVersion) return;
    }
  }

  private async applyLateState(chainState: ChainState, head: BlockRef, lease: Lease): Promise<Progress> {
    if (!this.auxiliary.polls.hasSettled) return "idle";
    await applyLateState(this.parts(), chainState, head, lease);
    return "measured";
  }

  private parts(): Parts {
    const { app, chain, reader, partitions, auxiliary } = this;
    return { app, chain, reader, partitions, auxiliary };
  }

  private batchSize(plan: ReadingPlan): number {
    const traces = plan.reads === "blocks" && plan.needs.traces;
    const size = this.reader.maxHeightsPerBatch?.(plan) ?? (traces ? maxBatchWithTraces : maxBatch);
    return Number.isFinite(size) ? this.pacer.scale(size) : size;
  }

  /**
   * The part of a new branch that is applied in addition to a batch: as many blocks as were rolled back, so that events on both
   * branches are not retracted in between. If the endpoints are slow, the branch is read in parts.
   */
  private branchSize(heights: number): number {
    return this.pacer.isSlow && !this.reader.findFork ? Math.min(heights, minBranchBatch) : heights;
  }

  private prefetchAfter(height: number, head: BlockRef, chainState: ChainState): void {
    // Two batches at the same time could exceed what is left of the calls of the day.
    if (this.reader.pace?.().isSlowed) return;
    const { plan } = chainState.engine.watchList;
    const to = Math.min(head.height, height + this.batchSize(plan));
    this.source.prefetch({ from: height + 1, to, plan, watchVersion: chainState.watchVersion });
  }

  private async load(lease: Lease, head: BlockRef): Promise<ChainState> {
    this.isLoading = true;
    try {
      return await this.loadState(lease, head);
    } finally {
      this.isLoading = false;
    }
  }

  /** A chain without a cursor is followed from the block after the current head. */
  private async loadState(lease: Lease, head: BlockRef): Promise<ChainState> {
    const cursor = (await findCursor(this.app.db, this.chain.chain)) ?? pickCursor(head);
    const stored = await listBlocks(this.app.db, this.chain.chain);
    const first = { parent_hash: "", ...cursor };
    if (stored.length === 0) await this.begin(lease, first);
    const engine = await loadEngineState(this.app, this.chain, cursor, head.time);
    const filters = await listScanFilters(this.app.db, this.chain.chain);
    this.reader.rememberScans?.(filters);
    await this.app.faults.hit("engine.after_load");
    const refs = stored.length > 0 ? stored : [first];
    return { ...engine, cursor, refs, storedFilters: new Set(filters.keys()) };
  }

  /** Where only some blocks are stored, the first one is: a reorganisation may replace all that are stored after it. */
  private async begin(lease: Lease, first: BlockRef): Promise<void> {
    const { db, clock } = this.app;
    await db.transaction().execute(async (tx) => {
      const isOurs = await moveCursor(tx, this.chain.chain, first, lease, clock.now());
      if (isOurs && this.reader.scan) await insertBlocks(tx, this.chain.chain, [first]);
    });
  }
}

function pickCursor({ height, hash, time }: BlockRef): Cursor {
  return { height, hash, time };
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
