import { createTransport } from "nodemailer";
import { OperatorError } from "../operator-error.ts";
import { mailMessage, senderDomain } from "./mail-message.ts";
import { MailError, type Mailer } from "./mailer.ts";

/** Sends mail through an SMTP server, given as `smtp://` or `smtps://` with the login in it. */
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

const timeouts = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 10_000,
};

// Only a "no" to this recipient or this text is final. A 5xx to anything else is about the server or the login,
// which an operator can mend while the mail waits.
function explain(cause: unknown): MailError {
  const { responseCode, command } = smtpAnswer(cause);
  const about = responseCode ? ` (${responseCode})` : "";
  const isFinal = responseCode >= 500 && (command === "RCPT TO" || command === "DATA");
  const message = isFinal ? "refused this mail" : "could not take this mail now";
  return new MailError(`The mail server ${message}${about}.`, { retryable: !isFinal, cause });
}

// Nodemailer hangs the answer's code and the command it answered on the error; `Object` makes anything readable.
function smtpAnswer(cause: unknown): { responseCode: number; command: string } {
  const { responseCode, command }: { responseCode?: unknown; command?: unknown } = Object(cause);
  return { responseCode: Number(responseCode ?? 0), command: String(command ?? "") };
}
