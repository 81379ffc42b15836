import type { App } from "../../app.ts";
import { chainOf } from "../../chains/index.ts";
import { isInKeyScope, isRestrictedKey } from "../../domain/access.ts";
import type { KeyCaller } from "../../domain/caller.ts";
import { recordDenial } from "../../domain/orgs/key-authentication.ts";
import { AppError, type ErrorCode } from "../../errors/app-error.ts";
import type { Operation, Touch } from "../operation.ts";
import type { Valid } from "./validate.ts";

/**
 * Rejects operations that need a session and changes by a read-only key. The operation alone decides, so this runs before
 * the body is read: an invalid body does not hide the denial.
 */
export async function requireKeyAccess(app: App, key: KeyCaller, operation: Operation): Promise<void> {
  const { policy, method } = operation;
  if (policy.who !== "org" || !policy.keys) {
    const message = "This operation needs a session. Log in instead of using an API key.";
    throw await deny(app, key, operation, "session_required", message);
  }
  if (key.scope === "read_only" && method !== "GET")
    throw await deny(app, key, operation, "read_only_key", "This API key is read-only.");
}

/** Rejects resources outside the scope of the key. */
export async function requireKeyScope(
  app: App,
  key: KeyCaller,
  operation: Operation,
  request: Valid,
): Promise<void> {
  if (!isRestrictedKey(key)) return;
  for (const touch of await touchesOf(app, key, operation, request)) {
    if (await isInScope(app, key, touch)) continue;
    throw await deny(app, key, operation, "out_of_scope", "This resource is outside the key's scope.");
  }
}

/** Records a denial in the audit log and returns its error. */
async function deny(
  app: App,
  key: KeyCaller,
  { id }: Operation,
  code: ErrorCode,
  message: string,
): Promise<AppError> {
  await recordDenial(app, key, { operation: id, reason: code });
  return new AppError(code, message);
}

/** Returns the resources that a request touches; an entry that declares none touches the whole org. */
export async function touchesOf(
  app: App,
  { org_id }: { org_id: string },
  { policy, touches }: Operation,
  request: Valid,
): Promise<Touch[]> {
  if (policy.who !== "org") return ["org"];
  const { resource, scope } = policy;
  const inPath: Touch[] = resource ? [{ resource, id: request.params[`${resource}_id`] ?? "" }] : [];
  if (!resource && !touches && !scope) return ["org"];
  return [...inPath, ...((await touches?.({ ...request, app, org_id })) ?? [])];
}

async function isInScope(app: App, key: KeyCaller, touch: Touch): Promise<boolean> {
  if (touch === "org") return false;
  if (!("newContractOn" in touch)) return isInKeyScope(app, key, touch);
  const { newContractOn } = touch;
  const chain_id = typeof newContractOn === "number" ? newContractOn : chainOf(newContractOn)?.chain_id;
  const { contract_scope, chain_scope } = key;
  return contract_scope === null && chain_scope !== null && chain_scope.includes(chain_id ?? -1);
}
