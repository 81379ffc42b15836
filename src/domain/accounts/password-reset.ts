import { type App, inSeconds } from "../../app.ts";
import { AppError } from "../../errors/app-error.ts";
import { passwordProblem } from "../../lib/passwords/password-rule.ts";
import { hashToken, makeToken } from "../../lib/secrets/tokens.ts";
import { deleteSessionsOf } from "../../store/accounts/sessions.ts";
import { consumeUserToken, insertUserToken } from "../../store/accounts/user-tokens.ts";
import { emailKey, findUserByEmail, updateUser } from "../../store/accounts/users.ts";
import type { ResetPassword } from "../../wire/accounts/auth.ts";
import type { Anyone } from "../caller.ts";
import { passwordChangedMail, type QueuedMail, queueMail, resetMail } from "../mail.ts";
import { inTransaction } from "../transaction.ts";
import { addressGroup, isWithinLimit, throttle } from "./throttle.ts";

const resetSeconds = 60 * 60;

/**
 * Queues a password reset. The account is looked up only when the mail is sent, so that the reply and its timing do not
 * reveal whether the address has an account.
 */
export async function forgotPassword(app: App, caller: Anyone, email: string): Promise<{ ok: true }> {
  await throttle(app, "forgot_address", addressGroup(caller.context.ip));
  const isAllowed = await isWithinLimit(app, "forgot_account", emailKey(email));
  return inTransaction(app, caller, async (tx, { hint }) => {
    if (isAllowed) await queueMail(app, tx, { kind: "reset_password", email });
    hint({ topic: "mail.queued" });
    return { ok: true };
  });
}

/** Returns the mail with the reset link; undefined if the address has no active account. */
export async function prepareResetMail(app: App, email: string): Promise<QueuedMail | undefined> {
  const user = await findUserByEmail(app.db, email);
  if (user?.status !== "active") return undefined;
  const token = makeToken(app.random);
  await insertUserToken(app.db, {
    token_hash: hashToken(token),
    user_id: user.id,
    purpose: "reset_password",
    created_at: app.clock.now(),
    expires_at: inSeconds(app, resetSeconds),
    used_at: null,
  });
  return resetMail(app.config, user.email, token);
}

/** Sets a new password and ends every session. Hashes first, so that an invalid token takes as long as a valid one. */
export async function resetPassword(app: App, caller: Anyone, input: ResetPassword): Promise<{ ok: true }> {
  const address = addressGroup(caller.context.ip);
  await throttle(app, "reset_address", address);
  const problem = passwordProblem(input.new_password);
  if (problem) throw new AppError("weak_password", problem);
  const password_hash = await app.passwords.hash(address, input.new_password);
  return inTransaction(app, caller, async (tx, { audit, hint }) => {
    const token = await consumeUserToken(tx, hashToken(input.token), "reset_password", app.clock.now());
    if (!token)
      throw new AppError("invalid_token", "This link is invalid or has expired. Request a new one.");
    // Opening a mailed link verifies the address as well.
    const user = await updateUser(tx, token.user_id, { password_hash, is_verified: true });
    const ownProblem = passwordProblem(input.new_password, { email: user.email });
    if (ownProblem) throw new AppError("weak_password", ownProblem);
    await deleteSessionsOf(tx, user.id);
    await queueMail(app, tx, passwordChangedMail(user.email));
    audit({
      org_id: user.active_org_id,
      action: "user.password_reset",
      subject: { type: "user", id: user.id },
    });
    hint({ topic: "mail.queued" });
    return { ok: true };
  });
}
