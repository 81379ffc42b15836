import type { App } from "../../../app.ts";
import { removeDeleted } from "../../../store/alerts/policies.ts";
import { listOrgsOverQuota, maxRetried, retryOverQuota } from "../../../store/alerts/policy-queue.ts";
import { tierLimits } from "../../../tiers.ts";

/** Tries contracts again that did not fit into a quota, when there is quota left: rules were deleted, or the tier changed. */
export async function retryPolicies(app: App): Promise<void> {
  for (const { org_id, tier, rules } of await listOrgsOverQuota(app.db)) {
    const limits = tierLimits[tier];
    const left = Math.max(0, Math.min(maxRetried, limits.rules - Number(rules)));
    const retried = await retryOverQuota(app.db, org_id, {
      rules: left,
      targetsPerContract: Math.min(limits.targetsPerContract, Number.MAX_SAFE_INTEGER),
    });
    if (retried > 0) app.bus.publish({ topic: "policy.changed" });
  }
  // Those whose last contracts were deleted.
  await removeDeleted(app.db);
}
