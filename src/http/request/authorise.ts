import type { App } from "../../app.ts";
import { requireAccess } from "../../domain/access.ts";
import {
  type Caller,
  hasRole,
  type KeyCaller,
  type MemberCaller,
  type OrgCaller,
} from "../../domain/caller.ts";
import { findMembership } from "../../domain/orgs/members.ts";
import { AppError } from "../../errors/app-error.ts";
import { isAtLeast, tierName } from "../../tiers.ts";
import type { Operation, Policy } from "../operation.ts";
import type { Identity } from "./authenticate.ts";
import { requireKeyScope } from "./key-scope.ts";
import type { Valid } from "./validate.ts";

/** Checks an authenticated identity against the policy of an operation and returns the caller. */
export async function authorise(
  app: App,
  identity: Identity,
  operation: Operation,
  request: Valid,
): Promise<Caller> {
  const { policy, method } = operation;
  const { params } = request;
  if (identity.key) await requireKeyScope(app, identity.key, operation, request);
  if (policy.who === "staff" && identity.staff) return identity.staff;
  if (policy.who === "user" && identity.session) return identity.session.user;
  if (policy.who !== "org") return { kind: "anyone", context: identity.context };
  const caller = await authoriseMember(app, identity, policy, params);
  if (policy.resource) {
    const subject = { resource: policy.resource, id: params[`${policy.resource}_id`] ?? "" };
    await requireAccess(app, caller, subject, { isChange: method !== "GET" });
  }
  return caller;
}

async function authoriseMember(
  app: App,
  identity: Identity,
  policy: Extract<Policy, { who: "org" }>,
  params: Record<string, string>,
): Promise<OrgCaller> {
  const caller =
    identity.key !== undefined
      ? actingWithKey(identity.key, policy, params)
      : policy.org === "active"
        ? actingForActiveOrg(identity)
        : await actingForOrg(app, identity, params.org_id ?? "");
  if (!hasRole(caller.role, policy.role)) throw missingRole(policy.role);
  if (policy.tier && !isAtLeast(caller.tier, policy.tier)) {
    const message = `This operation needs the ${tierName(policy.tier)} tier or above.`;
    throw new AppError("tier_required", policy.belowTier ? `${message} ${policy.belowTier}` : message);
  }
  return caller;
}

/** A key acts for its own org; every other org results in a 404. */
function actingWithKey(
  key: KeyCaller,
  policy: Extract<Policy, { who: "org" }>,
  params: Record<string, string>,
): KeyCaller {
  if (policy.org === "path" && params.org_id !== key.org_id) {
    throw new AppError("not_found", "There is no such organisation.");
  }
  return key;
}

function actingForActiveOrg({ session }: Identity): MemberCaller {
  if (!session?.active)
    throw new AppError("no_active_org", "You have no active organisation. Create one, or switch to one.");
  return { ...session.user, ...session.active };
}

/** Gives the same response for an org that does not exist and one that the user is not a member of. */
async function actingForOrg(app: App, { session }: Identity, org_id: string): Promise<MemberCaller> {
  const member = session && (await findMembership(app, session.user, org_id));
  if (!member) throw new AppError("not_found", "There is no such organisation.");
  return member;
}

function missingRole(role: OrgCaller["role"]): AppError {
  return role === "admin"
    ? new AppError("admin_required", "Only an admin of the organisation may do this.")
    : new AppError("role_required", `Your role is read-only. This operation needs the role ${role}.`);
}
