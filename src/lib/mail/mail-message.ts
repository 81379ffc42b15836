import { OperatorError } from "../operator-error.ts";
import { type Mail, MailError } from "./mailer.ts";

/** Converts a mail to nodemailer's fields. No value can inject a header or a recipient. */
export function mailMessage(mail: Mail, from: string) {
  const recipients = [mail.to, ...(mail.additionalRecipients ?? [])];
  if (![mail.id, mail.thread ?? "x"].every(isId)) throw refuse("The mail has an id that cannot be used.");
  if (!recipients.every(isAddress)) throw refuse("The recipient is not a valid e-mail address.");
  const domain = senderDomain(from);
  return {
    from,
    // Nodemailer parses a string for several addresses, an object for one.
    to: recipients.map((address) => ({ name: "", address })),
    subject: mail.subject.replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ").trim(),
    text: mail.text,
    html: mail.html,
    messageId: `<${mail.id}@${domain}>`,
    ...(mail.thread && { references: `<${mail.thread}.thread@${domain}>` }),
    headers: { "Auto-Submitted": "auto-generated" },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** The domain of the sender. A sender without one throws an OperatorError. */
export function senderDomain(from: string): string {
  const address = /<([^<>]*)>$/.exec(from.trim())?.[1] ?? from.trim();
  const domain = address.split("@")[1];
  if (!isAddress(address) || !domain) {
    throw new OperatorError('MAIL_FROM must be an e-mail address such as "Alerts <alerts@example.com>".');
  }
  return domain;
}

function isId(text: string): boolean {
  return /^[a-z0-9][a-z0-9._-]{0,99}$/i.test(text);
}

function isAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s\p{Cc}<>()[\]\\,;:"@]+@[^\s\p{Cc}<>()[\]\\,;:"@]+$/u.test(text);
}

function refuse(message: string): MailError {
  return new MailError(message, { retryable: false });
}
