import type { Block } from "../../block.ts";
import type { Chain } from "../../chain.ts";
import { type BlockRef, ChainError, type Fork } from "../../reader.ts";
import { isWatchedEvent, type ReadingPlan, type WatchedEvents } from "../../reading-plan.ts";
import { EndpointFailure, RpcError } from "../../rpc/failure.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import type { Session } from "../../rpc/session.ts";
import type { BlockVerifier } from "../blocks/block-verifier.ts";
import { fetchBlocks } from "../blocks/fetch-blocks.ts";
import { asEndpointFailure, toleranceOf } from "../blocks/fetch-context.ts";
import type { HeadTracker } from "../heads/head-tracker.ts";
import { EventsRefused, eventSpan, type FoundEvents, type FoundLog, fetchEvents } from "./fetch-events.ts";
import { eventsToCompare, lowestLateLog, scannedSince } from "./late-logs.ts";
import { fetchScanHeaders, verifyEnd } from "./scan-header.ts";
import { blocksOfRange, type ScanContext, type ScannedRange } from "./scan-range.ts";
import { logIdOf, numberLogs } from "./verify-logs.ts";

type LogPlan = Extract<ReadingPlan, { reads: "logs" }>;
type LogEvents = Pick<LogPlan, "filter" | "events" | "hasRules">;

/** The logs of a range that one endpoint returned in this step. */
type CachedLogs = FoundEvents & { from: number; to: number; filter: string; endpoint: number };

export type LogScannerOptions = { rpc: Rpc; tracker: HeadTracker; verifier: BlockVerifier; chain: Chain };

/** Below this block time, the headers of blocks without watched logs are left out: they would cost more than all else. */
const minHeaderMs = 2_000;
/** The blocks that are scanned again at each step, at least and in seconds. */
const minTrailingBlocks = 16;
const trailingSeconds = 60;
const maxTrailingBlocks = 200;
/** Blocks that were read in a large batch are scanned again once, at most so many. */
const maxRescannedBlocks = 2_000;
const keptFilters = 50;
const keptLateBlocks = 200;

/** Reads the watched events of a chain by ranges of blocks, and scans the newest blocks again for logs that came late. */
export class LogScanner {
  readonly readsAllHeaders: boolean;
  private readonly options: LogScannerOptions;
  private readonly trailingBlocks: number;
  private cached: CachedLogs | undefined;
  /** The sets of events that recent blocks were scanned for. */
  private readonly filters = new Map<string, WatchedEvents>();
  /** Logs that were found late, by block hash: endpoints that do not have them yet must not hide them again. */
  private readonly late = new Map<string, FoundLog[]>();
  private scannedFullyTo = 0;

  constructor(options: LogScannerOptions) {
    this.options = options;
    const { block_time_ms, alwaysProducesBlocks } = options.chain;
    this.readsAllHeaders = block_time_ms >= minHeaderMs || !alwaysProducesBlocks;
    const blocks = Math.ceil((trailingSeconds * 1000) / block_time_ms);
    this.trailingBlocks = Math.min(maxTrailingBlocks, Math.max(minTrailingBlocks, blocks));
  }

  /** Reads a range of blocks. */
  async scan(from: number, to: number, plan: LogPlan): Promise<Block[]> {
    const range = rangeOf(plan, from, to);
    return this.use(async (context) => {
      try {
        const { logs, requests } = await this.logsOf(context.session, range);
        const blocks = await blocksOfRange(context, range, logs);
        const end = blocks.at(-1);
        const isFollowed = context.session.endpoint === this.options.tracker.endpoint();
        // Parts of the range may be of different branches, and another endpoint may lag.
        if (end && (requests > 1 || !isFollowed)) await verifyEnd(context, end, isFollowed);
        return blocks;
      } catch (error) {
        this.cached = undefined;
        if (!(error instanceof EventsRefused)) throw error;
        return readWholeBlocks(context, range);
      }
    });
  }

  /** Provides the events that stored blocks were scanned for, which an earlier process may have done. */
  rememberFilters(filters: ReadonlyMap<string, WatchedEvents>): void {
    for (const [filter, events] of filters) this.remember({ filter, events });
  }

  /**
   * Scans the newest blocks again, together with the new ones. Returns the fork below the oldest log that came late. Whole blocks
   * are complete, but those before them may have been scanned.
   */
  async findLateLogs(
    refs: readonly BlockRef[],
    head: BlockRef,
    plan: ReadingPlan,
  ): Promise<Fork | undefined> {
    this.cached = undefined;
    if (plan.reads === "logs") this.remember(plan);
    const [cursor] = refs;
    if (!cursor || head.height <= cursor.height) return undefined;
    const compared = this.comparedPlan(refs, cursor, plan);
    if (!compared) return undefined;
    const oldest = Math.min(cursor.height - this.trailingBlocks, this.scannedFullyTo) + 1;
    const lowest = Math.max(scannedSince(refs, this.filters), oldest, cursor.height - maxRescannedBlocks + 1);
    const to = Math.min(head.height, cursor.height + this.trailingBlocks);
    const lateLog = await this.use(async (context) => {
      const from = this.startOf(context.session, lowest, cursor, to);
      await this.logsOf(context.session, rangeOf(compared, from, to)).catch(ignoreRefusal);
      if (from <= lowest) this.scannedFullyTo = cursor.height;
      const late = lowestLateLog(refs, this.filters, this.cached?.logs ?? []);
      if (late) await this.confirm(context, late);
      return late;
    }).catch(ignorePruned);
    if (!lateLog) return undefined;
    const depth = refs.findIndex(({ height }) => height < lateLog.height);
    const ancestor = refs[depth];
    return ancestor && { ancestor, depth, isLate: true };
  }

  /** The events to search for again: those of the plan or, where whole blocks are read, those of the scans before. */
  private comparedPlan(
    refs: readonly BlockRef[],
    cursor: BlockRef,
    plan: ReadingPlan,
  ): LogEvents | undefined {
    if (plan.reads === "logs") return plan;
    const above = cursor.height - this.trailingBlocks;
    const events = plan.reads === "blocks" ? eventsToCompare(refs, above, this.filters) : undefined;
    return events && { filter: "", events, hasRules: false };
  }

  /** One request covers as much of the trailing blocks as it may. From time to time, all of them are scanned. */
  private startOf(session: Session, lowest: number, cursor: BlockRef, to: number): number {
    const isDue = cursor.height - this.scannedFullyTo >= this.trailingBlocks / 2;
    const inOneRequest = Math.max(lowest, to - eventSpan(session) + 1);
    return Math.min(isDue ? lowest : inOneRequest, cursor.height + 1);
  }

  /** Verifies a log that came late against the header of its block, and keeps it. */
  private async confirm(context: ScanContext, late: FoundLog): Promise<void> {
    const [header] = await fetchScanHeaders(context, [late.height]);
    const logs = (this.cached?.logs ?? []).filter(({ height }) => height === late.height);
    if (!header) return;
    const isOfBlock =
      header.hash === late.block_hash || toleranceOf(context)("other_block_hash", header, late.block_hash);
    if (!isOfBlock) throw new EndpointFailure("inconsistent", "returned logs of another block");
    this.late.set(header.hash, logs);
    forgetOldest(this.late, keptLateBlocks);
  }

  private async logsOf(session: Session, range: ScannedRange): Promise<FoundEvents> {
    const { from, to, filter, events } = range;
    const { cached } = this;
    const covers = cached && cached.from <= from && cached.to >= to && cached.filter === filter;
    if (covers && cached.endpoint === session.endpoint) {
      const logs = cached.logs.filter(({ height }) => height >= from && height <= to);
      return { logs, requests: cached.requests };
    }
    const found = await fetchEvents(session, events, from, to);
    this.cached = { ...found, from, to, filter, endpoint: session.endpoint };
    return found;
  }

  /** Adds logs that were found late to a whole block whose node does not return them. */
  addLateLogs(block: Block): Block {
    const late = this.late.get(block.hash) ?? [];
    const knownIndexes = new Set(block.logs.map(({ log_index }) => log_index));
    const missing = late.filter(({ log_index }) => !knownIndexes.has(log_index));
    if (missing.length === 0) return block;
    const { height, hash: block_hash, time } = block;
    const logs = block.logs.map((log) => ({ ...log, height, block_hash, time }));
    return { ...block, logs: numberLogs([...logs, ...missing]) };
  }

  private remember({ filter, events }: Pick<LogPlan, "filter" | "events">): void {
    this.filters.delete(filter);
    this.filters.set(filter, events);
    forgetOldest(this.filters, keptFilters);
  }

  private use<Result>(work: (context: ScanContext) => Promise<Result>): Promise<Result> {
    const { rpc, tracker, verifier } = this.options;
    const { late, readsAllHeaders } = this;
    const shared = { verifier, late, readsAllHeaders, recent: tracker.recent };
    const guarded = (session: Session) =>
      work({ session, ...shared }).catch((error: unknown) => {
        // Requests for blocks and logs are always valid, so the endpoint is at fault.
        throw error instanceof RpcError ? asEndpointFailure(error) : error;
      });
    return rpc.use(guarded, { prefer: tracker.endpoint(), totalMs: scanDeadlineMs });
  }
}

const scanDeadlineMs = 30_000;

function rangeOf({ filter, events, hasRules }: LogEvents, from: number, to: number): ScannedRange {
  return { from, to, filter, events, hasRules };
}

/** Reads whole blocks from an endpoint that does not return logs of named addresses, and keeps the watched logs. */
async function readWholeBlocks(
  { session, verifier }: ScanContext,
  { from, to, filter, events }: ScannedRange,
): Promise<Block[]> {
  const heights = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const found = new Map<number, Block>();
  const onBlock = (block: Block) => void found.set(block.height, block);
  await fetchBlocks({ session, verifier, receipts: false, onBlock }, heights);
  return heights.flatMap((height) => {
    const block = found.get(height);
    if (!block) return [];
    const logs = block.logs.filter(({ address, topics }) => isWatchedEvent(events, address, topics[0]));
    const senders = new Map(block.transactions.map(({ hash, from: sender }) => [hash, sender]));
    return [{ ...block, transactions: [], senders, logs, scan: { filter, logs: logs.map(logIdOf) } }];
  });
}

/** A node that refuses filters is read by whole blocks, whose bloom filters show that logs are missing. */
function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof EventsRefused)) throw error;
}

/** Blocks that nodes have pruned cannot show late logs. If the next block is pruned too, reading it says so. */
function ignorePruned(error: unknown): undefined {
  if (!(error instanceof ChainError) || error.code !== "pruned") throw error;
}

function forgetOldest<Value>(map: Map<string, Value>, kept: number): void {
  if (map.size > kept) map.delete(map.keys().next().value ?? "");
}
