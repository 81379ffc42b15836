import type { Hint } from "../../lib/bus/bus.ts";
import { recordOrgWatchChange } from "../../store/engine/watch.ts";
import type { Db } from "../../store/open-store.ts";
import { addRetentionOverride } from "../../store/orgs/retention-overrides.ts";
import { tierLimits } from "../../tiers.ts";
import type { Tier } from "../../wire/primitives.ts";
import type { AuditEntry } from "../transaction.ts";

type Tools = { audit(entry: AuditEntry): void; hint(hint: Hint): void };

/**
 * What goes with a change of an org's tier, in its transaction: the audit line, the limits of its keys and how often its
 * contracts are read. A downgrade deletes nothing: every limit is looked up by the tier when something is added, and what
 * happened before it is kept as long as it would have been.
 */
export async function followTierChange(
  tx: Db,
  { audit, hint }: Tools,
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
