import { type Insertable, type Selectable, sql } from "kysely";
import type { AuditQuery } from "../../wire/orgs/audit-log.ts";
import type { PagePoint } from "../../wire/page-point.ts";
import type { Db } from "../open-store.ts";
import { jsonObject, type Parsed, rowParser } from "../parse-row.ts";
import { isAfter } from "../slice.ts";
import type { Database } from "../tables.ts";

const json = { details: jsonObject };
const parseEntry = rowParser("audit_log", json);

export type AuditRow = Parsed<Selectable<Database["audit_log"]>, typeof json>;

export async function insertAuditEntries(
  db: Db,
  entries: Insertable<Database["audit_log"]>[],
): Promise<void> {
  // PostgreSQL accepts at most 65,535 parameters per statement.
  for (let from = 0; from < entries.length; from += 1_000) {
    await db
      .insertInto("audit_log")
      .values(entries.slice(from, from + 1_000))
      .execute();
  }
}

/** Lists the audit entries of an org, newest first. */
export async function listAuditEntries(
  db: Db,
  org_id: string,
  query: Omit<AuditQuery, "cursor"> & { after?: PagePoint | undefined },
): Promise<AuditRow[]> {
  let select = db.selectFrom("audit_log").selectAll().where("org_id", "=", org_id);
  if (query.action) select = select.where("action", "=", query.action);
  if (query.from) select = select.where("created_at", ">=", new Date(query.from));
  if (query.to) select = select.where("created_at", "<=", new Date(query.to));
  if (query.after) select = select.where(isAfter(query.after, sql`created_at`, sql`id`));
  const rows = await select
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(query.limit)
    .offset(query.offset)
    .execute();
  return rows.map(parseEntry);
}
