import type { App } from "../../app.ts";
import { type AuditRow, listAuditEntries } from "../../store/orgs/audit-log.ts";
import type { AuditEntry, AuditQuery } from "../../wire/orgs/audit-log.ts";
import type { OrgCaller } from "../caller.ts";

/** Returns the audit log of the org, newest first. */
export async function listAudit(app: App, caller: OrgCaller, query: AuditQuery): Promise<AuditEntry[]> {
  const rows = await listAuditEntries(app.db, caller.org_id, query);
  return rows.map(toEntry);
}

function toEntry(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    action: row.action,
    actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
    subject: { type: row.subject_type, id: row.subject_id },
    details: row.details,
    request_id: row.request_id,
    ip: row.ip,
    created_at: row.created_at.toISOString(),
  };
}
