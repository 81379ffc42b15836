import type { App } from "../../app.ts";
import type { Block, InternalCall } from "../../chains/block.ts";
import { type BlockRef, ChainError, type ChainReader, type Fork } from "../../chains/reader.ts";
import { Patience } from "../../lib/concurrency/patience.ts";
import type { WatchList } from "../watch/watch-list.ts";
import { TraceStatus } from "./trace-status.ts";

/** A commit of a few blocks waits this long for traces, and a batch of many, which is read while catching up, longer. */
const maxWaitMs = 1_500;
const maxBatchWaitMs = 5_000;
const fewBlocks = 4;
/** Traces that have not been returned for so long are given up. Anyone can send a transaction that is too expensive to trace. */
const giveUpMs = 10 * 60_000;
const retryMs = 15_000;
/** Requests for traces at the same time. The most expensive ones for a node must not pile up. */
const maxTasks = 4;

/** A block without traces, and when these were last asked for; infinite while they are. */
type Missing = { block: Block; sinceMs: number; askedMs: number };

/**
 * The traces of a chain, which are read beside the blocks. A block whose traces are late is committed without them; when they
 * come and have calls of watched contracts, it is read again like a block with late logs: from a fork below it.
 */
export class TraceReads {
  readonly status: TraceStatus;
  private readonly app: App;
  private readonly reader: ChainReader;
  private readonly patience: Patience;
  private readonly batchPatience: Patience;
  /** By block hash, like all that follows: the same block is the same on every branch and after a failed commit. */
  private readonly missing = new Map<string, Missing>();
  private readonly found = new Map<string, InternalCall[]>();
  private readonly givenUp = new Set<string>();
  private tasks = 0;
  private onLate: (() => void) | undefined;

  constructor(app: App, reader: ChainReader) {
    this.app = app;
    this.reader = reader;
    this.status = new TraceStatus(app.clock);
    this.patience = new Patience(app.clock, maxWaitMs);
    this.batchPatience = new Patience(app.clock, maxBatchWaitMs);
  }

  /** Returns the blocks with their internal calls, as far as these are returned soon. */
  async addTo(blocks: readonly Block[], { tracing }: WatchList): Promise<readonly Block[]> {
    if (tracing.size === 0 || !this.reader.traces) return blocks;
    const unknown = blocks.filter(({ hash, internal_calls }) => !internal_calls && !this.found.has(hash));
    for (const block of unknown)
      if (!this.missing.has(block.hash))
        this.missing.set(block.hash, { block, sinceMs: this.nowMs(), askedMs: 0 });
    const patience = blocks.length > fewBlocks ? this.batchPatience : this.patience;
    patience.renew();
    await patience.waitFor(this.ask(unknown));
    return blocks.map((block) => {
      const internal_calls = block.internal_calls ?? this.found.get(block.hash);
      if (internal_calls) return { ...block, internal_calls };
      return this.missing.has(block.hash) ? { ...block, untraced: true } : block;
    });
  }

  /** Returns the fork below the oldest processed block whose traces came late. `refs` are the stored blocks, newest first. */
  findLate(refs: readonly BlockRef[], watchList: WatchList): Fork | undefined {
    const open = watchList.tracing.size > 0 ? refs.filter(({ untraced }) => untraced) : [];
    this.forgetOthers(open, refs.at(-1)?.height ?? 0);
    this.retry();
    const late = open.findLast(({ hash }) => this.mustBeReadAgain(hash, watchList));
    const depth = late ? refs.findIndex(({ height }) => height < late.height) : -1;
    const ancestor = refs[depth];
    return ancestor && { ancestor, depth, isLate: true };
  }

  /** Calls back once, as soon as traces have come that were not waited for. */
  whenLate(callback: () => void): void {
    this.onLate = callback;
  }

  /** A block of which nothing is known was committed by an earlier process. It is read again, and its traces with it. */
  private mustBeReadAgain(hash: string, watchList: WatchList): boolean {
    const calls = this.found.get(hash);
    if (!calls) return !this.missing.has(hash) && !this.givenUp.has(hash);
    const isCounted = calls.some(({ to }) =>
      [...watchList.at(to)].some(
        (contract) => contract.subject.address === to && watchList.needsTraces(contract),
      ),
    );
    // A block may have a hundred thousand calls, which need not be kept.
    if (!isCounted) this.found.set(hash, []);
    return isCounted;
  }

  /** Forgets blocks that were read again, replaced, or are too old to be read again. */
  private forgetOthers(open: readonly BlockRef[], oldest: number): void {
    for (const [hash, { block, sinceMs }] of this.missing) {
      if (this.nowMs() - sinceMs < giveUpMs && block.height > oldest) continue;
      this.giveUp(hash);
      this.status.giveUp(block.height);
    }
    const hashes = new Set(open.map(({ hash }) => hash));
    for (const all of [this.missing, this.found, this.givenUp])
      for (const hash of [...all.keys()]) if (!hashes.has(hash)) all.delete(hash);
  }

  private giveUp(hash: string): void {
    if (this.missing.delete(hash)) this.givenUp.add(hash);
  }

  private retry(): void {
    const due = [...this.missing.values()].filter(({ askedMs }) => this.nowMs() - askedMs >= retryMs);
    void this.ask(due.slice(0, fewBlocks).map(({ block }) => block));
  }

  /** Asks for the traces of blocks. The promise never rejects; blocks that are still missing are asked for again later. */
  private async ask(wanted: readonly Block[]): Promise<void> {
    const queried = wanted.flatMap(({ hash }) => this.missing.get(hash) ?? []);
    const missing = queried.filter(({ askedMs }) => Number.isFinite(askedMs));
    const blocks = missing.map(({ block }) => block);
    if (blocks.length === 0 || this.tasks >= maxTasks) return;
    this.tasks += 1;
    for (const trace of missing) trace.askedMs = Number.POSITIVE_INFINITY;
    const isSupported = await this.reader
      .traces?.(blocks, (block, calls) => this.keep(block, calls))
      .catch((error: unknown) => this.explain(error))
      .finally(() => {
        this.tasks -= 1;
      });
    for (const trace of missing) trace.askedMs = this.nowMs();
    if (isSupported === false) for (const { hash } of blocks) this.giveUp(hash);
  }

  private keep({ hash }: Block, calls: InternalCall[]): void {
    if (!this.missing.delete(hash)) return;
    this.found.set(hash, calls);
    this.onLate?.();
    this.onLate = undefined;
  }

  private explain(error: unknown): undefined {
    if (!(error instanceof ChainError)) this.app.log.error({ err: error }, "traces could not be read");
  }

  private nowMs(): number {
    return this.app.clock.now().getTime();
  }
}
