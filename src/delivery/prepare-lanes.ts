import type { App } from "../app.ts";
import { channelOf } from "../channels/index.ts";
import { listChannelsByIds } from "../store/channels/channels.ts";
import {
  type AlertRow,
  listAlerts,
  listObsolete,
  listWithheld,
  withheldKey,
} from "../store/delivery/delivery-messages.ts";
import type { Claimed } from "../store/delivery/delivery-queue.ts";
import { buildMessage } from "./build-message.ts";
import type { Lane } from "./send-lane.ts";

/** Reads the current channels and alerts of claimed deliveries, and builds one lane per channel that still exists. */
export async function prepareLanes(app: App, claimed: Claimed[]): Promise<Lane[]> {
  if (claimed.length === 0) return [];
  const idsOf = (deliveries: Claimed[]) => deliveries.map(({ id }) => id);
  const followUps = claimed.filter(
    ({ kind }) => kind !== "fired" && kind !== "renotified" && kind !== "escalated",
  );
  const [alerts, obsolete, channels] = await Promise.all([
    listAlerts(app.db, idsOf(claimed)),
    listObsolete(app.db, idsOf(followUps)),
    listChannelsByIds(app.db, [...new Set(claimed.map(({ channel_id }) => channel_id))]),
  ]);
  // After the channels: one that is changed from now on still has its old destination here.
  const withheld = await listWithheld(app.db, guardedDeliveries(alerts));
  const rowsOf = Map.groupBy(alerts, ({ delivery_id }) => delivery_id);
  const queueOf = Map.groupBy(claimed, ({ channel_id }) => channel_id);
  return channels.flatMap((channel) => {
    const kind = channelOf(channel.type);
    const queue = toQueue(app, queueOf.get(channel.id) ?? [], rowsOf, { obsolete, withheld });
    return kind ? [{ channel, kind, queue }] : [];
  });
}

/** Returns the deliveries with alerts that not every channel may receive. */
function guardedDeliveries(alerts: AlertRow[]): string[] {
  const guarded = alerts.filter((row) => row.contract_id !== null && row.is_restricted !== false);
  return [...new Set(guarded.map(({ delivery_id }) => delivery_id))];
}

function toQueue(
  app: App,
  claimed: Claimed[],
  rowsOf: Map<string, AlertRow[]>,
  { obsolete, withheld }: { obsolete: Set<string>; withheld: Set<string> },
): Lane["queue"] {
  return claimed.map((delivery) => {
    const rows = rowsOf.get(delivery.id) ?? [];
    const permitted = rows.filter((row) => !withheld.has(withheldKey(row)));
    return {
      claimed: delivery,
      committedMs: committedMs(delivery, rows),
      message: buildMessage(app, delivery, permitted),
      isObsolete: obsolete.has(delivery.id),
      isWithheld: rows.length > 0 && permitted.length === 0,
    };
  });
}

/** The time at which the newest alert of a message was committed. */
function committedMs({ created_at }: Claimed, rows: AlertRow[]): number {
  const times = rows.flatMap(({ committed_at }) => committed_at?.getTime() ?? []);
  return times.length > 0 ? Math.max(...times) : created_at.getTime();
}
