import type { App } from "../app.ts";
import { type OperatorCaller, systemCaller } from "../domain/caller.ts";
import { OperatorError } from "../lib/operator-error.ts";
import { findUserByEmail } from "../store/accounts/users.ts";
import { findOrg, listOrgsOf, listOrgsUnscoped } from "../store/orgs/orgs.ts";
import { Id } from "../wire/primitives.ts";

/** The operator as the caller of an org: the named one, or the only one that exists. */
export async function operatorOf(app: App, subject: string | undefined): Promise<OperatorCaller> {
  const org_id = subject === undefined ? await onlyOrg(app) : await findOrgId(app, subject);
  const org = await findOrg(app.db, org_id);
  if (!org) throw new OperatorError(`There is no organisation ${org_id}.`);
  return { ...systemCaller, user_id: null, org_id, tier: org.tier, role: "admin" };
}

/** Finds an org by its id, or by the e-mail address of a user who is admin of exactly one org. */
export async function findOrgId(app: App, subject: string): Promise<string> {
  return Id.safeParse(subject).success ? subject : onlyOrgOf(app, subject);
}

async function onlyOrgOf(app: App, email: string): Promise<string> {
  const user = await findUserByEmail(app.db, email);
  if (!user) throw new OperatorError(`There is no account with the address ${email}.`);
  const orgs = (await listOrgsOf(app.db, user.id)).filter((org) => org.role === "admin");
  if (orgs.length === 1 && orgs[0]) return orgs[0].id;
  const choices = orgs.map((org) => `${org.id} (${org.name})`).join(", ");
  throw new OperatorError(`${email} is admin of ${orgs.length} organisations. Name one by id: ${choices}.`);
}

async function onlyOrg(app: App): Promise<string> {
  const [first, second] = await listOrgsUnscoped(app.db, { limit: 2, offset: 0 });
  if (first && !second) return first.id;
  throw new OperatorError(
    first
      ? "There are several organisations. Name one with --org, by its id or an admin's e-mail address."
      : "There is no organisation yet.",
  );
}
