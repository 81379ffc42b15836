import { type Insertable, type Selectable, sql } from "kysely";
import { PolicyRule, PolicySelector, PolicyTarget } from "../../wire/alerts/policies.ts";
import type { Db } from "../open-store.ts";
import { type Parsed, rowParser } from "../parse-row.ts";
import type { Database } from "../tables.ts";

const json = { selector: PolicySelector, target: PolicyTarget, rule: PolicyRule };
const parsePolicy = rowParser("policies", json);

export type PolicyRow = Parsed<Selectable<Database["policies"]>, typeof json>;

type Definition = Partial<Pick<PolicyRow, "selector" | "target" | "rule">>;

/** Lists the policies of an org, by name. */
export async function listPolicies(db: Db, org_id: string): Promise<PolicyRow[]> {
  const rows = await selectPolicies(db, org_id).orderBy("name").execute();
  return rows.map(parsePolicy);
}

export async function findPolicy(db: Db, org_id: string, policy_id: string): Promise<PolicyRow | undefined> {
  const row = await selectPolicies(db, org_id).where("id", "=", policy_id).executeTakeFirst();
  return row && parsePolicy(row);
}

/** Lists policies by id, including those that are deleted and not removed yet. */
export async function listPoliciesById(db: Db, org_id: string, ids: string[]): Promise<PolicyRow[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("policies")
    .selectAll()
    .where("org_id", "=", org_id)
    .where("id", "in", ids)
    .execute();
  return rows.map(parsePolicy);
}

function selectPolicies(db: Db, org_id: string) {
  return db.selectFrom("policies").selectAll().where("org_id", "=", org_id).where("deleted_at", "is", null);
}

export async function insertPolicy(
  db: Db,
  {
    selector,
    target,
    rule,
    ...plain
  }: Omit<Insertable<Database["policies"]>, keyof Definition> & Required<Definition>,
): Promise<void> {
  await db
    .insertInto("policies")
    .values({
      ...plain,
      selector: JSON.stringify(selector),
      target: JSON.stringify(target),
      rule: JSON.stringify(rule),
    })
    .execute();
}

export async function updatePolicy(
  db: Db,
  org_id: string,
  policy_id: string,
  {
    selector,
    target,
    rule,
    ...plain
  }: Definition &
    Partial<
      Pick<
        PolicyRow,
        "name" | "is_enabled" | "changed_by" | "is_changed_by_admin" | "deleted_at" | "updated_at"
      >
    >,
): Promise<void> {
  await db
    .updateTable("policies")
    .set({ ...plain, ...toJson({ selector, target, rule }) })
    .where("org_id", "=", org_id)
    .where("id", "=", policy_id)
    .execute();
}

type Given = { [Field in keyof Definition]: Definition[Field] | undefined };

function toJson(definition: Given): { selector?: string; target?: string; rule?: string } {
  const given = Object.entries(definition).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([field, value]) => [field, JSON.stringify(value)]));
}

/** Counts what was done to the rules of a policy since the last entry in the audit log. */
export async function countWork(
  db: Db,
  policy_id: string,
  did: "rules_added" | "rules_updated" | "rules_removed",
): Promise<void> {
  await db
    .updateTable("policies")
    .set({ [did]: sql`${sql.ref(did)} + 1` })
    .where("id", "=", policy_id)
    .execute();
}

type PolicyWork = { id: string; name: string; added: number; updated: number; removed: number };

/** Returns what was done to the rules of an org's policies, and starts to count again. */
export async function resetWork(db: Db, org_id: string): Promise<PolicyWork[]> {
  const { rows } = await sql<PolicyWork>`
    update policies p set rules_added = 0, rules_updated = 0, rules_removed = 0
    from (select * from policies
      where org_id = ${org_id} and rules_added + rules_updated + rules_removed > 0) o
    where p.id = o.id
    returning o.id, o.name, o.rules_added as added, o.rules_updated as updated, o.rules_removed as removed`.execute(
    db,
  );
  return rows;
}

/** Removes the rows of deleted policies that have no contract left. */
export async function removeDeleted(db: Db, org_id?: string): Promise<void> {
  await sql`
    delete from policies p where p.deleted_at is not null and (${org_id ?? null}::uuid is null or p.org_id = ${org_id ?? null})
      and not exists (select 1 from policy_contracts k where k.policy_id = p.id)
      and not exists (select 1 from alert_rules r where r.policy_id = p.id)`.execute(db);
}
