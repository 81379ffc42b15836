import { sql } from "kysely";
import type { Db } from "../open-store.ts";
import { orgViewer } from "../viewer.ts";
import { findRule, type RuleRow } from "./rules.ts";

/** Finds the rule that a policy has on a contract. */
export async function findPolicyRule(
  db: Db,
  org_id: string,
  policy_id: string,
  contract_id: string,
): Promise<RuleRow | undefined> {
  const row = await db
    .selectFrom("alert_rules")
    .select("id")
    .where("org_id", "=", org_id)
    .where("policy_id", "=", policy_id)
    .where("contract_id", "=", contract_id)
    .executeTakeFirst();
  return row && findRule(db, orgViewer(org_id), row.id);
}

/** Returns the names of the policies with a rule on a target. */
export async function listPoliciesOn(db: Db, target_id: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct p.name from alert_rules r join policies p on p.id = r.policy_id
    where r.target_id = ${target_id} order by 1`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * Assigns a target to a policy that has a rule on it, or if only other rules are on it, to nobody. Returns false if there is no
 * rule on it.
 */
export async function reassignTarget(db: Db, org_id: string, target_id: string): Promise<boolean> {
  const { rows } = await sql`
    update targets t set policy_id = (
      select r.policy_id from alert_rules r where r.target_id = t.id order by r.policy_id limit 1)
    where t.org_id = ${org_id} and t.id = ${target_id}
      and exists (select 1 from alert_rules r where r.target_id = t.id)
    returning 1`.execute(db);
  return rows.length > 0;
}

/** Makes a target that a policy manages an ordinary one. */
export async function adoptTarget(db: Db, org_id: string, target_id: string): Promise<void> {
  await sql`
    update targets set policy_id = null where org_id = ${org_id} and id = ${target_id}`.execute(db);
}
