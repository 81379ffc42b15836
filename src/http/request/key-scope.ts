import type { App } from "../../app.ts";
import { chainOf } from "../../chains/index.ts";
import type { KeyCaller } from "../../domain/caller.ts";
import { recordDenial } from "../../domain/orgs/api-keys.ts";
import { AppError, type ErrorCode } from "../../errors/app-error.ts";
import { findContractOf, isScopedKey } from "../../store/viewer.ts";
import type { Operation, Touch } from "../operation.ts";
import type { Valid } from "./validate.ts";

/** Refuses what a key was not made for: people's business, changes by a read-only key, what is outside its scope. */
export async function requireKeyScope(
  app: App,
  key: KeyCaller,
  operation: Operation,
  request: Valid,
): Promise<void> {
  const { policy, method } = operation;
  if (policy.who !== "org" || !policy.keys) {
    const message = "This is for people: log in instead of using an API key.";
    throw await denial(app, key, operation, "session_required", message);
  }
  const isRead = method === "GET";
  if (key.scope === "read_only" && !isRead) {
    throw await denial(app, key, operation, "read_only_key", "This key may only read.");
  }
  if (!isScopedKey(key)) return;
  for (const touch of touchesOf(operation, request)) {
    if (await isInScope(app, key, touch)) continue;
    throw await denial(app, key, operation, "out_of_scope", "This key was not made for that.");
  }
}

/** What an entry says that its request touches; one that says nothing touches the whole org. */
function touchesOf({ policy, touches }: Operation, request: Valid): Touch[] {
  if (policy.who !== "org") return ["org"];
  const { resource, scope } = policy;
  const inPath: Touch[] = resource ? [{ resource, id: request.params[`${resource}_id`] ?? "" }] : [];
  if (!resource && !touches && !scope) return ["org"];
  return [...inPath, ...(touches?.(request) ?? [])];
}

/**
 * A key with a list of contracts is refused whatever leads to none of them, known or not, so that its refusals tell
 * nothing about what exists. Without such a list an unknown id is let through, to be found missing.
 */
async function isInScope(app: App, key: KeyCaller, touch: Touch): Promise<boolean> {
  const { contract_scope, chain_scope } = key;
  if (touch === "org") return false;
  if ("newContractOn" in touch) {
    const on = touch.newContractOn;
    const chain_id = typeof on === "number" ? on : chainOf(on)?.chain_id;
    return contract_scope === null && chain_scope !== null && chain_scope.includes(chain_id ?? -1);
  }
  const found = await findContractOf(app.db, key.org_id, touch.resource, touch.id);
  if (contract_scope && !(found && contract_scope.includes(found.contract_id))) return false;
  return !chain_scope || !found || chain_scope.includes(found.chain_id);
}

async function denial(
  app: App,
  key: KeyCaller,
  { id }: Operation,
  code: ErrorCode,
  message: string,
): Promise<AppError> {
  await recordDenial(app, key, { operation: id, reason: code });
  return new AppError(code, message);
}
