import type { ReadResult } from "../../chains/block.ts";
import { ChainError, type ChainReader } from "../../chains/reader.ts";
import { inParallel } from "../../chains/rpc/in-parallel.ts";
import type { Log } from "../../lib/log/log.ts";
import type { TimedReading } from "../../meters/meter.ts";
import type { EngineState } from "../watch/engine-state.ts";
import type { WatchedTarget } from "../watch/watch-list.ts";
import { UnchangedState } from "./unchanged-state.ts";

/** The block at which state is read. */
export type PolledBlock = { height: number; hash: string; time: number };

/** A target whose state was read at a block. No results: the block was replaced by a reorg, so it must be read again. */
export type SettledPoll = { target: WatchedTarget; block: PolledBlock; results: ReadResult[] | undefined };

/** A target to read, with its newest reading. */
export type DueTarget = { target: WatchedTarget; previous: TimedReading | undefined };

type StartedPoll = SettledPoll & DueTarget;

/** Targets that are read one by one, at the same time. */
const maxSeparate = 4;

/**
 * The state reads of a chain. They run beside the blocks: each target settles independently, whatever the others do, and a block
 * is committed without those that have not settled.
 */
export class StatePolls {
  private readonly reader: ChainReader;
  private readonly log: Log;
  private readonly pending = new Set<SettledPoll>();
  private settled: SettledPoll[] = [];
  /** Consecutive reads that nodes failed to answer, by target. */
  private readonly failures = new Map<string, number>();
  readonly state = new UnchangedState();
  private onSettled: (() => void) | undefined;

  constructor(reader: ChainReader, log: Log) {
    this.reader = reader;
    this.log = log;
  }

  /** Starts to read targets at a block. The promise resolves when all have settled, and never rejects. */
  async start(due: readonly DueTarget[], block: PolledBlock): Promise<void> {
    const polls = due.map(
      ({ target, previous }): StartedPoll => ({ target, previous, block, results: undefined }),
    );
    for (const poll of polls) this.pending.add(poll);
    // A read that nodes fail to answer may fail a whole request, so such targets are kept apart from the others.
    const [separate, together] = split(polls, ({ target }) => this.failuresOf(target.id) > 0);
    await Promise.all([
      together.length > 0 && this.read(together, block),
      inParallel(maxSeparate, separate, (poll) => this.read([poll], block)),
    ]);
  }

  /** True if there are results to apply. */
  get hasSettled(): boolean {
    return this.settled.length > 0;
  }

  /** True if reads have been started that have not settled. */
  get hasPending(): boolean {
    return this.pending.size > 0;
  }

  /** The number of consecutive reads of a target that nodes failed to answer. */
  failuresOf(target_id: string): number {
    return this.failures.get(target_id) ?? 0;
  }

  /** Removes and returns what has settled, in the order of blocks. */
  removeSettled(): SettledPoll[] {
    const taken = this.settled.toSorted((a, b) => a.block.height - b.block.height);
    this.settled = [];
    return taken;
  }

  /** Calls back once, as soon as there are results to apply. */
  whenSettled(callback: () => void): void {
    if (this.hasSettled) callback();
    else this.onSettled = callback;
  }

  /** Forgets the reads at blocks that were rolled back, and schedules their targets again. */
  rollBackTo({ height, time }: { height: number; time: number }, engine: EngineState): void {
    for (const poll of [...this.pending, ...this.settled]) {
      if (poll.block.height > height) engine.polls.set(poll.target.id, time);
    }
    this.forget(({ block }) => block.height > height);
  }

  /** Forgets everything, because the engine state is loaded again. */
  clear(): void {
    this.forget(() => true);
  }

  private forget(isForgotten: (poll: SettledPoll) => boolean): void {
    for (const poll of this.pending) if (isForgotten(poll)) this.pending.delete(poll);
    this.settled = this.settled.filter((poll) => !isForgotten(poll));
  }

  private async read(polls: readonly StartedPoll[], block: PolledBlock): Promise<void> {
    const plans = polls.map(({ target, previous }) => this.state.reads(target, previous));
    const reads = plans.flat();
    const results = await this.reader
      .read(reads, block)
      .catch((error: unknown) => this.failureOf(error)?.fill(reads.length));
    let next = 0;
    for (const [index, poll] of polls.entries()) {
      const count = plans[index]?.length ?? 0;
      this.settle({ ...poll, results: results?.slice(next, next + count) }, poll);
      next += count;
    }
  }

  /** The result of reads that failed together; undefined when they must be repeated at another block. */
  private failureOf(error: unknown): { fill(count: number): ReadResult[] } | undefined {
    if (error instanceof ChainError && error.code === "replaced") return undefined;
    const isKnown = error instanceof ChainError;
    if (!isKnown) this.log.error({ err: error }, "state could not be read");
    const problem = isKnown ? error.publicMessage : "An internal error prevented the read.";
    return {
      fill: (count) => Array.from({ length: count }, () => ({ ok: false, code: "unavailable", problem })),
    };
  }

  private settle(done: SettledPoll, pending: SettledPoll): void {
    if (!this.pending.delete(pending)) return;
    const { id } = done.target;
    const isFailed = done.results?.some((result) => !result.ok && result.code !== "reverted");
    if (isFailed) this.failures.set(id, this.failuresOf(id) + 1);
    else if (done.results) this.failures.delete(id);
    this.settled.push(done);
    this.onSettled?.();
    this.onSettled = undefined;
  }
}

function split<Item>(items: readonly Item[], test: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}
