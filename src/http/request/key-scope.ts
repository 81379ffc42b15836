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
  const denial = denialOf(key, operation);
  if (denial) throw await deny(app, key, operation, denial, denialMessages[denial]);
}

const denialMessages = {
  session_required: "This operation needs a session. Log in instead of using an API key.",
  read_only_key: "This API key is read-only.",
};

function denialOf(key: KeyCaller, { policy, method }: Operation): keyof typeof denialMessages | undefined {
  if (policy.who !== "org" || !policy.keys) return "session_required";
  return key.scope === "read_only" && method !== "GET" ? "read_only_key" : undefined;
}

/** True if a key may call an operation with some parameters; what they name decides the rest. */
export function isOpenToKey(key: KeyCaller, operation: Operation): boolean {
  if (operation.policy.who === "anyone") return true;
  return !denialOf(key, operation) && !(isRestrictedKey(key) && concernsOrg(operation));
}

/** True for an entry that does not declare what it touches. */
function concernsOrg({ policy, touches }: Operation): boolean {
  return policy.who !== "org" || (!policy.resource && !policy.scope && !touches);
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
  operation: Operation,
  request: Valid,
): Promise<Touch[]> {
  const { policy, touches } = operation;
  if (policy.who !== "org" || concernsOrg(operation)) return ["org"];
  const { resource } = policy;
  const inPath: Touch[] = resource ? [{ resource, id: request.params[`${resource}_id`] ?? "" }] : [];
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
