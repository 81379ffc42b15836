import type { Activity, Call, Emitted } from "../../chains/activity.ts";
import type { Reading } from "../../meters/meter.ts";
import type { ObservedTransaction } from "./match.ts";

/** What is looked up for each reading of an activity. A block can have ten thousands of them. */
type Index = {
  calls: Map<string, Call>;
  internal: Map<string, Call>;
  /** By transaction, and by transaction and position. */
  events: Map<string, Emitted[]>;
};

const indexes = new WeakMap<Activity, Index>();

/** Returns the part of the activity behind a reading: its log if it has one, otherwise its whole transaction. */
export function observedTransaction(activity: Activity, reading: Reading): ObservedTransaction {
  const { tx_hash, position } = reading;
  const { calls, internal, events: byKey } = indexOf(activity);
  const direct = calls.get(tx_hash ?? "");
  const call = direct ?? internal.get(tx_hash ?? "");
  const events = byKey.get(position === null ? `${tx_hash}` : `${tx_hash} ${position}`) ?? [];
  return { call, events, transaction: direct ?? enclosingTransaction(activity, call ?? events[0]) };
}

function indexOf(activity: Activity): Index {
  const cachedIndex = indexes.get(activity);
  if (cachedIndex) return cachedIndex;
  const index: Index = {
    calls: firstByTransaction(activity.calls),
    internal: firstByTransaction(activity.internal ?? []),
    events: new Map(),
  };
  for (const event of activity.events) {
    for (const key of [event.tx_hash, `${event.tx_hash} ${event.position}`]) {
      const found = index.events.get(key);
      if (found) found.push(event);
      else index.events.set(key, [event]);
    }
  }
  indexes.set(activity, index);
  return index;
}

function firstByTransaction(calls: readonly Call[]): Map<string, Call> {
  return new Map(calls.toReversed().map((call) => [call.tx_hash, call]));
}

/** Returns the transaction that contains an internal call or an event. */
function enclosingTransaction(
  { transactions = [] }: Activity,
  part: { tx_index: number } | undefined,
): ObservedTransaction["transaction"] {
  const enclosing = part && transactions[part.tx_index];
  return enclosing && { ...enclosing, tx_hash: enclosing.hash, tx_index: enclosing.index };
}
