import type { App } from "../app.ts";
import { maxSeverity } from "../lib/severity.ts";
import { skipDeliveries } from "../store/delivery/delivery-results.ts";
import {
  addMessageCount,
  addOverflow,
  listMessageCounts,
  type MessageCount,
} from "../store/delivery/message-limits.ts";
import type { NewDelivery } from "../store/delivery/new-deliveries.ts";
import type { Released } from "../store/delivery/silenced-deliveries.ts";
import type { Db } from "../store/open-store.ts";
import { tierLimits } from "../tiers.ts";
import type { Tier } from "../wire/primitives.ts";

export const overLimitReason =
  "The organisation reached its limit of messages per hour. A summary is sent after the hour.";

/** The start of the hour in which messages are counted. */
export function messageHour(now: Date): Date {
  const hour = new Date(now);
  hour.setUTCMinutes(0, 0, 0);
  return hour;
}

/** The limits of a tier. E-mail and text messages, which cost most and annoy most, get a tenth. */
export function messageLimits(tier: Tier): MessageCount {
  const { messagesPerHour: messages } = tierLimits[tier];
  return { messages, mails_and_texts: messages / 10 };
}

export function isMailOrText(channel_type: string): boolean {
  return channel_type === "email" || channel_type === "sms";
}

/**
 * Counts new deliveries and skips those beyond the hourly limit of their org, which are summarised after the hour. The
 * summaries themselves are not limited: there is one per channel and hour.
 */
export async function limitMessages(app: App, tx: Db, deliveries: NewDelivery[]): Promise<void> {
  const left = await countMessages(
    app,
    tx,
    deliveries.filter(({ is_summary }) => !is_summary),
  );
  for (const delivery of left) Object.assign(delivery, { status: "skipped", last_error: overLimitReason });
}

/** Counts deliveries that the end of a silence released, and skips those beyond the limit in the same way. */
export async function limitReleased(app: App, tx: Db, released: Released[]): Promise<void> {
  const left = await countMessages(app, tx, released);
  await skipDeliveries(
    tx,
    left.map(({ id }) => id),
    overLimitReason,
  );
}

/** Counts the queued deliveries and returns those beyond the hourly limit of their org. */
async function countMessages<Delivery extends Released>(
  app: App,
  tx: Db,
  deliveries: Delivery[],
): Promise<Delivery[]> {
  const hour = messageHour(app.clock.now());
  const queued = deliveries.filter(({ status }) => status === "queued");
  const byOrg = Map.groupBy(queued, ({ org_id }) => org_id);
  const beyond: Delivery[] = [];
  if (byOrg.size === 0) return beyond;
  for (const { org_id, tier, ...used } of await listMessageCounts(tx, [...byOrg.keys()], hour)) {
    const { sent, left } = split(byOrg.get(org_id) ?? [], used, messageLimits(tier));
    await addMessageCount(tx, org_id, hour, sent);
    beyond.push(...left);
    for (const [channel_id, group] of Map.groupBy(left, (delivery) => delivery.channel_id)) {
      const severity = maxSeverity(group.map((delivery) => delivery.severity));
      await addOverflow(tx, { org_id, channel_id, hour, messages: group.length, severity });
    }
  }
  return beyond;
}

function split<Delivery extends Released>(deliveries: Delivery[], used: MessageCount, limits: MessageCount) {
  const sent = { messages: 0, mails_and_texts: 0 };
  const left = deliveries.filter(({ channel_type }) => {
    const mails = isMailOrText(channel_type) ? 1 : 0;
    const isWithin =
      used.messages + sent.messages < limits.messages &&
      used.mails_and_texts + sent.mails_and_texts + mails <= limits.mails_and_texts;
    if (isWithin) {
      sent.messages += 1;
      sent.mails_and_texts += mails;
    }
    return !isWithin;
  });
  return { sent, left };
}
