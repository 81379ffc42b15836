import { z } from "zod";
import { mailTemplate } from "../../lib/mail/mail-template.ts";
import { type Mail, MailError } from "../../lib/mail/mailer.ts";
import { isPlainLine } from "../../lib/text.ts";
import { channel, type Message } from "../channel.ts";
import { limitSize, messageText, moreLine, type Part } from "../message/message-text.ts";
import { cut, oneLine, unlinked } from "../message/plain-text.ts";
import { overRecipientLimit } from "../sending/recipient-limit.ts";

const config = z.strictObject({
  to: z
    .array(z.email().max(254))
    .min(1)
    .max(20)
    .refine(
      (addresses) => new Set(addresses.map((address) => address.toLowerCase())).size === addresses.length,
      "must name each address once",
    )
    .meta({ description: "The recipients; each sees the others.", examples: [["oncall@example.com"]] }),
  subject_prefix: z
    .string()
    .trim()
    .min(1)
    .max(50)
    .refine(isPlainLine, "must not contain control characters")
    .optional()
    .meta({ description: "A prefix of every subject, for mail filters.", examples: ["[treasury]"] }),
});
type Config = z.infer<typeof config>;

/** One mail to all recipients, so that a retry for one address does not repeat it for the others. */
export const email = channel<Config>({
  type: "email",
  title: "E-mail",
  config,
  secrets: [],
  urls: [],
  kinds: ["fired", "renotified", "escalated", "resolved", "retracted", "test"],
  groups: true,
  spacingMs: 0,
  preview(message) {
    const { subject, text } = alertMail(message, { to: [] });
    return { format: "text", title: subject, text };
  },
  async send(message, config, { mailer, unconfirmed, admit }) {
    const record = { status: null, excerpt: null };
    const missing = await unconfirmed(message.org.id, config.to);
    const confirmed = config.to.filter((address) => !missing.includes(address));
    if (confirmed.length === 0) {
      const reason = `No recipient has confirmed yet: ${missing.join(", ")}. Each was sent a link by mail.`;
      return { ...record, result: "failed", reason: oneLine(reason, 500), isDead: false };
    }
    const { admitted: to, undo } = await admit(message.org.id, "email", confirmed);
    if (to.length === 0) return overRecipientLimit;
    const limited = confirmed.filter((address) => !to.includes(address));
    try {
      const rejected = (await mailer.send(alertMail(message, { ...config, to }))) ?? [];
      const notes = [
        ...(rejected.length > 0 ? [`Rejected for ${rejected.join(", ")}`] : []),
        ...(missing.length > 0 ? [`Not sent to ${missing.join(", ")}, who have not confirmed yet`] : []),
        ...(limited.length > 0
          ? [`Not sent to ${limited.join(", ")}, who reached the limit of messages per hour`]
          : []),
        ...(mailer.kind === "folder" ? [folderNote] : []),
      ];
      return { status: null, excerpt: notes[0] ? oneLine(notes.join("; "), 500) : null, result: "sent" };
    } catch (error) {
      await undo();
      if (!(error instanceof MailError)) throw error;
      const { message: reason, retryable } = error;
      if (retryable) return { ...record, result: "retry", reason };
      return { ...record, result: "failed", reason, isDead: false };
    }
  },
});

const folderNote = "Written to the mail folder because no mail server is configured.";

const maxAlerts = 25;
/** Mail clients hide the part of a mail beyond about 100 KB. */
const maxCharacters = 30_000;

export function alertMail(message: Message, { to, subject_prefix }: Config): Mail {
  const text = limitSize(
    messageText(message, maxAlerts),
    maxCharacters,
    (part) => JSON.stringify(part).length,
  );
  const [first = "", ...also] = to;
  const more = text.leftOut > 0 ? [moreLine(text)] : [];
  return {
    id: message.id,
    to: first,
    additionalRecipients: also,
    thread: message.alerts[0].event_id,
    subject: cut(unlinked([subject_prefix, text.headline].filter(Boolean).join(" ")), 200),
    ...mailTemplate({
      title: unlinked(text.headline),
      paragraphs: more,
      sections: text.parts.map(sectionOf),
      ...(text.url !== null && { action: { label: "Open the event", url: text.url } }),
      footer: unlinked(text.footer),
    }),
  };
}

function sectionOf({ title, sentence, facts }: Part) {
  return {
    ...(title !== null && { title: unlinked(title) }),
    text: unlinked(sentence),
    facts: facts.map((fact) => ({ ...fact, value: unlinked(fact.value) })),
  };
}
