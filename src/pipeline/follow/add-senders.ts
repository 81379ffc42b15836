import type { ChainReader, IncludedTransaction } from "../../chains/reader.ts";
import type { Patience } from "../../lib/concurrency/patience.ts";
import type { TimedReading } from "../../meters/meter.ts";
import type { ChangeSet, Fired } from "../commit/change-set.ts";
import { describeEvent } from "../commit/new-event.ts";

/**
 * Adds who sent the transactions of logs to the events that fired on them, where no transactions are read. Only these are
 * fetched, because most logs never become an alert. If the nodes do not answer in time, the sender in the evidence is null.
 */
export async function addSenders(reader: ChainReader, changes: ChangeSet, patience: Patience): Promise<void> {
  if (!reader.senders) return;
  const incomplete = changes.fired.flatMap((fired) => {
    const reading = describedReading(fired);
    return reading && lacksSender(reading) ? [{ fired, reading }] : [];
  });
  if (incomplete.length === 0) return;
  const senders = await findSenders(reader.senders, patience, incomplete);
  for (const { fired, reading } of incomplete) {
    // The reading stays in memory, so that a later event on it does not fetch the transaction again.
    reading.evidence = { ...reading.evidence, sender: senders.get(reading.tx_hash ?? "") ?? null };
    Object.assign(fired.event, describeEvent(fired.evaluation));
  }
}

/** The reading that the texts of an event describe. */
function describedReading({ evaluation: { cause, windowResult } }: Fired): TimedReading | undefined {
  return cause ?? windowResult.window.at(-1);
}

/** The evidence of a transaction has its sender under another name. */
function lacksSender({ tx_hash, position, evidence }: TimedReading): boolean {
  return tx_hash !== null && position !== null && (evidence?.sender ?? null) === null;
}

async function findSenders(
  senders: NonNullable<ChainReader["senders"]>,
  patience: Patience,
  incomplete: readonly { reading: TimedReading }[],
): Promise<ReadonlyMap<string, string>> {
  const transactions = new Map<string, IncludedTransaction>();
  for (const { reading } of incomplete) {
    const { tx_hash, height } = reading;
    if (tx_hash) transactions.set(tx_hash, { hash: tx_hash, height });
  }
  const fetching = senders([...transactions.values()]).catch(() => new Map<string, string>());
  return (await patience.resultOf(fetching)) ?? new Map();
}
