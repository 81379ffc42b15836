import { AppError } from "../../../errors/app-error.ts";
import { listPoliciesById } from "../../../store/alerts/policies.ts";
import { listPoliciesOn } from "../../../store/alerts/policy-rules.ts";
import type { Db } from "../../../store/open-store.ts";

/** Rejects a change of a rule or target that a policy manages. */
export async function requireUnmanaged(
  tx: Db,
  { org_id, policy_id }: { org_id: string; policy_id: string | null },
  subject: "rule" | "target",
): Promise<void> {
  if (policy_id === null) return;
  const [policy] = await listPoliciesById(tx, org_id, [policy_id]);
  const name = JSON.stringify(policy?.name ?? "");
  const message = policy?.deleted_at
    ? `The ${subject} belongs to the policy ${name}, which was deleted. It is about to be removed.`
    : `The ${subject} is managed by the policy ${name}. Change the policy instead.`;
  throw new AppError("managed_by_policy", message);
}

/** Rejects a change of a target that the rule of a policy is evaluated on. */
export async function requireNoPolicy(tx: Db, target_id: string, change: string): Promise<void> {
  const names = await listPoliciesOn(tx, target_id);
  if (names.length === 0) return;
  const listed = names.slice(0, 10).map((name) => JSON.stringify(name));
  const message = `The target cannot be ${change}, because policies have a rule on it: ${listed.join(", ")}. Change the policies first.`;
  throw new AppError("target_in_use", message);
}
