import type { Hint } from "../../lib/bus/bus.ts";
import { recordOrgWatchChange } from "../../store/engine/watch.ts";
import type { Db } from "../../store/open-store.ts";
import { addRetentionOverride } from "../../store/orgs/retention-overrides.ts";
import { tierLimits } from "../../tiers.ts";
import type { Tier } from "../../wire/primitives.ts";
import type { AuditEntry } from "../transaction.ts";

type Effects = { audit(entry: AuditEntry): void; hint(hint: Hint): void };

/**
 * Applies the consequences of a change of tier in its transaction: audit entry, rate limits of keys, polling interval. A
 * downgrade deletes nothing: limits are checked when something is added, and earlier history keeps its retention.
 */
export async function applyTierChange(
  tx: Db,
  { audit, hint }: Effects,
  org_id: string,
  { at, ...change }: { from: Tier; to: Tier; at: Date },
): Promise<void> {
  if (change.from === change.to) return;
  const { historyDays } = tierLimits[change.from];
  if (historyDays > tierLimits[change.to].historyDays)
    await addRetentionOverride(tx, org_id, at, historyDays);
  audit({ org_id, action: "org.tier_changed", subject: { type: "org", id: org_id }, details: change });
  hint({ topic: "keys.changed", org_id });
  await recordOrgWatchChange(tx, org_id);
}
