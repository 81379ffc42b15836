import { z } from "zod";
import { channel, type InboxEntry, type Message } from "../channel.ts";
import { limitSize, messageText, moreLine, type Part } from "../message/message-text.ts";

/** The inbox in the dashboard. It needs no other service, so that a team without one can start. */
export const inbox = channel<Record<string, never>>({
  type: "inbox",
  title: "Inbox",
  config: z.strictObject({}),
  secrets: [],
  urls: [],
  kinds: ["fired", "renotified", "escalated", "resolved", "retracted", "test"],
  groups: true,
  spacingMs: 0,
  preview(message) {
    const { title, message: text } = inboxEntry(message);
    return { format: "text", title, text };
  },
  async send(message, _config, { storeInInbox }) {
    await storeInInbox(inboxEntry(message));
    return { status: null, excerpt: null, result: "sent" };
  },
});

const maxAlerts = 20;
const maxCharacters = 10_000;

export function inboxEntry(message: Message): InboxEntry {
  const text = limitSize(messageText(message, maxAlerts), maxCharacters, (part) => lineOf(part).length);
  const more = text.leftOut > 0 ? [moreLine(text)] : [];
  return {
    id: message.id,
    org_id: message.org.id,
    kind: message.kind,
    severity: message.severity,
    title: text.headline,
    message: [...text.parts.map(lineOf), ...more].join("\n"),
  };
}

function lineOf({ title, sentence }: Part): string {
  return title === null ? sentence : `${title}: ${sentence}`;
}
