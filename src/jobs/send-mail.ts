import { type App, inSeconds } from "../app.ts";
import { sendText } from "../channels/sending/text-message.ts";
import { makeProviderDeps } from "../delivery/channel-deps.ts";
import { prepareResetMail } from "../domain/accounts/password-reset.ts";
import { prepareRecipientMail } from "../domain/channels/recipient-mail.ts";
import type { QueuedMail } from "../domain/mail.ts";
import { makeRetrySchedule } from "../lib/concurrency/retry-schedule.ts";
import { type Mail, MailError } from "../lib/mail/mailer.ts";
import { claimMails, countMails, type MailRow, recordMailResult } from "../store/accounts/mail.ts";
import { sealedContext } from "../store/secrets/sealed-places.ts";
import type { Job } from "./job.ts";

/** Longer than the mailer's timeout, so that a claim does not expire while its mail is being sent. */
const leaseSeconds = 120;
const batch = 10;
const schedule = makeRetrySchedule([5, 30, 120, 600, 3_600, 21_600, 86_400]);

/** Sends queued mails at least once: a crash before the result is recorded repeats a mail with the same Message-ID. */
export const sendMail: Job = {
  name: "send-mail",
  everyMs: 5_000,
  wakeOn: "mail.queued",
  async run(app) {
    const rows = await claimMails(app.db, app.clock.now(), inSeconds(app, leaseSeconds), batch);
    await Promise.all(rows.map((row) => sendOne(app, row)));
    app.metrics.mailWaiting.set((await countMails(app.db)).queued);
    return { hasMore: rows.length === batch };
  },
};

async function sendOne(app: App, row: MailRow): Promise<void> {
  try {
    const mail = await prepare(app, row);
    if (mail?.kind === "text") await sendServiceText(app, mail);
    else if (mail) await app.mailer.send(toMail(row.id, mail));
    await app.faults.hit("mail.after_send");
    await recordMailResult(app.db, row, { status: "sent", sent_at: app.clock.now() });
  } catch (error) {
    await recordFailure(app, row, error);
  }
}

async function prepare(app: App, row: MailRow) {
  const opened = await app.vault.open(row.sealed, sealedContext.mail(row.id));
  const waiting = JSON.parse(opened.toString("utf8")) as QueuedMail;
  const mail = await complete(app, row, waiting);
  if (mail?.kind === "text") return mail;
  if (mail?.kind !== "ready") return undefined;
  return mail;
}

async function complete(app: App, { attempts }: MailRow, mail: QueuedMail): Promise<QueuedMail | undefined> {
  if (mail.kind === "reset_password") return prepareResetMail(app, mail.email);
  if (mail.kind === "confirm_recipient") return prepareRecipientMail(app, mail, { isRetry: attempts > 1 });
  return mail;
}

function toMail(id: string, { kind: _, ...content }: Extract<QueuedMail, { kind: "ready" }>): Mail {
  return { id, ...content };
}

async function sendServiceText(app: App, { to, text }: Extract<QueuedMail, { kind: "text" }>): Promise<void> {
  const result = await sendText(to, text, makeProviderDeps(app));
  if (result.result === "failed" || result.result === "retry")
    throw new MailError(result.reason, { retryable: result.result === "retry" });
}

async function recordFailure(app: App, row: MailRow, error: unknown): Promise<void> {
  const last_error = error instanceof Error ? error.message.slice(0, 500) : "unknown";
  const wait = schedule.waitSeconds(row.attempts);
  const mayRetry = wait !== undefined && !(error instanceof MailError && !error.retryable);
  app.log.warn({ err: error, mail_id: row.id, attempts: row.attempts, mayRetry }, "mail not sent");
  await recordMailResult(
    app.db,
    row,
    mayRetry
      ? { status: "queued", next_attempt_at: inSeconds(app, wait), last_error }
      : { status: "failed", last_error },
  );
}
