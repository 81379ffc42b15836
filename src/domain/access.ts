import type { App } from "../app.ts";
import { AppError } from "../errors/app-error.ts";
import { runForOwner } from "../lib/concurrency/current-owner.ts";
import { OwnerBusy } from "../lib/concurrency/fair-queue.ts";
import { findSilence } from "../store/alerts/silences.ts";
import { findDelivery } from "../store/delivery/deliveries.ts";
import * as store from "../store/viewer.ts";
import { isWithinLimit } from "./accounts/throttle.ts";
import type { KeyCaller, OrgCaller, UserCaller } from "./caller.ts";
import { inTransaction } from "./transaction.ts";
import { viewerOf } from "./viewer-of.ts";

export type { Resource, Viewer } from "../store/viewer.ts";

/** Rejects a caller who cannot see the contract of a resource, or may not change it. */
export async function requireAccess(
  app: App,
  caller: OrgCaller,
  { resource, id }: { resource: store.Resource; id: string },
  { isChange }: { isChange: boolean },
): Promise<void> {
  const access = await store.findAccess(app.db, viewerOf(caller), resource, id);
  if (!access) throw new AppError("not_found", `There is no such ${resource}.`);
  if (isChange && !access.isEditable) throw new AppError("role_required", readOnlyMessage);
}

/** True if the resource belongs to the caller's org and the caller's grants hide it: the reply is that for an unknown id. */
export async function isHidden(
  app: App,
  caller: OrgCaller,
  { resource, id }: { resource: store.Resource; id: string },
): Promise<boolean> {
  if (!(await store.findContractOf(app.db, caller.org_id, resource, id))) return false;
  return !(await store.findAccess(app.db, viewerOf(caller), resource, id));
}

/** Parameters of paths that name things of the org which only those see who see every contract that they are about. */
const findByParam = { silence_id: findSilence, delivery_id: findDelivery };

/** True if the parameters name something of the org that the grants of the caller hide. */
export async function isHiddenInOrg(
  app: App,
  caller: OrgCaller,
  params: Record<string, string>,
): Promise<boolean> {
  for (const [name, find] of Object.entries(findByParam)) {
    const id = params[name];
    if (id === undefined || !(await find(app.db, store.orgViewer(caller.org_id), id))) continue;
    if (!(await find(app.db, viewerOf(caller), id))) return true;
  }
  return false;
}

/** Records in the audit log that a person or a key was denied. Repetitions beyond the limit for each are not recorded. */
export async function recordAccessDenial(
  app: App,
  caller: UserCaller | KeyCaller,
  org_id: string,
  details: { operation: string; reason: string },
): Promise<void> {
  const subject =
    caller.kind === "user" ? { type: "user", id: caller.user_id } : { type: "api_key", id: caller.key_id };
  const { saveReply: _, ...context } = caller.context;
  // The connections for it are those of the org, so that a loop of denied requests delays no other.
  const recorded = runForOwner(org_id, async () => {
    if (!(await isWithinLimit(app, "recorded_denials", subject.id))) return;
    await inTransaction(app, { ...caller, context }, async (_tx, { audit }) => {
      audit({ org_id, action: "access.denied", subject, details });
    });
  });
  await recorded.catch((error: unknown) => {
    // The reply is the denial, whether or not there is a connection left to record it.
    if (!(error instanceof OwnerBusy)) throw error;
    app.log.warn(
      { org_id, ...details },
      "denial not recorded: all connections of the organisation are in use",
    );
  });
}

export const readOnlyMessage = "You have read-only access to this contract.";

/** True if the key is restricted to some contracts or chains. */
export function isRestrictedKey(key: KeyCaller): boolean {
  return store.isScopedKey(key);
}

/**
 * True if the resource is within the scope of a key. A key with a list of contracts gets the same rejection for an unknown
 * id as for one out of scope, so that the response does not reveal whether it exists. Without such a list an unknown id
 * is in scope and later results in a 404.
 */
export async function isInKeyScope(
  app: App,
  { org_id, contract_scope, chain_scope }: KeyCaller,
  { resource, id }: { resource: store.Resource; id: string },
): Promise<boolean> {
  const contract = await store.findContractOf(app.db, org_id, resource, id);
  if (contract_scope && !(contract && contract_scope.includes(contract.contract_id))) return false;
  return !chain_scope || !contract || chain_scope.includes(contract.chain_id);
}
