import type { Hint } from "../lib/bus.ts";
import type { Db } from "../store/open.ts";
import { noteOrgWatchChange } from "../store/watch.ts";
import type { Tier } from "../wire/primitives.ts";
import type { AuditEntry } from "./write.ts";

type Tools = { audit(entry: AuditEntry): void; hint(hint: Hint): void };

/**
 * What goes with a change of an org's tier, in its transaction: the audit line, the limits of its keys and how often its
 * contracts are read. A downgrade deletes nothing: every limit is looked up by the tier when something is added.
 */
export async function followTierChange(
  tx: Db,
  { audit, hint }: Tools,
  org_id: string,
  change: { from: Tier; to: Tier },
): Promise<void> {
  if (change.from === change.to) return;
  audit({ org_id, action: "org.tier_changed", subject: { type: "org", id: org_id }, details: change });
  hint({ topic: "keys.changed", org_id });
  await noteOrgWatchChange(tx, org_id);
}
