import type { App } from "../../app.ts";
import { AppError } from "../../errors/app-error.ts";
import { hashToken } from "../../lib/secrets/tokens.ts";
import {
  confirmNumber,
  deleteNumber,
  findNumber,
  listNumbers,
  type SmsNumberRow,
  useAttempt,
} from "../../store/channels/sms-numbers.ts";
import type { SmsCode, SmsNumber } from "../../wire/channels/sms-numbers.ts";
import type { OrgCaller } from "../caller.ts";
import { inTransaction } from "../transaction.ts";

export async function listSmsNumbers(app: App, { org_id }: OrgCaller): Promise<SmsNumber[]> {
  return (await listNumbers(app.db, org_id)).map(toSmsNumber);
}

/**
 * Confirms a number by the code that was sent to it. An attempt is used up before the code is compared, and stays used up
 * if the request fails, so that concurrent requests cannot try more codes.
 */
export async function confirmSmsNumber(
  app: App,
  caller: OrgCaller,
  number_id: string,
  { code }: SmsCode,
): Promise<SmsNumber> {
  const { org_id } = caller;
  const number = await findUnconfirmed(app, org_id, number_id);
  const attempt = await countAttempt(app, caller, number_id);
  if (!attempt) {
    // Another request may have confirmed it in between.
    await findUnconfirmed(app, org_id, number_id);
    const message = "The code has expired or was entered wrongly too often. Request a new one.";
    throw new AppError("code_expired", message);
  }
  const code_hash = hashCode(number, code);
  if (!attempt.code_hash.equals(code_hash)) throw wrongCode(attempt.attempts_left);
  return inTransaction(app, caller, async (tx, { audit }) => {
    const confirmed = await confirmNumber(tx, org_id, number_id, { code_hash, now: app.clock.now() });
    if (!confirmed) throw alreadyConfirmed();
    audit({ org_id, action: "sms_number.confirmed", subject: subjectOf(confirmed) });
    return toSmsNumber(confirmed);
  });
}

async function findUnconfirmed(app: App, org_id: string, number_id: string): Promise<SmsNumberRow> {
  const number = await findNumber(app.db, org_id, number_id);
  if (!number) throw noSuchNumber();
  if (number.confirmed_at) throw alreadyConfirmed();
  return number;
}

/** Commits on its own and without the reply of an Idempotency-Key, so that a wrong code counts and can be corrected. */
async function countAttempt(app: App, caller: OrgCaller, number_id: string) {
  const { saveReply: _, ...context } = caller.context;
  return inTransaction(app, { ...caller, context }, (tx) =>
    useAttempt(tx, caller.org_id, number_id, app.clock.now()),
  );
}

function wrongCode(attempts_left: number): AppError {
  const next = attempts_left === 0 ? "Request a new one." : `Attempts left: ${attempts_left}.`;
  return new AppError("invalid_code", `The code is wrong. ${next}`);
}

/** Removes a number; channels that send to it fail from now on, unless its prefix is allowed. */
export async function removeSmsNumber(app: App, caller: OrgCaller, number_id: string): Promise<{ ok: true }> {
  const { org_id } = caller;
  return inTransaction(app, caller, async (tx, { audit }) => {
    const removed = await deleteNumber(tx, org_id, number_id);
    if (!removed) throw noSuchNumber();
    audit({ org_id, action: "sms_number.deleted", subject: subjectOf(removed) });
    return { ok: true };
  });
}

function noSuchNumber(): AppError {
  return new AppError("not_found", "There is no such phone number.");
}

function alreadyConfirmed(): AppError {
  return new AppError("conflict", "The number is confirmed already, or a newer code was sent.");
}

/** The stored form of a code. It is short, so what protects it is the limit of attempts; the hash keeps it out of backups. */
export function hashCode({ org_id, phone }: { org_id: string; phone: string }, code: string): Buffer {
  return hashToken(`${org_id}:${phone}:${code}`);
}

export function subjectOf({ phone }: { phone: string }) {
  return { type: "phone", id: phone };
}

export function toSmsNumber({ id, phone, ...row }: SmsNumberRow): SmsNumber {
  return {
    id,
    phone,
    confirmed_at: row.confirmed_at?.toISOString() ?? null,
    code_expires_at: row.confirmed_at ? null : row.expires_at.toISOString(),
    created_at: row.created_at.toISOString(),
  };
}
