import type { App } from "../../app.ts";
import { type FailingChannel, listFailingChannels } from "../../store/channels/channels.ts";
import type { NewEvent } from "../../store/engine/alert-events.ts";
import type { Db } from "../../store/open-store.ts";
import { listMembers } from "../../store/orgs/members.ts";
import { systemEvent } from "../alerts/system-event.ts";
import { channelFailingMail, queueMail } from "../mail.ts";

/** A finding about each channel that people believe to be told through and are not: one event for as long as it fails. */
export async function findFailingChannels(app: App): Promise<NewEvent[]> {
  const failing = await listFailingChannels(app.db);
  return failing.map((channel) => failingEvent(app, channel));
}

/** Whoever relies on a channel that fails may have no other: its org's admins are mailed as well. */
export async function mailAdmins(app: App, tx: Db, opened: NewEvent[]): Promise<void> {
  for (const event of opened.filter(({ target_type }) => target_type === "channel")) {
    const admins = (await listMembers(tx, event.org_id)).filter(({ role }) => role === "admin");
    for (const { email } of admins)
      await queueMail(app, tx, channelFailingMail(email, event.title, event.message));
  }
}

function failingEvent(app: App, channel: FailingChannel): NewEvent {
  const since = channel.failing_since.toISOString();
  return systemEvent(app, {
    org_id: channel.org_id,
    kind: "error",
    subject: `channel:${channel.id}`,
    // It concerns no chain.
    chain: "none",
    chain_id: "0",
    target_type: "channel",
    title: `Alerts do not reach the channel ${channel.name}`,
    message:
      `Messages to ${channel.name} (${channel.type}) have failed since ${since}. ${channel.last_error ?? ""}`.trim(),
    value: null,
    unit: null,
    explanation: { reason: "channel_failing", channel_id: channel.id, last_error: channel.last_error },
  });
}
