import type { App } from "../app.ts";
import { maxSeverity } from "../lib/severity.ts";
import {
  addMessageCount,
  addOverflow,
  listMessageCounts,
  type MessageCount,
} from "../store/delivery/message-limits.ts";
import type { NewDelivery } from "../store/delivery/new-deliveries.ts";
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
  const hour = messageHour(app.clock.now());
  const counted = deliveries.filter(({ status, is_summary }) => status === "queued" && !is_summary);
  const byOrg = Map.groupBy(counted, ({ org_id }) => org_id);
  if (byOrg.size === 0) return;
  for (const { org_id, tier, ...used } of await listMessageCounts(tx, [...byOrg.keys()], hour)) {
    const { sent, left } = split(byOrg.get(org_id) ?? [], used, messageLimits(tier));
    await addMessageCount(tx, org_id, hour, sent);
    for (const delivery of left) Object.assign(delivery, { status: "skipped", last_error: overLimitReason });
    for (const [channel_id, group] of Map.groupBy(left, (one) => one.channel_id)) {
      const severity = maxSeverity(group.map((one) => one.severity));
      await addOverflow(tx, { org_id, channel_id, hour, messages: group.length, severity });
    }
  }
}

function split(deliveries: NewDelivery[], used: MessageCount, limits: MessageCount) {
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
