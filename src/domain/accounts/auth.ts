import type { App } from "../../app.ts";
import { AppError } from "../../errors/app-error.ts";
import { BulkheadFull } from "../../lib/concurrency/bulkhead.ts";
import { findUserByEmail, getUser, lockUser, type UserRow, updateUser } from "../../store/accounts/users.ts";
import type { LogIn, ProfileUpdate, User } from "../../wire/accounts/auth.ts";
import type { Anyone, Caller, UserCaller } from "../caller.ts";
import { inTransaction } from "../transaction.ts";
import { startUserSession } from "./sessions.ts";
import { addressGroup, forgive, throttle } from "./throttle.ts";

/** A user with the token of their new session. */
export type SignedIn = { user: User; token: string };

/** Logs a user in. Unknown account and wrong password give the same reply in the same time. */
export async function logIn(app: App, caller: Anyone, input: LogIn): Promise<SignedIn> {
  const forgiveAttempt = await throttleLogIn(app, caller, input.email);
  const row = await findUserByEmail(app.db, input.email);
  const isValid = await verifyAttempt(app, caller, forgiveAttempt, row?.password_hash, input.password);
  if (!row || !isValid) throw wrongCredentials();
  const signedIn = await inTransaction(app, caller, async (tx) => {
    // A concurrent password reset ends every session, so no session may start with the old password.
    const user = await lockUser(tx, row.id);
    if (user.password_hash !== row.password_hash) throw wrongCredentials();
    requireActive(user);
    const token = await startUserSession(app, tx, user.id, caller.context.ip);
    return { user: toUser(user), token };
  });
  await forgiveAttempt();
  return signedIn;
}

/** Counts a login attempt, by IP address and by account. Returns a function that takes it back: only failures count. */
export async function throttleLogIn(
  app: App,
  { context }: { context: Caller["context"] },
  email: string,
): Promise<() => Promise<void>> {
  const ip = addressGroup(context.ip);
  const account = email.toLowerCase();
  const windows = [
    ["login_address", ip],
    ["login_account_from_address", account, ip],
    ["login_account", account],
  ] as const;
  const counted: (() => Promise<void>)[] = [];
  for (const [name, ...subject] of windows) {
    const at = await throttle(app, name, ...subject);
    counted.push(() => forgive(app, name, at, ...subject));
  }
  return async () => {
    for (const forgiveAttempt of counted) await forgiveAttempt();
  };
}

/** Verifies the password of a counted attempt. One that is rejected before that tells nothing about the password: it does not count. */
export async function verifyAttempt(
  app: App,
  { context }: { context: Caller["context"] },
  forgiveAttempt: () => Promise<void>,
  hashed: string | undefined,
  password: string,
): Promise<boolean> {
  try {
    return await app.passwords.verify(addressGroup(context.ip), hashed, password);
  } catch (error) {
    if (error instanceof BulkheadFull) await forgiveAttempt();
    throw error;
  }
}

export async function me(app: App, caller: UserCaller): Promise<User> {
  return toUser(await getUser(app.db, caller.user_id));
}

/** Changes the name that others see. Entries of the audit log keep the name of their time. */
export async function changeProfile(app: App, caller: UserCaller, { name }: ProfileUpdate): Promise<User> {
  return inTransaction(app, caller, async (tx) => toUser(await updateUser(tx, caller.user_id, { name })));
}

export async function setTheme(app: App, caller: UserCaller, theme: User["theme"]): Promise<{ ok: true }> {
  await updateUser(app.db, caller.user_id, { theme });
  return { ok: true };
}

export function toUser(row: UserRow): User {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    theme: row.theme,
    is_verified: row.is_verified,
    status: row.status,
    active_org_id: row.active_org_id,
    created_at: row.created_at.toISOString(),
  };
}

function wrongCredentials(): AppError {
  return new AppError("invalid_credentials", "The e-mail address or the password is wrong.");
}

function requireActive(row: UserRow): void {
  if (row.status === "pending_approval") {
    throw new AppError("approval_pending", "Your account needs approval. You will receive an e-mail.");
  }
  if (row.status === "rejected") {
    throw new AppError("signup_rejected", "Your sign-up was rejected.");
  }
}
