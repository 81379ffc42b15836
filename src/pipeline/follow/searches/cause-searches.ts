import type { Call } from "../../../chains/activity.ts";
import type { Block } from "../../../chains/block.ts";
import { familyOf } from "../../../chains/families.ts";
import type { ChainReader, HeightRange } from "../../../chains/reader.ts";
import type { Clock } from "../../../lib/clock.ts";
import { makeFairQueue } from "../../../lib/concurrency/fair-queue.ts";
import { makePause } from "../../../lib/concurrency/pauses.ts";
import { type SharedItems, shareItems } from "../../../lib/concurrency/share-items.ts";
import type { TimedReading } from "../../../meters/meter.ts";
import type { WatchedTarget } from "../../watch/watch-list.ts";

/** A change that a poll found, and the height of the poll before it. */
export type PolledChange = { target: WatchedTarget; reading: TimedReading; after: number };
/** The call that caused a change. */
export type Cause = { call: Call; height: number };

/** How far beyond the block of a poll the state may be that it read. */
const pollMargin = 64;
/** A provider with a small plan answers few requests a second. */
const limits = {
  ...{ maxRunning: 5, maxRunningPerOwner: 3, maxQueued: 1_000, maxQueuedPerOwner: 100 },
  maxWaitMs: 600_000,
};
/** A search that takes longer would delay others. */
const maxSearchMs = 300_000;

type Parts = SharedItems<Block[]>;

/** Searches the transactions that caused changes beside the blocks, a few at a time and in turns of the organisations. */
export class CauseSearches {
  private readonly clock: Clock;
  private readonly reader: ChainReader;
  private readonly queue = makeFairQueue(limits);

  constructor(clock: Clock, reader: ChainReader) {
    this.clock = clock;
    this.reader = reader;
  }

  /** Starts a search for each change. None rejects: what is not found has no cause. */
  start(changes: readonly PolledChange[]): Map<TimedReading, Promise<Cause | undefined>> {
    const read = this.shareReads();
    const started = changes.map((change) => {
      const cause = this.queue.run(change.target.contract.org_id, () => this.findCause(read, change));
      return [change.reading, cause.catch(() => undefined)] as const;
    });
    return new Map(started);
  }

  /** Reads each transaction of an address once, however many targets of however many orgs changed with it. */
  private shareReads(): (address: string, range: HeightRange) => Parts {
    const reads = new Map<string, Parts>();
    return (address, range) => {
      const key = `${address} ${range.after} ${range.upTo}`;
      const parts = reads.get(key) ?? shareItems(this.reader.transactionsBetween?.(address, range) ?? []);
      reads.set(key, parts);
      return parts;
    };
  }

  /** Searches the addresses in turns, a part of each at a time: one of them may have very many transactions. */
  private async findCause(
    read: (address: string, range: HeightRange) => Parts,
    { target, reading, after }: PolledChange,
  ): Promise<Cause | undefined> {
    const { meter, contract } = target;
    const range = { after, upTo: reading.height + pollMargin };
    const { subject } = contract;
    let open = (meter.changedAddresses?.(subject, reading) ?? [subject.address]).map((one) =>
      read(one, range),
    );
    const endMs = this.nowMs() + maxSearchMs;
    for (let part = 0; open.length > 0 && this.nowMs() < endMs; part++) {
      const more: Parts[] = [];
      for (const parts of open) {
        const blocks = await parts(part).catch(() => undefined);
        const cause = blocks && (await causeIn(blocks, target));
        if (cause) return cause;
        if (blocks) more.push(parts);
      }
      open = more;
    }
    return undefined;
  }

  private nowMs(): number {
    return this.clock.now().getTime();
  }
}

/** The newest call in blocks that may have caused a change of a target. */
async function causeIn(
  blocks: readonly Block[],
  { meter, contract }: WatchedTarget,
): Promise<Cause | undefined> {
  const { decodeBlock } = familyOf(contract.subject.chain);
  const monitored = { at: () => [contract], on: () => [], needsTraces: () => false };
  for (const block of blocks) {
    const activity = (await decodeBlock(block, monitored, makePause())).get(contract);
    const call = activity && meter.causesOf?.(activity, contract.subject).at(-1);
    if (call) return { call, height: block.height };
  }
  return undefined;
}
