import type { App } from "../../app.ts";
import { type AuditRow, listAuditEntries } from "../../store/orgs/audit-log.ts";
import type { AuditEntry, AuditQuery } from "../../wire/orgs/audit-log.ts";
import { fromCursor } from "../../wire/page-point.ts";
import type { Page } from "../../wire/paging.ts";
import type { OrgCaller } from "../caller.ts";
import { byCreation, toPage } from "../page.ts";

/** Returns the audit log of the org, newest first. */
export async function listAudit(
  app: App,
  caller: OrgCaller,
  { cursor, ...query }: AuditQuery,
): Promise<Page<AuditEntry>> {
  const filter = { ...query, limit: query.limit + 1, ...(cursor && { after: fromCursor(cursor) }) };
  const page = toPage(await listAuditEntries(app.db, caller.org_id, filter), query.limit, byCreation);
  return { ...page, items: page.items.map(toEntry) };
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
