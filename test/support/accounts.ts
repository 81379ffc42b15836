import { type App, newId } from "../../src/app.ts";
import { toUser } from "../../src/domain/accounts/auth.ts";
import { startStaffSession, startUserSession } from "../../src/domain/accounts/sessions.ts";
import { systemCaller } from "../../src/domain/caller.ts";
import { createOrgForUser } from "../../src/domain/orgs/orgs.ts";
import { inTransaction } from "../../src/domain/transaction.ts";
import { makePasswords } from "../../src/lib/passwords/passwords.ts";
import { insertStaff } from "../../src/store/accounts/staff.ts";
import { emailKey, insertUser } from "../../src/store/accounts/users.ts";
import { updateOrg } from "../../src/store/orgs/orgs.ts";
import type { User } from "../../src/wire/accounts/auth.ts";
import type { Tier } from "../../src/wire/primitives.ts";

/** A password that the rule accepts. */
export const goodPassword = "correct horse battery staple";

/** The cheapest hashes of the algorithm: those of the service would take most of the time of a sign-up and a log-in. */
export const cheapPasswords = makePasswords({}, { memoryCost: 8, timeCost: 1 });

/** Writes what a sign-up with a verified address leaves, and returns the user and the token of the session. */
export async function createAccount(
  app: App,
  { email, name, ip, tier }: { email: string; name: string; ip: string; tier?: Tier | undefined },
): Promise<{ user: User; token: string }> {
  const password_hash = await cheapPasswords.hash("", goodPassword);
  return inTransaction(app, { kind: "anyone", context: { request_id: null, ip } }, async (tx, { audit }) => {
    const row = await insertUser(tx, {
      id: newId(app),
      email,
      email_key: emailKey(email),
      name,
      password_hash,
      status: "active",
      active_org_id: null,
      is_verified: true,
      created_at: app.clock.now(),
    });
    if (!row) throw new Error(`${email} has an account already`);
    const org = await createOrgForUser(app, tx, row.id, { name: `${name}'s organisation` });
    audit({
      org_id: org.id,
      action: "user.created",
      subject: { type: "user", id: row.id },
      by: { user_id: row.id, name: row.name },
    });
    if (tier) await updateOrg(tx, org.id, { tier });
    return {
      user: toUser({ ...row, active_org_id: org.id }),
      token: await startUserSession(app, tx, row.id, null),
    };
  });
}

/** Creates a staff account and returns the token of its session. */
export async function createStaffSession(app: App, email: string): Promise<string> {
  const password_hash = await cheapPasswords.hash("", goodPassword);
  return inTransaction(app, systemCaller, async (tx) => {
    const row = await insertStaff(tx, {
      id: newId(app),
      email,
      email_key: emailKey(email),
      name: "Staff",
      password_hash,
      created_at: app.clock.now(),
    });
    if (!row) throw new Error(`${email} has a staff account already`);
    return startStaffSession(app, tx, row.id);
  });
}
