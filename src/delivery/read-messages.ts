import type { App } from "../app.ts";
import { makePause } from "../lib/concurrency/pauses.ts";
import {
  type AlertRow,
  listAlerts,
  listObsolete,
  listWithheld,
  withheldKey,
} from "../store/delivery/delivery-messages.ts";
import type { Claimed } from "../store/delivery/delivery-queue.ts";
import { buildMessage } from "./build-message.ts";
import type { QueuedMessage } from "./send-attempt.ts";

/**
 * Reads the current alerts of claimed deliveries and builds their messages, in the given order. The channels must have been read
 * before: one that is changed from now on still has its old destination.
 */
export async function readMessages(app: App, claimed: Claimed[]): Promise<QueuedMessage[]> {
  if (claimed.length === 0) return [];
  const [alerts, obsolete] = await Promise.all([
    listAlerts(app.db, claimed.map(idOf)),
    listObsolete(app.db, claimed.filter(isFollowUp).map(idOf)),
  ]);
  const withheld = await listWithheld(app.db, guardedDeliveries(alerts));
  const rowsOf = Map.groupBy(alerts, ({ delivery_id }) => delivery_id);
  const pause = makePause();
  const messages: QueuedMessage[] = [];
  for (const delivery of claimed) {
    const rows = rowsOf.get(delivery.id) ?? [];
    const permitted = rows.filter((row) => !withheld.has(withheldKey(row)));
    messages.push({
      claimed: delivery,
      committedMs: committedMs(delivery, rows),
      message: buildMessage(app, delivery, permitted),
      isObsolete: obsolete.has(delivery.id),
      isWithheld: rows.length > 0 && permitted.length === 0,
    });
    await pause();
  }
  return messages;
}

function idOf({ id }: Claimed): string {
  return id;
}

function isFollowUp({ kind }: Claimed): boolean {
  return kind !== "fired" && kind !== "renotified" && kind !== "escalated";
}

/** Returns the deliveries with alerts that not every channel may receive. */
function guardedDeliveries(alerts: AlertRow[]): string[] {
  const guarded = alerts.filter((row) => row.contract_id !== null && row.is_restricted !== false);
  return [...new Set(guarded.map(({ delivery_id }) => delivery_id))];
}

/** The time at which the newest alert of a message was committed. */
function committedMs({ created_at }: Claimed, rows: AlertRow[]): number {
  const times = rows.flatMap(({ committed_at }) => committed_at?.getTime() ?? []);
  return times.length > 0 ? Math.max(...times) : created_at.getTime();
}
