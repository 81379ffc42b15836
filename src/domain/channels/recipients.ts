import { type App, inSeconds } from "../../app.ts";
import { isCostly } from "../../channels/sending/costly-numbers.ts";
import type { ChannelConfig } from "../../delivery/channel-config.ts";
import { mayText } from "../../delivery/channel-deps.ts";
import { AppError, InvalidRequest } from "../../errors/app-error.ts";
import { hashToken, makeToken } from "../../lib/secrets/tokens.ts";
import { emailKey } from "../../store/accounts/users.ts";
import {
  confirmByToken,
  countAsked,
  findByToken,
  listAsked,
  listUnconfirmed,
  upsertAsked,
} from "../../store/channels/email-recipients.ts";
import type { Db } from "../../store/open-store.ts";
import { findOrg } from "../../store/orgs/orgs.ts";
import type { RecipientPreview } from "../../wire/channels/channels.ts";
import type { Anyone, OrgCaller } from "../caller.ts";
import { queueMail } from "../mail.ts";
import { inTransaction, type TxEffects } from "../transaction.ts";
import { requireVerified } from "./verified-caller.ts";

/** Long enough for someone on holiday. */
const linkSeconds = 14 * 24 * 60 * 60;

/**
 * Checks who may be sent to. E-mail and text messages reach people who did not ask for them and cost the operator money, so
 * they need a verified account; strangers are asked first, and numbers need an allowed prefix or a confirmation by a code.
 */
export async function requireAllowedRecipients(
  { app, tx, caller, effects }: { app: App; tx: Db; caller: OrgCaller; effects: TxEffects },
  type: string,
  config: ChannelConfig,
): Promise<void> {
  if (type !== "email" && type !== "sms") return;
  await requireVerified(tx, caller);
  if (type === "sms") return requireAllowedNumber(app, tx, caller, String(config.to));
  await askStrangers(app, tx, caller, (config.to as string[]).map(emailKey));
  effects.hint({ topic: "mail.queued" });
}

/** Checks who a test may be sent to, before there is a channel. Nobody is asked to confirm; the provider leaves strangers out. */
export async function requireTestableRecipients(
  app: App,
  caller: OrgCaller,
  type: string,
  config: ChannelConfig,
): Promise<void> {
  if (type !== "email" && type !== "sms") return;
  await requireVerified(app.db, caller);
  if (type === "sms") await requireAllowedNumber(app, app.db, caller, String(config.to));
}

async function requireAllowedNumber(app: App, tx: Db, { org_id }: OrgCaller, phone: string): Promise<void> {
  if (await mayText(app, tx, org_id, phone)) return;
  const prefixes = app.config.smsAllow.join(", ") || "none so far";
  const msg = isCostly(phone, app.config.smsAllow)
    ? "must not be a satellite, international, shared-cost or premium-rate number, unless the operator allows just its prefix (SMS_ALLOW)"
    : `must be confirmed by an admin with a code (POST /sms-numbers) or start with a prefix that the operator allows (SMS_ALLOW): ${prefixes}`;
  throw new InvalidRequest([{ loc: ["body", "config", "to"], msg, type: "value_error" }]);
}

/** Mails a link to each address that is not a member's and has not confirmed yet, once per validity of the link. */
async function askStrangers(app: App, tx: Db, caller: OrgCaller, email_keys: string[]): Promise<void> {
  const { org_id } = caller;
  const unconfirmed = await listUnconfirmed(tx, org_id, email_keys);
  const requested = await listAsked(tx, org_id, unconfirmed, app.clock.now());
  const org_name = (await findOrg(tx, org_id))?.name ?? "";
  for (const email_key of unconfirmed.filter((key) => !requested.has(key))) {
    await requireFewAsked(app, tx, org_id);
    const token = makeToken(app.random);
    const requested_at = app.clock.now();
    const expires_at = inSeconds(app, linkSeconds);
    await upsertAsked(tx, { org_id, email_key, token_hash: hashToken(token), requested_at, expires_at });
    await queueMail(app, tx, { kind: "confirm_recipient", to: email_key, org_name, token });
  }
}

const hour = 60 * 60;
/** Links of one org in an hour. Counted in rows, so that a dry run counts nothing. */
const maxAskedPerOrg = 50;

async function requireFewAsked(app: App, tx: Db, org_id: string): Promise<void> {
  if ((await countAsked(tx, org_id, inSeconds(app, -hour))) < maxAskedPerOrg) return;
  const message = `At most ${maxAskedPerOrg} new e-mail recipients per hour can be asked to confirm. Try again later.`;
  const window = { name: "recipients", limit: maxAskedPerOrg, seconds: hour };
  throw new AppError("rate_limited", message, { retryAfterSeconds: hour, window });
}

/** Returns which org asks and for which address, so that a person knows what they confirm. */
export async function previewRecipient(app: App, token: string): Promise<RecipientPreview> {
  const recipient = await findByToken(app.db, hashToken(token), app.clock.now());
  if (!recipient) throw linkExpired();
  return recipient;
}

function linkExpired(): AppError {
  return new AppError(
    "link_expired",
    "This link is invalid or has expired. Ask the organisation for a new one.",
  );
}

/** Confirms that the address of a mailed link wants the alerts of the org. Mail scanners may open a link twice. */
export async function confirmRecipient(app: App, caller: Anyone, token: string): Promise<{ ok: true }> {
  return inTransaction(app, caller, async (tx, { audit }) => {
    const recipient = await confirmByToken(tx, hashToken(token), app.clock.now());
    if (!recipient) throw linkExpired();
    const { org_id, email_key, is_new } = recipient;
    const subject = { type: "email", id: email_key };
    if (is_new) audit({ org_id, action: "channel.recipient_confirmed", subject });
    return { ok: true };
  });
}
