import { sql } from "kysely";
import type { Db } from "../open-store.ts";

/** Lists contracts with targets of which a name did not resolve, those that were changed last first. */
export async function listContractsWithUnresolvedNames(
  db: Db,
): Promise<{ id: string; org_id: string; chain: string }[]> {
  const { rows } = await sql<{ id: string; org_id: string; chain: string }>`
    select c.id, c.org_id, c.chain from contracts c where c.id in (
      select contract_id from targets where status_code in ('unresolved_names', 'unresolved_rule_names'))
    order by c.updated_at desc, c.id limit 100`.execute(db);
  return rows;
}

/** Returns whether the interface of a contract was looked for at least once. */
export async function isInspected(db: Db, contract_id: string): Promise<boolean> {
  const { rows } = await sql`select from contracts where id = ${contract_id} and inspections > 0`.execute(db);
  return rows.length > 0;
}
