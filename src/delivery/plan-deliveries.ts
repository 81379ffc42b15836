import { channelOf } from "../channels/index.ts";
import { compareSeverity, maxSeverity } from "../lib/severity.ts";
import type { WaitingNotice } from "../store/delivery/fan-out.ts";
import type { NewDelivery, Recipient } from "../store/delivery/new-deliveries.ts";

/** The maximum number of alerts per message. */
const maxAlertsPerMessage = 20;

/** The channels that were notified of each fired event, as results of `notifiedKey`. */
export type Notified = Set<string>;

export const withheldReason =
  "Withheld: the contract is restricted, and the channel was last changed by someone without access to it. " +
  "An admin or a person with access must save the channel's configuration.";

export const retractedBeforeSending = "The alert was retracted before it was sent.";

/**
 * Decides which channels get which notices, and updates `notified` accordingly. Fired events and reminders go to the channels
 * of the rule, system alerts to all channels of the org. Follow-ups go only to the channels that were notified of the fired
 * event. A channel that must not receive the alerts of a restricted contract gets none; the delivery is recorded as skipped.
 * Notices must be in chronological order.
 */
export function planDeliveries(
  notices: WaitingNotice[],
  channels: Recipient[],
  notified: Notified,
  makeId: () => string,
): NewDelivery[] {
  const plan = new Plan(notified, makeId);
  const retracted = new Set(
    notices.filter(({ kind }) => kind === "retracted").map(({ event_id }) => event_id),
  );
  for (const notice of notices) {
    for (const channel of channels) {
      if (channel.org_id === notice.org_id && plan.isFor(notice, channel)) plan.add(notice, channel);
    }
    if (notice.kind === "retracted" && retracted.has(notice.event_id)) plan.cancel(notice.event_id);
  }
  return plan.deliveries;
}

/** A message that further alerts may join, and the rules of those that it has. */
type Group = { delivery: NewDelivery; rules: Set<string | null> };

class Plan {
  readonly deliveries: NewDelivery[] = [];
  private readonly groups = new Map<string, Group>();
  private readonly notified: Notified;
  private readonly makeId: () => string;

  constructor(notified: Notified, makeId: () => string) {
    this.notified = notified;
    this.makeId = makeId;
  }

  isFor(notice: WaitingNotice, channel: Recipient): boolean {
    if (!channelOf(channel.type)?.kinds.includes(notice.kind)) return false;
    if (isFollowUp(notice)) return this.notified.has(notifiedKey(notice.event_id, channel.id));
    if (notice.kind === "renotified" && notice.event_status !== "firing") return false;
    if (notice.kind === "escalated" && !isUnattended(notice)) return false;
    if (compareSeverity(notice.severity, channel.min_severity) < 0) return false;
    if (notice.channel_ids) return notice.channel_ids.includes(channel.id);
    return notice.about_channel_id !== channel.id;
  }

  add(notice: WaitingNotice, channel: Recipient): void {
    const group = this.groups.get(groupKey(notice, channel));
    if (group && mayJoin(group, notice)) this.join(group, notice);
    else this.start(notice, channel);
    if (startsEvent(notice) && this.isNotified(notice, channel)) {
      this.notified.add(notifiedKey(notice.event_id, channel.id));
    }
  }

  /**
   * Skips queued deliveries that contain only the retracted event, and the retraction itself for channels that were not
   * notified.
   */
  cancel(event_id: string): void {
    for (const delivery of this.deliveries) {
      const isOnlyEvent = delivery.notices.every((notice) => notice.event_id === event_id);
      if (!isOnlyEvent || delivery.status !== "queued" || delivery.kind === "retracted") continue;
      delivery.status = "skipped";
      delivery.last_error = retractedBeforeSending;
      this.notified.delete(notifiedKey(event_id, delivery.channel_id));
    }
    for (const delivery of this.deliveries) {
      const isNotified = this.notified.has(notifiedKey(event_id, delivery.channel_id));
      const isRetraction = delivery.kind === "retracted" && delivery.notices[0]?.event_id === event_id;
      if (!isRetraction || isNotified || delivery.status !== "queued") continue;
      delivery.status = "skipped";
      delivery.last_error = retractedBeforeSending;
    }
  }

  private isNotified(notice: WaitingNotice, channel: Recipient): boolean {
    return !this.isSilenced(notice) && channel.status !== "disabled" && !isWithheld(notice, channel);
  }

  /** A silence applies to fired events and reminders only: a channel that was notified also gets the follow-ups. */
  private isSilenced(notice: WaitingNotice): boolean {
    return notice.silence_id !== null && !isFollowUp(notice);
  }

  private start(notice: WaitingNotice, channel: Recipient): void {
    const isDenied = isWithheld(notice, channel);
    const isSilenced = !isDenied && this.isSilenced(notice);
    const isDisabled = !isDenied && !isSilenced && channel.status === "disabled";
    const delivery: NewDelivery = {
      id: this.makeId(),
      org_id: notice.org_id,
      channel_id: channel.id,
      channel_type: channel.type,
      channel_name: channel.name,
      kind: notice.kind,
      severity: notice.severity,
      follows: notice.kind !== "fired" || notice.occurrence > 0,
      status: isDenied ? "skipped" : isSilenced ? "silenced" : isDisabled ? "failed" : "queued",
      last_error: isDenied
        ? withheldReason
        : isDisabled
          ? `The channel is disabled: ${channel.last_error ?? "its configuration must be changed."}`
          : null,
      silence_id: isSilenced ? notice.silence_id : null,
      is_muted: isSilenced && startsEvent(notice),
      is_summary: notice.is_summary,
      notices: [{ id: notice.id, event_id: notice.event_id }],
    };
    this.deliveries.push(delivery);
    const key = groupKey(notice, channel);
    if (key) this.groups.set(key, { delivery, rules: new Set([notice.rule_id]) });
  }

  private join({ delivery, rules }: Group, notice: WaitingNotice): void {
    delivery.notices.push({ id: notice.id, event_id: notice.event_id });
    delivery.severity = maxSeverity([delivery.severity, notice.severity]);
    rules.add(notice.rule_id);
  }
}

/** Several events of one rule on one state are about its groups, each of which is a message. */
function mayJoin({ delivery, rules }: Group, { tx_hash, rule_id }: WaitingNotice): boolean {
  return delivery.notices.length < maxAlertsPerMessage && (tx_hash !== null || !rules.has(rule_id));
}

export function notifiedKey(event_id: string, channel_id: string): string {
  return `${event_id} ${channel_id}`;
}

/** A channel that is notified of the start, at first or by escalation, also gets the follow-ups. */
function startsEvent({ kind }: WaitingNotice): boolean {
  return kind === "fired" || kind === "escalated";
}

function isUnattended({ event_status }: WaitingNotice): boolean {
  return event_status === "firing" || event_status === "occurred";
}

function isFollowUp({ kind }: WaitingNotice): boolean {
  return kind === "acknowledged" || kind === "resolved" || kind === "retracted";
}

function isWithheld({ withheld_from }: WaitingNotice, { id }: Recipient): boolean {
  return withheld_from.includes(id);
}

/**
 * Alerts of one transaction, or of one reading of state, share a key, so that they become one message; empty for alerts that
 * are not grouped.
 */
function groupKey(notice: WaitingNotice, channel: Recipient): string {
  const { kind, occurrence, cause, chain, silence_id } = notice;
  if (kind !== "fired" || occurrence > 0 || !cause || !channelOf(channel.type)?.groups) return "";
  return [channel.id, chain, cause, silence_id, isWithheld(notice, channel)].join(" ");
}
