import { sql } from "kysely";
import type { App } from "../../../app.ts";
import {
  countWork,
  listPoliciesById,
  type PolicyRow,
  removeDeleted,
  resetWork,
} from "../../../store/alerts/policies.ts";
import {
  countProgress,
  type DuePolicy,
  listDuePolicies,
  matchContract,
  recordApplied,
  recordFailure,
  removePolicyContract,
} from "../../../store/alerts/policy-contracts.ts";
import {
  claimOrg,
  dequeueContract,
  dropNeedlessMarks,
  hasPolicyWork,
  listOrgsWithPolicyWork,
} from "../../../store/alerts/policy-queue.ts";
import { orgViewer } from "../../../store/viewer.ts";
import { systemCaller } from "../../caller.ts";
import { inTransaction } from "../../transaction.ts";
import type { WriteContext } from "../../write-context.ts";
import { applyPolicy } from "./apply-policy.ts";
import { failureOf } from "./failure.ts";
import { undoPolicy } from "./undo-policy.ts";

/** What an org may do before it is the turn of the next: contracts, and policies on them. A contract can have a hundred. */
const stepsPerTurn = 100;

/** Applies and removes policies on contracts that are due, and compares contracts that changed with all policies. */
export async function applyPolicies(app: App, steps = stepsPerTurn): Promise<{ hasMore: boolean }> {
  let hasMore = false;
  for (const org_id of await listOrgsWithPolicyWork(app.db)) {
    try {
      hasMore = (await applyForTurn(app, org_id, steps)) || hasMore;
    } catch (error) {
      // The others must not wait for the contract of one org.
      app.log.warn({ err: error, org_id }, "policies could not be applied, will retry");
    }
  }
  return { hasMore };
}

async function applyForTurn(app: App, org_id: string, steps: number): Promise<boolean> {
  for (let left = steps; left > 0; ) {
    const done = await applyNext(app, org_id);
    if (done === 0) return false;
    left -= done;
  }
  return true;
}

/**
 * Brings one contract up to date in one transaction. Returns the steps that it took; 0 if none is due, or another process works
 * on the org.
 */
async function applyNext(app: App, org_id: string): Promise<number> {
  return inTransaction(app, systemCaller, async (tx, { audit, hint }) => {
    const org = await claimOrg(tx, org_id);
    if (!org) return 0;
    await dropNeedlessMarks(tx, org_id);
    const due = await dequeueContract(tx, org_id);
    if (!due) return 0;
    const { contract_id, isChanged } = due;
    if (isChanged) await matchContract(tx, contract_id);
    // The access of the policy's author is part of the match. One entry per round replaces those of single rules.
    const caller = { ...systemCaller, user_id: null, org_id, tier: org.tier, role: "admin" as const };
    const context: WriteContext = { app, tx, caller, effects: { audit: () => undefined, hint } };
    const policies = await listDuePolicies(tx, contract_id);
    const rows = await listPoliciesById(
      tx,
      org_id,
      policies.map(({ policy_id }) => policy_id),
    );
    for (const duePolicy of policies) {
      const policy = rows.find(({ id }) => id === duePolicy.policy_id);
      if (!policy) continue;
      await bringUpToDate(context, policy, contract_id, duePolicy.state);
    }
    await finishRound({ ...context, effects: { audit, hint } });
    return 1 + policies.length;
  });
}

async function bringUpToDate(
  context: WriteContext,
  policy: PolicyRow,
  contract_id: string,
  state: DuePolicy["state"],
): Promise<void> {
  const { tx } = context;
  if (state === "leaving") {
    await undo(context, policy.id, contract_id);
    return removePolicyContract(tx, policy.id, contract_id);
  }
  await sql`savepoint before_policy`.execute(tx);
  try {
    const did = await applyPolicy(context, policy, contract_id);
    if (did) await countWork(tx, policy.id, did);
    await recordApplied(tx, policy.id, contract_id);
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    await sql`rollback to savepoint before_policy`.execute(tx);
    // A rule of an earlier definition would be evaluated although the policy no longer has it.
    await undo(context, policy.id, contract_id);
    await recordFailure(tx, policy.id, contract_id, failure);
  }
  await sql`release savepoint before_policy`.execute(tx);
}

async function undo(context: WriteContext, policy_id: string, contract_id: string): Promise<void> {
  if (await undoPolicy(context, policy_id, contract_id))
    await countWork(context.tx, policy_id, "rules_removed");
}

/** Records what was done once nothing of the org is due, and removes deleted policies. */
async function finishRound({ tx, caller, effects }: WriteContext): Promise<void> {
  const { org_id } = caller;
  if (await hasPolicyWork(tx, org_id)) return;
  for (const { id, name, ...did } of await resetWork(tx, org_id)) {
    const counts = await countProgress(tx, orgViewer(org_id), [id]);
    const failed = Number(counts.find(({ state }) => state === "failed")?.total ?? 0);
    const details = { name, ...did, failed };
    effects.audit({ org_id, action: "policy.applied", subject: { type: "policy", id }, details });
  }
  await removeDeleted(tx, org_id);
}
