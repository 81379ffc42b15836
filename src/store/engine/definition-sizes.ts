import { sql } from "kysely";
import type { Db } from "../open-store.ts";

/** What the engine reads of the configs and conditions of a contract, and of those of a page of contracts, at once. */
export const maxDefinitionBytes = 8 * 1024 * 1024;

/** The size of what is configured for a contract `c`. Large values are stored as they are, so that their size needs no reading. */
export const definitionBytes = sql`(
  (select coalesce(sum(pg_column_size(t.config)), 0) from targets t where t.contract_id = c.id) +
  (select coalesce(sum(pg_column_size(r.condition)), 0) from alert_rules r
    where r.org_id = c.org_id and r.contract_id = c.id))`;

/** A contract with more than `maxBytes` that the open transaction adds to. One whose targets and rules are only removed is none. */
export async function findOversized(
  tx: Db,
  maxBytes: number,
): Promise<{ label: string | null; address: string } | undefined> {
  const { rows } = await sql<{ label: string | null; address: string }>`
    select c.label, c.address from watch_versions v join contracts c on c.id = v.contract_id
    where v.changed = 0 and ${definitionBytes} > ${maxBytes} and (
      exists (select from targets t where t.contract_id = c.id and t.xmin = pg_current_xact_id()::xid) or
      exists (select from alert_rules r
        where r.org_id = c.org_id and r.contract_id = c.id and r.xmin = pg_current_xact_id()::xid))
    limit 1`.execute(tx);
  return rows[0];
}
