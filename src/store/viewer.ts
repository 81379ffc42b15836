import { type RawBuilder, sql } from "kysely";
import type { Db } from "./open.ts";

/** Whose eyes a query looks through: an org, and within it a person who may not see everything. */
export type Viewer = {
  org_id: string;
  /** Null sees every contract of the org, as admins do. */
  user_id: string | null;
};

/** True for the contracts that a viewer sees: a restricted one only with a grant. */
export function isVisible(viewer: Viewer, contract: RawBuilder<unknown>): RawBuilder<boolean> {
  const inOrg = sql<boolean>`${contract}.org_id = ${viewer.org_id}`;
  if (viewer.user_id === null) return inOrg;
  return sql<boolean>`(${inOrg} and (
    not ${contract}.is_restricted
    or exists (select 1 from contract_grants g where g.contract_id = ${contract}.id and g.user_id = ${viewer.user_id})))`;
}

/** The things in paths that belong to a contract. */
export type Resource = "contract" | "target" | "rule" | "event";

const contractOf: Record<Resource, RawBuilder<unknown>> = {
  contract: sql`select id from contracts where id = `,
  target: sql`select contract_id from targets where id = `,
  rule: sql`select contract_id from alert_rules where id = `,
  event: sql`select contract_id from alert_events where held_for is null and id = `,
};

/** The contract behind an id, if the viewer sees it, and whether they may change it. */
export async function findAccess(
  db: Db,
  viewer: Viewer,
  resource: Resource,
  id: string,
): Promise<{ contract_id: string; chain: string; isEditable: boolean } | undefined> {
  const { rows } = await sql<{ contract_id: string; chain: string; is_editable: boolean }>`
    select c.id as contract_id, c.chain, (
      ${viewer.user_id === null} or not c.is_restricted
      or exists (
        select 1 from contract_grants g
        where g.contract_id = c.id and g.user_id = ${viewer.user_id} and g.role = 'editor')) as is_editable
    from contracts c
    where c.id = (${contractOf[resource]} ${id}) and ${isVisible(viewer, sql`c`)}`.execute(db);
  const row = rows[0];
  return row && { contract_id: row.contract_id, chain: row.chain, isEditable: row.is_editable };
}
