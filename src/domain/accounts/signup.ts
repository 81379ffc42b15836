import { type App, inSeconds, newId } from "../../app.ts";
import { AppError, InvalidRequest, type Issue } from "../../errors/app-error.ts";
import { passwordProblem } from "../../lib/passwords/password-rule.ts";
import { hashToken, makeToken } from "../../lib/secrets/tokens.ts";
import { insertApproval } from "../../store/accounts/signup-approvals.ts";
import { listStaffEmails } from "../../store/accounts/staff.ts";
import { emailKey, insertUser, type UserRow } from "../../store/accounts/users.ts";
import type { Db } from "../../store/open-store.ts";
import { findInviteByToken } from "../../store/orgs/invites.ts";
import type { SignUp, User } from "../../wire/accounts/auth.ts";
import type { Anyone } from "../caller.ts";
import { approvalRequestMail, queueMail } from "../mail.ts";
import { createOrgForUser } from "../orgs/orgs.ts";
import { inTransaction } from "../transaction.ts";
import { toUser } from "./auth.ts";
import { queueVerification } from "./email-verification.ts";
import { startUserSession } from "./sessions.ts";
import { addressGroup, isWithinLimit, throttle } from "./throttle.ts";

const approvalSeconds = 7 * 24 * 60 * 60;

/** Creates an account with a personal org. If accounts need approval, no session starts. */
export async function signUp(
  app: App,
  caller: Anyone,
  input: SignUp,
): Promise<{ user: User; token: string | undefined }> {
  const isInvited = await hasInvite(app, input);
  if (app.config.signupMode === "closed" && !isInvited) {
    throw new AppError(
      "signup_closed",
      "Sign-up is closed. Ask the operator of this service for an account.",
    );
  }
  const address = addressGroup(caller.context.ip);
  await throttle(app, "signup_address", address);
  const issues = findPasswordIssues(input);
  if (issues.length > 0) throw new InvalidRequest(issues);
  const password_hash = await app.passwords.hash(address, input.password);
  return inTransaction(app, caller, async (tx, { audit, hint }) => {
    const row = await createUser(app, tx, input, { password_hash, isInvited });
    audit({
      org_id: row.active_org_id,
      action: "user.created",
      subject: { type: "user", id: row.id },
      by: { user_id: row.id, name: row.name },
    });
    await queueVerification(app, tx, row);
    hint({ topic: "mail.queued" });
    if (row.status === "active")
      return { user: toUser(row), token: await startUserSession(app, tx, row.id, caller.context.ip) };
    await requestApproval(app, tx, row);
    return { user: toUser(row), token: undefined };
  });
}

/** Returns what is wrong with the password, if it is given. */
export function findPasswordIssues({ email, password }: Partial<SignUp>): Issue[] {
  const problem = password !== undefined && passwordProblem(password, { ...(email && { email }) });
  return problem ? [{ loc: ["body", "password"], msg: problem, type: "weak_password" }] : [];
}

/** True if the token is that of a pending invite to this address: the inviting org answers for the person. */
async function hasInvite(app: App, { invite_token, email }: SignUp): Promise<boolean> {
  if (invite_token === undefined) return false;
  const invite = await findInviteByToken(app.db, hashToken(invite_token));
  return (
    invite?.status === "pending" &&
    invite.expires_at > app.clock.now() &&
    invite.email_key === emailKey(email)
  );
}

async function createUser(
  app: App,
  tx: Db,
  input: SignUp,
  { password_hash, isInvited }: { password_hash: string; isInvited: boolean },
): Promise<UserRow> {
  const name = input.name ?? input.email.slice(0, input.email.indexOf("@"));
  const row = await insertUser(tx, {
    id: newId(app),
    email: input.email,
    email_key: emailKey(input.email),
    name,
    password_hash,
    status: app.config.signupMode === "approval" && !isInvited ? "pending_approval" : "active",
    active_org_id: null,
    created_at: app.clock.now(),
  });
  if (!row) throw new AppError("email_taken", "An account with this e-mail address already exists.");
  const org = await createOrgForUser(app, tx, row.id, { name: input.org_name ?? `${name}'s organisation` });
  return { ...row, active_org_id: org.id };
}

async function requestApproval(app: App, tx: Db, row: UserRow): Promise<void> {
  const token = makeToken(app.random);
  await insertApproval(tx, {
    id: newId(app),
    user_id: row.id,
    token_hash: hashToken(token),
    status: "pending",
    requested_at: app.clock.now(),
    expires_at: inSeconds(app, approvalSeconds),
    decided_at: null,
    decided_by: null,
    method: null,
  });
  // The request is in the admin area anyway.
  if (!(await isWithinLimit({ clock: app.clock, db: tx }, "approval_mails"))) return;
  const staff = app.config.staffEmail ? [app.config.staffEmail] : await listStaffEmails(tx);
  for (const to of staff) await queueMail(app, tx, approvalRequestMail(app.config, to, { ...row, token }));
}
