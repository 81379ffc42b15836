import type { App } from "../../app.ts";
import { AppError, InvalidRequest } from "../../errors/app-error.ts";
import { passwordProblem } from "../../lib/passwords/password-rule.ts";
import { deleteSessionsOf } from "../../store/accounts/sessions.ts";
import { getUser, lockUser, type UserRow, updateUser } from "../../store/accounts/users.ts";
import type { PasswordChange } from "../../wire/accounts/auth.ts";
import type { UserCaller } from "../caller.ts";
import { otherSessionsEndedMail, queueMail } from "../mail.ts";
import { inTransaction } from "../transaction.ts";
import { throttleLogIn, verifyAttempt } from "./auth.ts";
import { addressGroup } from "./throttle.ts";

/** Sets a new password and ends the other sessions of the caller. */
export async function changePassword(
  app: App,
  caller: UserCaller,
  { current_password, new_password }: PasswordChange,
): Promise<{ ok: true }> {
  const problem = passwordProblem(new_password, { email: caller.email });
  if (problem)
    throw new InvalidRequest([{ loc: ["body", "new_password"], msg: problem, type: "weak_password" }]);
  const before = await requirePassword(app, caller, current_password);
  const password_hash = await app.passwords.hash(addressGroup(caller.context.ip), new_password);
  return inTransaction(app, caller, async (tx, { audit, hint }) => {
    const user = await lockUser(tx, caller.user_id);
    if (user.password_hash !== before.password_hash) throw wrongPassword();
    await updateUser(tx, caller.user_id, { password_hash });
    await deleteSessionsOf(tx, caller.user_id, caller.session_id);
    await queueMail(app, tx, otherSessionsEndedMail(user.email));
    const subject = { type: "user", id: user.id };
    audit({ org_id: user.active_org_id, action: "user.password_changed", subject });
    hint({ topic: "mail.queued" });
    return { ok: true };
  });
}

/** Checks the password of the caller again. A stolen session must not be enough to guess it, so failures count as log-ins. */
export async function requirePassword(app: App, caller: UserCaller, password: string): Promise<UserRow> {
  const forgiveAttempt = await throttleLogIn(app, caller, caller.email);
  const user = await getUser(app.db, caller.user_id);
  if (!(await verifyAttempt(app, caller, forgiveAttempt, user.password_hash, password)))
    throw wrongPassword();
  await forgiveAttempt();
  return user;
}

function wrongPassword(): AppError {
  return new AppError("wrong_password", "The current password is wrong. Enter it again, or reset it.");
}
