import { createTransport } from "nodemailer";
import { OperatorError } from "../operator-error.ts";
import { mailMessage, senderDomain } from "./mail-message.ts";
import { MailError, type Mailer } from "./mailer.ts";

/** Sends mail through an SMTP server, configured as an `smtp://` or `smtps://` URL with credentials. */
export function makeSmtpMailer({ url, from }: { url: string; from: string }): Mailer {
  if (!/^smtps?:$/.test(URL.parse(url)?.protocol ?? "")) {
    throw new OperatorError("SMTP_URL must be a URL such as smtps://user:password@mail.example.com:465.");
  }
  senderDomain(from);
  const transport = createTransport({ url, ...timeouts });

  return {
    kind: "smtp",
    async send(mail) {
      const message = mailMessage(mail, from);
      try {
        const { rejected } = await transport.sendMail(message);
        return rejected;
      } catch (cause) {
        throw explain(cause);
      }
    },
    async close() {
      transport.close();
    },
  };
}

/** Connects and logs in to an SMTP server, without sending anything. */
export async function checkSmtp(url: string): Promise<void> {
  const transport = createTransport({ url, ...timeouts });
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

const timeouts = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 10_000,
};

// Only a rejection of the recipient or the content is permanent. Other 5xx replies concern the server or the login,
// which an operator can fix while the mail waits.
function explain(cause: unknown): MailError {
  const { responseCode, command } = smtpAnswer(cause);
  const about = responseCode ? ` (${responseCode})` : "";
  const isFinal = responseCode >= 500 && (command === "RCPT TO" || command === "DATA");
  const message = isFinal ? "refused this mail" : "could not take this mail now";
  return new MailError(`The mail server ${message}${about}.`, { retryable: !isFinal, cause });
}

// Nodemailer attaches the reply code and the command to the error.
function smtpAnswer(cause: unknown): { responseCode: number; command: string } {
  const { responseCode, command }: { responseCode?: unknown; command?: unknown } = Object(cause);
  return { responseCode: Number(responseCode ?? 0), command: String(command ?? "") };
}
