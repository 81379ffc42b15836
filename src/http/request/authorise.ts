import type { App } from "../../app.ts";
import {
  type Caller,
  hasRole,
  type KeyCaller,
  type MemberCaller,
  type OrgCaller,
} from "../../domain/caller.ts";
import { viewerOf } from "../../domain/viewer-of.ts";
import { AppError } from "../../errors/app-error.ts";
import { findOrgOf } from "../../store/orgs/orgs.ts";
import { findAccess, type Resource } from "../../store/viewer.ts";
import { isAtLeast, tierName } from "../../tiers.ts";
import type { Operation, Policy } from "../operation.ts";
import type { Identity } from "./authenticate.ts";
import { requireKeyScope } from "./key-scope.ts";
import type { Valid } from "./validate.ts";

/** Turns a proven identity into the caller that the policy lets through, or refuses. */
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
  if (policy.resource) await authoriseResource(app, caller, policy.resource, params, method !== "GET");
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
  if (!hasRole(caller.role, policy.role)) throw roleRefusal(policy.role);
  if (policy.tier && !isAtLeast(caller.tier, policy.tier)) {
    throw new AppError("tier_required", `This needs the ${tierName(policy.tier)} tier or above.`);
  }
  return caller;
}

/** What the caller may not see is not there; what they were let in to look at they may not change. */
async function authoriseResource(
  app: App,
  caller: OrgCaller,
  resource: Resource,
  params: Record<string, string>,
  isChange: boolean,
): Promise<void> {
  const access = await findAccess(app.db, viewerOf(caller), resource, params[`${resource}_id`] ?? "");
  if (!access) throw new AppError("not_found", `There is no such ${resource}.`);
  if (isChange && !access.isEditable) {
    throw new AppError("role_required", "You were let in to look at this contract, not to change it.");
  }
}

/** A key acts for its own org; any other is not there. */
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
    throw new AppError("no_active_org", "You belong to no organisation. Create one or switch.");
  return { ...session.user, ...session.active };
}

/** Somebody else's org and no org at all look the same. */
async function actingForOrg(app: App, { session }: Identity, org_id: string): Promise<MemberCaller> {
  const org = session && (await findOrgOf(app.db, org_id, session.user.user_id));
  if (!org) throw new AppError("not_found", "There is no such organisation.");
  return { ...session.user, org_id: org.id, tier: org.tier, role: org.role };
}

function roleRefusal(role: OrgCaller["role"]): AppError {
  return role === "admin"
    ? new AppError("admin_required", "Only an admin of the organisation may do this.")
    : new AppError("role_required", `Your role may only read. This needs the role ${role}.`);
}
