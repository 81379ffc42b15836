import { type App, newId } from "../../../app.ts";
import { AppError, InvalidRequest } from "../../../errors/app-error.ts";
import {
  findPolicy,
  insertPolicy,
  listPolicies as listRows,
  type PolicyRow,
  removeDeleted,
  updatePolicy,
} from "../../../store/alerts/policies.ts";
import { governsUneditable, markPolicy } from "../../../store/alerts/policy-contracts.ts";
import type { Db } from "../../../store/open-store.ts";
import { lockOrg } from "../../../store/orgs/orgs.ts";
import { isUnrestricted } from "../../../store/viewer.ts";
import type { Policy, PolicyCreate, PolicyUpdate } from "../../../wire/alerts/policies.ts";
import { fromCursor } from "../../../wire/page-point.ts";
import type { Page, PageQuery } from "../../../wire/paging.ts";
import type { OrgCaller } from "../../caller.ts";
import { byCreation, toPage } from "../../page.ts";
import { inTransaction, type OpenTransaction } from "../../transaction.ts";
import { viewerOf } from "../../viewer-of.ts";
import { checkDefinition, toRuleInput } from "./policy-input.ts";
import { toPolicies } from "./to-policy.ts";

/** Few enough to compare all of them with a contract that changed. */
const maxPolicies = 100;

export async function listPolicies(app: App, caller: OrgCaller, query: PageQuery): Promise<Page<Policy>> {
  const all = await listRows(app.db, caller.org_id);
  const page = toPage(rowsAfter(all, query.cursor), query.limit, byCreation);
  return { ...page, items: await toPolicies(app.db, viewerOf(caller), page.items), total: all.length };
}

/** The list is ordered by name, so that a cursor is found by its id. */
function rowsAfter(all: PolicyRow[], cursor: string | undefined): PolicyRow[] {
  if (cursor === undefined) return all;
  const last = fromCursor(cursor)?.id;
  const index = all.findIndex(({ id }) => id === last);
  if (index >= 0) return all.slice(index + 1);
  const msg = "names a policy that no longer exists; begin with the first page again";
  throw new InvalidRequest([{ loc: ["query", "cursor"], msg, type: "value_error" }]);
}

export async function getPolicy(app: App, caller: OrgCaller, policy_id: string): Promise<Policy> {
  return showPolicy(app.db, caller, policy_id);
}

/** Creates a policy. A job applies it to the contracts that match and that the caller may change. */
export async function createPolicy(
  app: App,
  caller: OrgCaller,
  input: PolicyCreate,
  joined?: OpenTransaction,
): Promise<Policy> {
  return inTransaction(
    app,
    caller,
    async (tx, { audit, hint }) => {
      // Contracts that are created meanwhile wait, so that the policy sees them, or they the policy.
      const org = await lockOrg(tx, caller.org_id);
      const existing = await listRows(tx, caller.org_id);
      if (existing.length >= maxPolicies)
        throw new AppError(
          "quota_exceeded",
          `An organisation can have at most ${maxPolicies} policies. Delete one first.`,
        );
      requireFreeName(existing, input.name);
      const { target, rule } = await checkDefinition(tx, caller, org, input);
      const [id, now] = [newId(app), app.clock.now()];
      const { name, selector, is_enabled = true } = input;
      await insertPolicy(tx, {
        ...{ id, org_id: caller.org_id, name, selector, target, rule, is_enabled },
        ...{ created_by: caller.user_id, ...authorOf(caller), created_at: now, updated_at: now },
      });
      await markPolicy(tx, id);
      const details = { name, selector, target_type: target.target_type };
      audit({ org_id: caller.org_id, action: "policy.created", subject: subjectOf(id), details });
      hint({ topic: "policy.changed" });
      return showPolicy(tx, caller, id);
    },
    joined,
  );
}

export async function changePolicy(
  app: App,
  caller: OrgCaller,
  policy_id: string,
  input: PolicyUpdate,
  joined?: OpenTransaction,
): Promise<Policy> {
  return inTransaction(
    app,
    caller,
    async (tx, { audit, hint }) => {
      const org = await lockOrg(tx, caller.org_id);
      const before = await loadPolicy(tx, caller, policy_id);
      await requireOwnContracts(tx, caller, policy_id);
      const { name = before.name, selector = before.selector, is_enabled = before.is_enabled } = input;
      if (name !== before.name) requireFreeName(await listRows(tx, caller.org_id), name);
      // What is stored was valid when it was saved; a disabled policy must be possible whatever has changed since.
      const isRedefined = input.selector ?? input.target ?? input.rule;
      const definition = {
        selector,
        target: input.target ?? before.target,
        rule: input.rule ?? toRuleInput(before.rule),
      };
      const { target, rule } = isRedefined ? await checkDefinition(tx, caller, org, definition) : before;
      const change = { name, selector, target, rule, is_enabled, ...authorOf(caller) };
      await updatePolicy(tx, caller.org_id, policy_id, { ...change, updated_at: app.clock.now() });
      await markPolicy(tx, policy_id);
      const details = { name, fields: Object.keys(input) };
      audit({ org_id: caller.org_id, action: "policy.updated", subject: subjectOf(policy_id), details });
      hint({ topic: "policy.changed" });
      return showPolicy(tx, caller, policy_id);
    },
    joined,
  );
}

/** Deletes a policy. A job removes its rules, and the targets that it created. */
export async function removePolicy(
  app: App,
  caller: OrgCaller,
  policy_id: string,
  joined?: OpenTransaction,
): Promise<{ ok: true }> {
  return inTransaction(
    app,
    caller,
    async (tx, { audit, hint }) => {
      await lockOrg(tx, caller.org_id);
      const { name } = await loadPolicy(tx, caller, policy_id);
      await requireOwnContracts(tx, caller, policy_id);
      await updatePolicy(tx, caller.org_id, policy_id, { deleted_at: app.clock.now() });
      await markPolicy(tx, policy_id);
      await removeDeleted(tx, caller.org_id);
      audit({
        org_id: caller.org_id,
        action: "policy.deleted",
        subject: subjectOf(policy_id),
        details: { name },
      });
      hint({ topic: "policy.changed" });
      return { ok: true };
    },
    joined,
  );
}

/** The author, whose access decides which contracts the policy is for. */
function authorOf(caller: OrgCaller) {
  return { changed_by: caller.user_id, is_changed_by_admin: isUnrestricted(viewerOf(caller)) };
}

/** A change would add, change or remove rules of contracts that the caller may not change. */
async function requireOwnContracts(tx: Db, caller: OrgCaller, policy_id: string): Promise<void> {
  if (await governsUneditable(tx, viewerOf(caller), policy_id))
    throw new AppError(
      "role_required",
      "The policy has rules on contracts that you may not change. Ask an admin.",
    );
}

function requireFreeName(existing: PolicyRow[], name: string): void {
  if (existing.some((row) => row.name === name))
    throw new AppError("policy_exists", `There is already a policy with the name ${JSON.stringify(name)}.`);
}

async function showPolicy(db: Db, caller: OrgCaller, policy_id: string): Promise<Policy> {
  const [shown] = await toPolicies(db, viewerOf(caller), [await loadPolicy(db, caller, policy_id)]);
  if (!shown) throw noSuchPolicy();
  return shown;
}

async function loadPolicy(db: Db, caller: OrgCaller, policy_id: string): Promise<PolicyRow> {
  const row = await findPolicy(db, caller.org_id, policy_id);
  if (!row) throw noSuchPolicy();
  return row;
}

function noSuchPolicy(): AppError {
  return new AppError("not_found", "There is no such policy.");
}

function subjectOf(id: string) {
  return { type: "policy", id };
}
