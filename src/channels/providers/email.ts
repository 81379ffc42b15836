import { z } from "zod";
import { mailTemplate } from "../../lib/mail/mail-template.ts";
import { type Mail, MailError } from "../../lib/mail/mailer.ts";
import { isPlainLine } from "../../lib/text.ts";
import { channel, type Message } from "../channel.ts";
import { messageText, moreLine, type Part, withinRoom } from "../message/message-text.ts";
import { cut, oneLine, unlinked } from "../message/plain-text.ts";

const config = z.strictObject({
  to: z
    .array(z.email().max(254))
    .min(1)
    .max(20)
    .refine(
      (all) => new Set(all.map((one) => one.toLowerCase())).size === all.length,
      "must name each address once",
    )
    .meta({ description: "Who gets the mail; each sees the others.", examples: [["oncall@example.com"]] }),
  subject_prefix: z
    .string()
    .trim()
    .min(1)
    .max(50)
    .refine(isPlainLine, "must not contain control characters")
    .optional()
    .meta({ description: "What each subject starts with, for filters.", examples: ["[treasury]"] }),
});
type Config = z.infer<typeof config>;

/** A mail to one or more people: one for all, so that an address that fails makes nobody else get it twice. */
export const email = channel<Config>({
  type: "email",
  title: "E-mail",
  config,
  secrets: [],
  urls: [],
  kinds: ["fired", "renotified", "resolved", "retracted", "test"],
  groups: true,
  spacingMs: 0,
  async send(message, config, { mailer }) {
    try {
      const refused = (await mailer.send(alertMail(message, config))) ?? [];
      const where = mailer.kind === "folder" ? "Written to the mail folder, as no mail server is set." : null;
      const excerpt = refused.length > 0 ? oneLine(`Refused for ${refused.join(", ")}`, 500) : where;
      return { status: null, excerpt, result: "sent" };
    } catch (error) {
      if (!(error instanceof MailError)) throw error;
      const { message: reason, retryable } = error;
      const record = { status: null, excerpt: null };
      if (retryable) return { ...record, result: "retry", reason };
      return { ...record, result: "failed", reason, isDead: false };
    }
  },
});

const maxAlarms = 25;
/** In characters. Mail programs hide what is longer than about 100 KB. */
const room = 30_000;

export function alertMail(message: Message, { to, subject_prefix }: Config): Mail {
  const story = withinRoom(messageText(message, maxAlarms), room, (part) => JSON.stringify(part).length);
  const [first = "", ...also] = to;
  const more = story.leftOut > 0 ? [moreLine(story)] : [];
  return {
    id: message.id,
    to: first,
    additionalRecipients: also,
    thread: message.alerts[0].event_id,
    subject: cut([subject_prefix, story.headline].filter(Boolean).join(" "), 200),
    ...mailTemplate({
      title: unlinked(story.headline),
      paragraphs: more,
      sections: story.parts.map(sectionOf),
      ...(story.url !== null && { action: { label: "Open the event", url: story.url } }),
      footer: unlinked(story.footer),
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
