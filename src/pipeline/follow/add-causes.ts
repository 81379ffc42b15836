import type { Call } from "../../chains/activity.ts";
import type { Block } from "../../chains/block.ts";
import { familyOf } from "../../chains/families.ts";
import type { ChainReader } from "../../chains/reader.ts";
import type { Patience } from "../../lib/concurrency/patience.ts";
import { makePause } from "../../lib/concurrency/pauses.ts";
import type { TimedReading } from "../../meters/meter.ts";
import type { ChangeSet, Fired } from "../commit/change-set.ts";
import { describeEvent } from "../commit/new-event.ts";
import { describedReading } from "../evaluate/described-reading.ts";
import type { WatchedTarget } from "../watch/watch-list.ts";

/** How far beyond the block of a poll the state may be that it read. */
const pollMargin = 64;
/** How far back a change is searched if no reading before it is known. */
const searchedHeights = 1_000;
/** The addresses that are searched for one batch: a provider with a small plan answers few requests a second. */
const maxAddresses = 5;

type Change = { fired: Fired; target: WatchedTarget; reading: TimedReading; after: number };
type Cause = { call: Call; height: number };
type ReadTransactions = NonNullable<ChainReader["transactionsAfter"]>;

/**
 * Adds the transaction that caused a change, and its sender, to the events that fired on polled state, which names neither. Without
 * an answer in time, the event has none.
 */
export async function addCauses(reader: ChainReader, changes: ChangeSet, patience: Patience): Promise<void> {
  const { transactionsAfter } = reader;
  if (!transactionsAfter) return;
  const read = limitReads(transactionsAfter);
  const causes = new Map<TimedReading, Promise<Cause | undefined>>();
  const incomplete = changes.fired.flatMap((fired) => polledChange(fired) ?? []);
  for (const change of incomplete)
    if (!causes.has(change.reading))
      causes.set(
        change.reading,
        findCause(read, change).catch(() => undefined),
      );
  for (const { fired, reading } of incomplete) {
    const cause = await patience.resultOf(causes.get(reading) ?? Promise.resolve(undefined));
    if (!cause) continue;
    const { call, height } = cause;
    reading.evidence = { ...reading.evidence, sender: call.from, slot: height };
    reading.tx_hash = call.tx_hash;
    Object.assign(fired.event, { tx_hash: call.tx_hash }, describeEvent(fired.evaluation));
  }
}

/** The change of polled state that an event is about; undefined if it is about something else. */
function polledChange(fired: Fired): Change | undefined {
  const { reading, previous } = describedReading(fired.evaluation);
  const { target } = fired.rule;
  const { state, previous_state, sender } = reading?.evidence ?? {};
  const isPolled = reading?.tx_hash === null && sender === undefined;
  const isChange = typeof state === "string" && typeof previous_state === "string";
  if (!reading || !isPolled || !isChange || !target.meter.causesOf) return undefined;
  return { fired, target, reading, after: previous?.height ?? reading.height - searchedHeights };
}

/** Reads the transactions of an address once, however many targets of however many orgs changed with it. */
function limitReads(transactionsAfter: ReadTransactions): ReadTransactions {
  const reads = new Map<string, Promise<Block[]>>();
  return async (address, after) => {
    const key = `${address} ${after}`;
    const before = reads.get(key);
    if (before) return before;
    if (reads.size >= maxAddresses) return [];
    const blocks = transactionsAfter(address, after);
    reads.set(key, blocks);
    return blocks;
  };
}

/** Searches the newest transaction up to the poll that may have caused the change. */
async function findCause(
  read: ReadTransactions,
  { target, reading, after }: Change,
): Promise<Cause | undefined> {
  const { meter, contract } = target;
  for (const address of meter.changedAddresses?.(contract.subject, reading) ?? [contract.subject.address]) {
    const blocks = await read(address, after);
    for (const block of blocks.filter(({ height }) => height <= reading.height + pollMargin)) {
      const monitored = { at: () => [contract], on: () => [], needsTraces: () => false };
      const { decodeBlock } = familyOf(contract.subject.chain);
      const activity = (await decodeBlock(block, monitored, makePause())).get(contract);
      const call = activity && meter.causesOf?.(activity, contract.subject).at(-1);
      if (call) return { call, height: block.height };
    }
  }
  return undefined;
}
