import { sql } from "kysely";
import type { Db } from "../open-store.ts";

/**
 * Deletes what an org has configured, and its memberships. Its events and deliveries expire by the retention of the Free tier;
 * its row stays, because the audit log refers to it.
 */
export async function eraseOrg(db: Db, org_id: string, now: Date): Promise<void> {
  // In the lock order of the engine: contracts, targets and rules before events.
  await db.deleteFrom("contracts").where("org_id", "=", org_id).execute();
  await sql`
    update alert_events set status = 'resolved', resolved_at = ${now}
    where org_id = ${org_id} and status in ('firing', 'acknowledged') and not is_occurrence`.execute(db);
  await sql`
    update deliveries set status = 'skipped', last_error = 'The organisation was deleted.'
    where org_id = ${org_id} and status = 'queued'`.execute(db);
  for (const table of configured) await db.deleteFrom(table).where("org_id", "=", org_id).execute();
  await db
    .updateTable("api_keys")
    .set({ is_active: false, deactivated_at: now, deactivated_by: "revoked" })
    .where("org_id", "=", org_id)
    .where("is_active", "=", true)
    .execute();
  await db
    .updateTable("invites")
    .set({ status: "revoked" })
    .where("org_id", "=", org_id)
    .where("status", "=", "pending")
    .execute();
  await db
    .updateTable("orgs")
    .set({ tier: "free", business: "{}", feature_flags: "{}", deleted_at: now })
    .where("id", "=", org_id)
    .execute();
}

const configured = [
  "channels",
  "silences",
  "policies",
  "wallet_discoveries",
  "sms_numbers",
  "email_recipients",
  "retention_overrides",
] as const;
