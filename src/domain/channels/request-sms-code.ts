import { type App, inSeconds, newId } from "../../app.ts";
import { isCostly } from "../../channels/sending/costly-numbers.ts";
import { sendText } from "../../channels/sending/text-message.ts";
import { hasAllowedPrefix, makeProviderDeps } from "../../delivery/channel-deps.ts";
import { AppError, InvalidRequest } from "../../errors/app-error.ts";
import { findConfirmed, listNumbers, type SmsNumberRow, saveCode } from "../../store/channels/sms-numbers.ts";
import type { SmsNumberCreate, SmsNumberRequested } from "../../wire/channels/sms-numbers.ts";
import { throttle } from "../accounts/throttle.ts";
import type { MemberCaller } from "../caller.ts";
import { inTransaction } from "../transaction.ts";
import { requireMessageQuota } from "./message-quota.ts";
import { hashCode, subjectOf, toSmsNumber } from "./sms-numbers.ts";
import { requireVerified } from "./verified-caller.ts";

const codeSeconds = 10 * 60;
/** With at most 5 codes a day for a number, 25 guesses of a million. */
const maxAttempts = 5;
const maxNumbers = 100;

/**
 * Sends a code to a phone number. The code is stored after it was sent: if the message cannot be sent, an earlier code stays
 * valid and nothing else has changed. If the process ends in between, the next request sends another code.
 */
export async function requestSmsCode(
  app: App,
  caller: MemberCaller,
  { phone }: SmsNumberCreate,
): Promise<SmsNumberRequested> {
  if (hasAllowedPrefix(app.config, phone)) return { status: "no_code_needed", number: null };
  const confirmed = await findConfirmed(app.db, caller.org_id, phone);
  if (confirmed) return confirmedReply(confirmed);
  requireOrdinaryNumber(phone);
  await requireVerified(app.db, caller);
  await requireFewNumbers(app, caller.org_id, phone);
  await throttleCodes(app, caller, phone);
  const code = makeCode(app);
  await send(app, phone, code);
  return inTransaction(app, caller, async (tx, { audit }) => {
    const number = await saveCode(tx, {
      id: newId(app),
      org_id: caller.org_id,
      phone,
      code_hash: hashCode({ org_id: caller.org_id, phone }, code),
      attempts_left: maxAttempts,
      expires_at: inSeconds(app, codeSeconds),
      created_at: app.clock.now(),
    });
    audit({ org_id: caller.org_id, action: "sms_number.code_sent", subject: subjectOf({ phone }) });
    if (number) return { status: "code_sent", number: toSmsNumber(number) };
    const meanwhile = await findConfirmed(tx, caller.org_id, phone);
    if (meanwhile) return confirmedReply(meanwhile);
    throw new AppError("conflict", "The number was changed by another request. Try again.");
  });
}

function confirmedReply(number: SmsNumberRow): SmsNumberRequested {
  return { status: "confirmed", number: toSmsNumber(number) };
}

function requireOrdinaryNumber(phone: string): void {
  if (!isCostly(phone)) return;
  const msg =
    "must be an ordinary number of a country; satellite, international, shared-cost and premium-rate numbers get no code";
  throw new InvalidRequest([{ loc: ["body", "phone"], msg, type: "value_error" }]);
}

/** Not decided under a lock: the limit of codes per hour also limits what concurrent requests can add beyond it. */
async function requireFewNumbers(app: App, org_id: string, phone: string): Promise<void> {
  const numbers = await listNumbers(app.db, org_id);
  if (numbers.length < maxNumbers || numbers.some((number) => number.phone === phone)) return;
  const message = `An organisation can have ${maxNumbers} phone numbers. Delete one that is no longer used.`;
  throw new AppError("quota_exceeded", message);
}

/** Counts attempts, not codes that arrived, so that failures cannot be repeated without end either. */
async function throttleCodes(app: App, caller: MemberCaller, phone: string): Promise<void> {
  await throttle(app, "sms_code_org", caller.org_id);
  await throttle(app, "sms_code_user", caller.user_id);
  await throttle(app, "sms_code_phone", phone);
  await throttle(app, "sms_code_service");
  await requireMessageQuota(app, app.db, caller, "sms");
}

function makeCode({ random }: App): string {
  return String(random.bytes(6).readUIntBE(0, 6) % 1_000_000).padStart(6, "0");
}

/** The text contains nothing that a caller chooses, so that it cannot be used to send advertisements or links. */
function codeText(code: string): string {
  return `Tocsin: ${code} is the code to confirm this number for alerts. It is valid for 10 minutes. Not expected? Ignore it or reply STOP.`;
}

async function send(app: App, phone: string, code: string): Promise<void> {
  const deps = makeProviderDeps(app);
  if (!deps.twilio)
    throw new AppError(
      "sms_not_configured",
      "The operator has not configured a Twilio account for text messages.",
    );
  const result = await sendText(phone, codeText(code), deps);
  if (result.result === "sent") return;
  if (result.operatorDetails)
    app.log.warn({ provider: "sms", reply: result.operatorDetails }, "provider did not accept code");
  if (result.result === "skipped")
    throw new AppError("conflict", `${result.reason} Text START from it to opt in again.`);
  if (result.result === "failed" && result.isDead)
    throw new InvalidRequest([{ loc: ["body", "phone"], msg: result.reason, type: "value_error" }]);
  throw new AppError(
    "unavailable",
    "The text message service did not accept the code. Try again later; the operator's log has details.",
  );
}
