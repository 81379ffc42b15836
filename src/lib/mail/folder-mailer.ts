import { randomUUID } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { mailMessage, senderDomain } from "./mail-message.ts";
import { MailError, type Mailer } from "./mailer.ts";

/** Writes each mail to `<folder>/<id>.eml`, for an operator without a mail server. */
export function makeFolderMailer({ folder, from }: { folder: string; from: string }): Mailer {
  senderDomain(from);
  const composer = createTransport({ streamTransport: true, buffer: true });

  return {
    kind: "folder",
    async send(mail) {
      const { message } = await composer.sendMail(mailMessage(mail, from));
      try {
        await writeAtomically(folder, `${mail.id}.eml`, message);
      } catch (cause) {
        throw new MailError("The mail could not be written to its folder.", { retryable: true, cause });
      }
      return undefined;
    },
    async close() {},
  };
}

// Writes atomically, so that a reader of the folder never sees a partial mail.
async function writeAtomically(
  folder: string,
  name: string,
  content: Parameters<typeof writeFile>[1],
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `.${name}.${randomUUID()}.tmp`);
  try {
    await writeFile(draft, content, { mode: 0o600, flag: "wx", flush: true });
    await rename(draft, join(folder, name));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
