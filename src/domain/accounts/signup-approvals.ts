import type { App } from "../../app.ts";
import { AppError } from "../../errors/app-error.ts";
import { hashToken } from "../../lib/secrets/tokens.ts";
import {
  type ApprovalRow,
  decideApproval,
  findApproval,
  findApprovalByToken,
  listApprovals,
} from "../../store/accounts/signup-approvals.ts";
import { updateUser } from "../../store/accounts/users.ts";
import type { Db } from "../../store/open-store.ts";
import type { AdminSignup, AdminSignupQuery } from "../../wire/accounts/admin.ts";
import type { SignupApproval, User } from "../../wire/accounts/auth.ts";
import type { Anyone, StaffCaller } from "../caller.ts";
import { approvedMail, queueMail, rejectedMail } from "../mail.ts";
import { inTransaction } from "../transaction.ts";
import { toUser } from "./auth.ts";

type Decision = "approved" | "rejected";

/** Returns a pending sign-up without changing it, because mail scanners open links too. */
export async function previewApproval(app: App, _caller: Anyone, token: string): Promise<SignupApproval> {
  const row = await openLink(app, app.db, token);
  return toApproval(row);
}

/** Approves a sign-up by the mailed link; recorded without a staff member and with the method `email_link`. */
export async function approveByLink(app: App, caller: Anyone, token: string): Promise<User> {
  const row = await openLink(app, app.db, token);
  return decide(app, caller, row, "approved");
}

export async function listSignups(app: App, query: AdminSignupQuery): Promise<AdminSignup[]> {
  const rows = await listApprovals(app.db, query);
  return rows.map((row) => ({ id: row.id, ...toApproval(row) }));
}

/** Decides a sign-up as a logged-in member of staff. */
export async function decideByStaff(
  app: App,
  caller: StaffCaller,
  signup_id: string,
  decision: Decision,
): Promise<User> {
  const row = await findApproval(app.db, signup_id);
  if (!row) throw new AppError("not_found", "There is no such sign-up.");
  return decide(app, caller, row, decision);
}

async function decide(
  app: App,
  caller: Anyone | StaffCaller,
  row: ApprovalRow,
  status: Decision,
): Promise<User> {
  const decided_by = caller.kind === "staff" ? caller.staff_id : null;
  const method = caller.kind === "staff" ? "staff" : "email_link";
  return inTransaction(app, caller, async (tx, { audit, hint }) => {
    const isFirst = await decideApproval(tx, row.id, {
      status,
      decided_at: app.clock.now(),
      decided_by,
      method,
    });
    if (!isFirst) throw alreadyDecided();
    const user = await updateUser(tx, row.user_id, { status: status === "approved" ? "active" : "rejected" });
    await queueMail(
      app,
      tx,
      status === "approved" ? approvedMail(app.config, row.email) : rejectedMail(row.email),
    );
    audit({
      org_id: user.active_org_id,
      action: `signup.${status}`,
      subject: { type: "user", id: user.id },
      details: { admin_id: decided_by, method },
    });
    hint({ topic: "mail.queued" });
    return toUser(user);
  });
}

async function openLink(app: App, db: Db, token: string): Promise<ApprovalRow> {
  const row = await findApprovalByToken(db, hashToken(token));
  if (!row) throw new AppError("not_found", "There is no such link.");
  if (row.status !== "pending") throw alreadyDecided();
  if (row.expires_at <= app.clock.now()) {
    throw new AppError("link_expired", "This link has expired. Staff can still decide in the admin area.");
  }
  return row;
}

function alreadyDecided(): AppError {
  return new AppError("link_used", "This sign-up was already decided.");
}

function toApproval(row: ApprovalRow): SignupApproval {
  return {
    email: row.email,
    name: row.name,
    org_name: row.org_name,
    requested_at: row.requested_at.toISOString(),
    status: row.status,
  };
}
