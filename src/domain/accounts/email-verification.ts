import { type App, inSeconds } from "../../app.ts";
import { AppError } from "../../errors/app-error.ts";
import { mailboxKey } from "../../lib/mail/mailbox-key.ts";
import { hashToken, makeToken } from "../../lib/secrets/tokens.ts";
import { consumeUserToken, findUserToken, insertUserToken } from "../../store/accounts/user-tokens.ts";
import { emailKey, getUser, updateUser } from "../../store/accounts/users.ts";
import type { Db } from "../../store/open-store.ts";
import type { Anyone, UserCaller } from "../caller.ts";
import { queueMail, verificationMail } from "../mail.ts";
import { inTransaction } from "../transaction.ts";
import { isWithinLimit, throttle, throttles } from "./throttle.ts";

const verificationSeconds = 24 * 60 * 60;

/**
 * Queues a verification mail with a new token in the transaction of the caller. Queues none and returns false if the mailbox
 * got too many, which may belong to someone who has not signed up.
 */
export async function queueVerification(
  app: App,
  tx: Db,
  user: { id: string; email: string },
): Promise<boolean> {
  if (!(await isMailable({ clock: app.clock, db: tx }, user.email))) return false;
  const token = makeToken(app.random);
  await insertUserToken(tx, {
    token_hash: hashToken(token),
    user_id: user.id,
    purpose: "verify_email",
    created_at: app.clock.now(),
    expires_at: inSeconds(app, verificationSeconds),
    used_at: null,
  });
  await queueMail(app, tx, verificationMail(app.config, user.email, token));
  return true;
}

/** Accounts with other addresses of a mailbox, which anyone can create, do not use up the mails to its own address. */
async function isMailable(counting: Pick<App, "clock" | "db">, email: string): Promise<boolean> {
  const mailbox = mailboxKey(email);
  if (await isWithinLimit(counting, "verification_mailbox", mailbox)) return true;
  return emailKey(email) === mailbox && (await isWithinLimit(counting, "verification_address", mailbox));
}

const mailboxFull =
  "As many mails as possible in 24 hours were sent to this mailbox to confirm addresses. Use a link of an earlier one, or try again tomorrow.";

/**
 * Marks the address of a token as verified. Mail scanners open links before people do, so a second visit with a used
 * token gives the same reply and changes nothing.
 */
export async function verifyEmail(app: App, caller: Anyone, token: string): Promise<{ ok: true }> {
  return inTransaction(app, caller, async (tx) => {
    const consumed = await consumeUserToken(tx, hashToken(token), "verify_email", app.clock.now());
    if (consumed) {
      await updateUser(tx, consumed.user_id, { is_verified: true });
    } else {
      await requireUsedToken(app, tx, token);
    }
    return { ok: true };
  });
}

/** Mails a new verification link, at most three times an hour. */
export async function resendVerification(app: App, caller: UserCaller): Promise<{ ok: true }> {
  await throttle(app, "resend_user", caller.user_id);
  return inTransaction(app, caller, async (tx, { hint }) => {
    const user = await getUser(tx, caller.user_id);
    if (!user.is_verified) {
      const window = { name: "attempts", ...throttles.verification_mailbox };
      if (!(await queueVerification(app, tx, user)))
        throw new AppError("rate_limited", mailboxFull, { retryAfterSeconds: 60 * 60, window });
      hint({ topic: "mail.queued" });
    }
    return { ok: true };
  });
}

async function requireUsedToken(app: App, tx: Db, token: string): Promise<void> {
  const row = await findUserToken(tx, hashToken(token), "verify_email");
  if (row?.used_at && row.expires_at > app.clock.now()) return;
  throw new AppError("invalid_token", "This link is invalid or has expired. Request a new one.");
}
