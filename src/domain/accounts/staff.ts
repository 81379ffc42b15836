import { type App, newId } from "../../app.ts";
import { AppError } from "../../errors/app-error.ts";
import { passwordProblem } from "../../lib/passwords/password-rule.ts";
import { findStaffByEmail, insertStaff, type StaffRow } from "../../store/accounts/staff.ts";
import { emailKey } from "../../store/accounts/users.ts";
import type { StaffMember } from "../../wire/accounts/admin.ts";
import type { LogIn } from "../../wire/accounts/auth.ts";
import type { Anyone, SystemCaller } from "../caller.ts";
import { inTransaction } from "../transaction.ts";
import { throttleLogIn, verifyAttempt } from "./auth.ts";
import { startStaffSession } from "./sessions.ts";

/** Logs a member of staff in. Staff and user sessions are separate, so neither cookie grants the other's access. */
export async function logInStaff(
  app: App,
  caller: Anyone,
  input: LogIn,
): Promise<{ staff: StaffMember; token: string }> {
  const forgiveAttempt = await throttleLogIn(app, caller, `staff:${input.email}`);
  const row = await findStaffByEmail(app.db, input.email);
  const isValid = await verifyAttempt(app, caller, forgiveAttempt, row?.password_hash, input.password);
  if (!row || !isValid)
    throw new AppError("invalid_credentials", "The e-mail address or the password is wrong.");
  const token = await inTransaction(
    app,
    { kind: "staff", staff_id: row.id, ...row, context: caller.context },
    (tx, { audit }) => {
      audit({ org_id: null, action: "staff.logged_in", subject: { type: "staff", id: row.id } });
      return startStaffSession(app, tx, row.id);
    },
  );
  await forgiveAttempt();
  return { staff: toStaff(row), token };
}

/** Creates a staff account; available only on the command line. */
export async function createStaff(
  app: App,
  caller: SystemCaller,
  input: { email: string; name: string; password: string },
): Promise<StaffMember> {
  const problem = passwordProblem(input.password, { email: input.email });
  if (problem) throw new AppError("weak_password", problem);
  const password_hash = await app.passwords.hash("", input.password);
  return inTransaction(app, caller, async (tx, { audit }) => {
    const row = await insertStaff(tx, {
      id: newId(app),
      email: input.email,
      email_key: emailKey(input.email),
      name: input.name,
      password_hash,
      created_at: app.clock.now(),
    });
    if (!row) throw new AppError("email_taken", `A staff account for ${input.email} already exists.`);
    audit({ org_id: null, action: "staff.created", subject: { type: "staff", id: row.id } });
    return toStaff(row);
  });
}

function toStaff(row: StaffRow): StaffMember {
  return { id: row.id, email: row.email, name: row.name, created_at: row.created_at.toISOString() };
}
