import type { FastifyRequest } from "fastify";
import type { App } from "../../app.ts";
import { isHidden, isHiddenInOrg, recordAccessDenial } from "../../domain/access.ts";
import { AppError, type ErrorCode, InvalidRequest } from "../../errors/app-error.ts";
import type { Operation } from "../operation.ts";
import { authenticate, type Identity } from "./authenticate.ts";
import { touchesOf } from "./key-scope.ts";
import type { Valid } from "./validate.ts";

/** Denials of keys that are recorded with their scope. */
const scopeDenials: readonly ErrorCode[] = ["read_only_key", "out_of_scope", "session_required"];

/**
 * Runs `work` and records in the audit log of the org when its caller is denied: by a 403, or because their grants hide what the
 * request names.
 */
export async function recordingDenials<Result>(
  app: App,
  identity: Identity,
  operation: Operation,
  request: Valid,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const caller = identity.key ?? identity.session?.user;
    const org_id = orgOf(identity, operation, request);
    if (!caller || !org_id) throw error;
    const reason = await reasonOf(app, identity, operation, request, error);
    if (reason) await recordAccessDenial(app, caller, org_id, { operation: operation.id, reason });
    throw error;
  }
}

/** A 403 is given to members and keys of the org only, so the org of the path is one of the caller's. */
function orgOf({ key, session }: Identity, { policy }: Operation, { params }: Valid): string | undefined {
  if (policy.who !== "org") return undefined;
  return key?.org_id ?? (policy.org === "path" ? params.org_id : session?.active?.org_id);
}

async function reasonOf(
  app: App,
  identity: Identity,
  operation: Operation,
  request: Valid,
  error: unknown,
): Promise<string | undefined> {
  if (error instanceof AppError && error.status === 403)
    return scopeDenials.includes(error.code) ? undefined : error.code;
  const denied = error instanceof InvalidRequest ? deniedPart(error) : undefined;
  if (denied) return denied;
  const mayHide = error instanceof InvalidRequest || (error instanceof AppError && error.status === 404);
  return mayHide && (await namesHidden(app, identity, operation, request)) ? "not_found" : undefined;
}

/** A document may be invalid for several reasons, of which one is that the caller may not change or see a contract. */
function deniedPart({ issues }: InvalidRequest): string | undefined {
  const types = new Set(issues.map(({ type }) => type));
  if (types.has("role_required")) return "role_required";
  return types.has("contract_exists") ? "not_found" : undefined;
}

/**
 * True if the request of a member names a contract, something of one, or messages and silences about one that their grants
 * hide.
 */
async function namesHidden(
  app: App,
  { session }: Identity,
  operation: Operation,
  request: Valid,
): Promise<boolean> {
  // Large documents describe new contracts by chain; reading one again would cost as much as the request.
  if (!session?.active || operation.limits.bodyBytes !== undefined) return false;
  const member = { ...session.user, ...session.active };
  for (const touch of await touchesOf(app, member, operation, request))
    if (typeof touch === "object" && "resource" in touch && (await isHidden(app, member, touch))) return true;
  return isHiddenInOrg(app, member, request.params);
}

/** Records a change that another site sent with the session of a person, in the audit log of their active org. */
export async function recordingForgery(
  app: App,
  request: FastifyRequest,
  { id, policy }: Operation,
  requireOrigin: () => void,
): Promise<void> {
  try {
    requireOrigin();
  } catch (error) {
    if (policy.who !== "org" && policy.who !== "user") throw error;
    const { session } = await authenticate(app, request, { who: "user" }).catch(() => ({
      session: undefined,
    }));
    if (session?.active)
      await recordAccessDenial(app, session.user, session.active.org_id, { operation: id, reason: "csrf" });
    throw error;
  }
}
