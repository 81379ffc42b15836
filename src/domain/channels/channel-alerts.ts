import type { App } from "../../app.ts";
import { type FailingChannel, listFailingChannels } from "../../store/channels/channels.ts";
import { listWithheldChannels, type WithheldChannel } from "../../store/channels/withheld-channels.ts";
import type { NewEvent } from "../../store/engine/alert-events.ts";
import type { Db } from "../../store/open-store.ts";
import { listMembers } from "../../store/orgs/members.ts";
import { systemEvent } from "../alerts/system-event.ts";
import { channelFailingMail, queueMail } from "../mail.ts";

/** Returns one event for each failing channel, as long as it fails. */
export async function findFailingChannels(app: App): Promise<NewEvent[]> {
  const failing = await listFailingChannels(app.db);
  return failing.map((channel) => failingEvent(app, channel));
}

/** Returns one event for each channel to which alerts of a restricted contract are not sent. Only people with access see it. */
export async function findWithheldChannels(app: App): Promise<NewEvent[]> {
  const withheld = await listWithheldChannels(app.db);
  return withheld.map((channel) => withheldEvent(app, channel));
}

/** A mail about more problems says how many there are besides. */
const maxPerMail = 10;

/**
 * Mails the admins of the org about new failures, because the failing channel may be its only one. One mail is about all of
 * them: a change of one channel can keep it from the alerts of a thousand contracts.
 */
export async function mailAdmins(app: App, tx: Db, opened: NewEvent[]): Promise<void> {
  const ofChannels = opened.filter(({ target_type }) => target_type === "channel");
  for (const [org_id, problems] of Map.groupBy(ofChannels, (event) => event.org_id)) {
    const { subject, texts } = describeProblems(problems);
    const admins = (await listMembers(tx, org_id)).filter(({ role }) => role === "admin");
    for (const { email } of admins) await queueMail(app, tx, channelFailingMail(email, subject, ...texts));
  }
}

function describeProblems(problems: NewEvent[]): { subject: string; texts: string[] } {
  const [first] = problems;
  if (problems.length === 1 && first) return { subject: first.title, texts: [first.message] };
  const texts = problems.slice(0, maxPerMail).map(({ title, message }) => `${title}. ${message}`);
  const left = problems.length - texts.length;
  if (left > 0)
    texts.push(`There are ${left} further problems of this kind. The alert history has all of them.`);
  return { subject: `${problems.length} problems with channels`, texts };
}

function failingEvent(app: App, channel: FailingChannel): NewEvent {
  const since = channel.failing_since.toISOString();
  return systemEvent(app, {
    org_id: channel.org_id,
    kind: "error",
    subject: `channel:${channel.id}`,
    // A channel has no chain.
    chain: "none",
    chain_id: "0",
    target_type: "channel",
    title: `Notifications do not reach the channel ${channel.name}`,
    message:
      `Deliveries to ${channel.name} (${channel.type}) have failed since ${since}. ${channel.last_error ?? ""}`.trim(),
    value: null,
    unit: null,
    explanation: { reason: "channel_failing", channel_id: channel.id, last_error: channel.last_error },
  });
}

function withheldEvent(app: App, withheld: WithheldChannel): NewEvent {
  const { org_id, contract_id, chain, chain_id, label, channel_id, channel_name } = withheld;
  return systemEvent(app, {
    ...{ org_id, contract_id, chain, chain_id },
    kind: "error",
    subject: `withheld:${contract_id}:${channel_id}`,
    target_type: "channel",
    title: `Alerts of ${label} do not reach the channel ${channel_name}`,
    message:
      "The contract is restricted, and the channel was last changed by someone without access to it. An admin, or someone " +
      "with access to the contract, has to check where the channel sends and save it.",
    value: null,
    unit: null,
    explanation: { reason: "channel_withheld", channel_id },
  });
}
