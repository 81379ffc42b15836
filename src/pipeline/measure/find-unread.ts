import type { Activity, Call } from "../../chains/activity.ts";
import type { WatchedTarget } from "../watch/watch-list.ts";

/** What a target did not see of a block: a part of a transaction, or more than its organisation may compare or store. */
export type Unread =
  | UnreadTransaction
  | ({ unread: "comparisons" | "readings" } & { found: number; counted: number });

type UnreadTransaction = { tx_hash: string; unread: NonNullable<Call["unread"]> | "amount" };

/** Returns the newest transaction of a block in which something may have happened that a target measures, and was not read. */
export function findUnread(target: WatchedTarget, activity: Activity): UnreadTransaction | undefined {
  if (!target.meter.measure) return undefined;
  const all = [...activity.calls, ...(activity.nearby ?? [])];
  for (const call of all.toReversed()) {
    if (call.unread !== undefined && isNeeded(target, call))
      return { tx_hash: call.tx_hash, unread: call.unread };
    if (target.meter.hidesAmount?.(target.config, call, target.contract.subject))
      return { tx_hash: call.tx_hash, unread: "amount" };
  }
  return undefined;
}

/** That a transaction happened is known in any case, but not who sent it and what it did. */
function isNeeded({ meter, config, rules }: WatchedTarget, call: Call): boolean {
  if (call.unread === "contents" || call.unread === "record") return true;
  if (meter.readsLog) return meter.readsLog(config, call);
  return call.receipt?.is_success !== false && rules.some(({ matcher }) => (matcher?.events.length ?? 0) > 0);
}

export function unreadText(unread: Unread, height: number): string {
  if (!("tx_hash" in unread)) return limitedText(unread, height);
  return `The transaction ${unread.tx_hash} in slot ${height} has ${reasons[unread.unread]}.`;
}

const reasons: Record<UnreadTransaction["unread"], string> = {
  contents: "a version that no node can return, so that what it did is not known",
  record:
    "no record of what its programs invoked and logged, because the nodes do not store it, so that this is not known; use nodes that do (--enable-extended-tx-metadata-storage)",
  log: "a log that the nodes cut off, so that events in the rest of it are not known",
  amount: "a confidential transfer, so that how much it moved is not known",
};

function limitedText({ unread, found, counted }: Exclude<Unread, UnreadTransaction>, height: number): string {
  return unread === "readings"
    ? `In block ${height}, only the latest ${counted} of ${found} readings were counted, because the targets of the organisation had too many. Use a filter, or fewer targets and rules on this contract.`
    : `In block ${height}, only the latest ${counted} of ${found} calls and events were compared, because the expressions of the organisation would have taken too long. Shorten the filter of the target and the expressions of its rules.`;
}
