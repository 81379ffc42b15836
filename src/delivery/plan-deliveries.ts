import { channelOf } from "../channels/index.ts";
import { compareSeverity, maxSeverity } from "../lib/severity.ts";
import type { WaitingNotice } from "../store/delivery/fan-out.ts";
import type { NewDelivery, Recipient } from "../store/delivery/new-deliveries.ts";

/** How many alarms one message lists at most. */
const groupLimit = 20;

/** Who was told that an event began, in the words of `toldKey`. */
export type Notified = Set<string>;

export const neverTrue = "The alarm was called off before anybody was told.";

/**
 * Who hears of which notices: pure, so that it can be read and tested alone. The beginning of an alarm and reminders go to
 * the channels that its rule names, what the service itself noticed to all of the org's; everything that follows only to
 * those who were told of the beginning. Notices come in the order of what happened.
 */
export function planDeliveries(
  notices: WaitingNotice[],
  channels: Recipient[],
  told: Notified,
  makeId: () => string,
): NewDelivery[] {
  const plan = new Plan(told, makeId);
  const calledOff = new Set(
    notices.filter(({ kind }) => kind === "retracted").map(({ event_id }) => event_id),
  );
  for (const notice of notices) {
    for (const channel of channels) {
      if (channel.org_id === notice.org_id && plan.isFor(notice, channel)) plan.add(notice, channel);
    }
    if (notice.kind === "retracted" && calledOff.has(notice.event_id)) plan.cancel(notice.event_id);
  }
  return plan.deliveries;
}

class Plan {
  readonly deliveries: NewDelivery[] = [];
  private readonly groups = new Map<string, NewDelivery>();
  private readonly told: Notified;
  private readonly makeId: () => string;

  constructor(told: Notified, makeId: () => string) {
    this.told = told;
    this.makeId = makeId;
  }

  isFor(notice: WaitingNotice, channel: Recipient): boolean {
    if (!channelOf(channel.type)?.kinds.includes(notice.kind)) return false;
    if (isFollowUp(notice)) return this.told.has(notifiedKey(notice.event_id, channel.id));
    if (notice.kind === "renotified" && notice.event_status !== "firing") return false;
    if (compareSeverity(notice.severity, channel.min_severity) < 0) return false;
    if (notice.channel_ids) return notice.channel_ids.includes(channel.id);
    return notice.about_channel_id !== channel.id;
  }

  add(notice: WaitingNotice, channel: Recipient): void {
    const group = this.groups.get(groupKey(notice, channel));
    if (group && group.notices.length < groupLimit) this.join(group, notice);
    else this.begin(notice, channel);
    if (notice.kind === "fired" && this.isNotified(notice, channel)) {
      this.told.add(notifiedKey(notice.event_id, channel.id));
    }
  }

  /** What was never true and nobody has been told of yet is told to nobody, neither that it began nor that it did not. */
  cancel(event_id: string): void {
    for (const delivery of this.deliveries) {
      const isAlone = delivery.notices.every((notice) => notice.event_id === event_id);
      if (!isAlone || delivery.status !== "queued" || delivery.kind === "retracted") continue;
      delivery.status = "skipped";
      delivery.last_error = neverTrue;
      this.told.delete(notifiedKey(event_id, delivery.channel_id));
    }
    for (const delivery of this.deliveries) {
      const isNotified = this.told.has(notifiedKey(event_id, delivery.channel_id));
      const isTheEnd = delivery.kind === "retracted" && delivery.notices[0]?.event_id === event_id;
      if (!isTheEnd || isNotified || delivery.status !== "queued") continue;
      delivery.status = "skipped";
      delivery.last_error = neverTrue;
    }
  }

  private isNotified(notice: WaitingNotice, channel: Recipient): boolean {
    return !this.silences(notice) && channel.status !== "disabled";
  }

  /** Only what begins or goes on is silenced: whoever was told of an alarm also hears that it is over. */
  private silences(notice: WaitingNotice): boolean {
    return notice.silence_id !== null && !isFollowUp(notice);
  }

  private begin(notice: WaitingNotice, channel: Recipient): void {
    const isSilenced = this.silences(notice);
    const isDead = !isSilenced && channel.status === "disabled";
    const delivery: NewDelivery = {
      id: this.makeId(),
      org_id: notice.org_id,
      channel_id: channel.id,
      channel_type: channel.type,
      channel_name: channel.name,
      kind: notice.kind,
      severity: notice.severity,
      follows: notice.kind !== "fired" || notice.occurrence > 0,
      status: isSilenced ? "silenced" : isDead ? "failed" : "queued",
      last_error: isDead
        ? `The channel cannot be sent to: ${channel.last_error ?? "it must be changed"}`
        : null,
      silence_id: isSilenced ? notice.silence_id : null,
      is_muted: isSilenced && notice.kind === "fired",
      notices: [{ id: notice.id, event_id: notice.event_id }],
    };
    this.deliveries.push(delivery);
    const key = groupKey(notice, channel);
    if (key) this.groups.set(key, delivery);
  }

  private join(group: NewDelivery, notice: WaitingNotice): void {
    group.notices.push({ id: notice.id, event_id: notice.event_id });
    group.severity = maxSeverity([group.severity, notice.severity]);
  }
}

export function notifiedKey(event_id: string, channel_id: string): string {
  return `${event_id} ${channel_id}`;
}

function isFollowUp({ kind }: WaitingNotice): boolean {
  return kind === "acknowledged" || kind === "resolved" || kind === "retracted";
}

/** Alarms that one transaction set off go out as one message, where the channel likes that; empty for those on their own. */
function groupKey(notice: WaitingNotice, channel: Recipient): string {
  const { kind, occurrence, tx_hash, chain, silence_id } = notice;
  if (kind !== "fired" || occurrence > 0 || !tx_hash || !channelOf(channel.type)?.groups) return "";
  return [channel.id, chain, tx_hash, silence_id].join(" ");
}
