import { sql } from "kysely";
import type { PolicyFailure } from "../../wire/alerts/policies.ts";
import type { Db } from "../open-store.ts";
import { isEditable, isGoverned, isUnrestricted, isVisible, type Viewer } from "../viewer.ts";

/** True when the policy `p` is for the contract `c`: its selector matches, and its author may change the contract. */
const matches = sql<boolean>`(p.org_id = c.org_id and p.is_enabled and p.deleted_at is null
  and (not p.selector ? 'chains' or p.selector -> 'chains' ? c.chain)
  and (not p.selector ? 'categories' or p.selector -> 'categories' ? c.category)
  and (not p.selector ? 'contract_types' or p.selector -> 'contract_types' ? c.contract_type)
  and not exists (
    select 1 from jsonb_array_elements_text(p.selector -> 'labels') as wanted (label)
    where not exists (select 1 from contract_labels b where b.contract_id = c.id
      and lower(wanted.label) in (lower(b.value), lower(b.key || ':' || b.value))))
  and ${isGoverned})`;

/** Makes all contracts of a policy that is new, changed or deleted due. */
export async function markPolicy(db: Db, policy_id: string): Promise<void> {
  await sql`
    update policy_contracts set state = 'leaving', code = null, reason = null where policy_id = ${policy_id}`.execute(
    db,
  );
  await sql`
    insert into policy_contracts (policy_id, contract_id, org_id, state)
    select p.id, c.id, c.org_id, 'pending' from policies p join contracts c on ${matches} where p.id = ${policy_id}
    on conflict (policy_id, contract_id) do update set state = 'pending'`.execute(db);
}

/** Compares a contract that changed with all policies. What is applied stays so; what failed is tried again. */
export async function matchContract(db: Db, contract_id: string): Promise<void> {
  await sql`
    update policy_contracts k set state = 'leaving', code = null, reason = null
    where k.contract_id = ${contract_id} and not exists (
      select 1 from policies p join contracts c on ${matches} where p.id = k.policy_id and c.id = k.contract_id)`.execute(
    db,
  );
  await sql`
    insert into policy_contracts (policy_id, contract_id, org_id, state)
    select p.id, c.id, c.org_id, 'pending' from contracts c join policies p on ${matches} where c.id = ${contract_id}
    on conflict (policy_id, contract_id) do update set state = 'pending', code = null, reason = null
      where policy_contracts.state in ('failed', 'leaving')`.execute(db);
}

/** A policy on a contract that must be applied or removed. */
export type DuePolicy = { policy_id: string; state: "pending" | "leaving" };

export async function listDuePolicies(db: Db, contract_id: string): Promise<DuePolicy[]> {
  const { rows } = await sql<DuePolicy>`
    select policy_id, state from policy_contracts
    where contract_id = ${contract_id} and state in ('pending', 'leaving') order by state, policy_id`.execute(
    db,
  );
  return rows;
}

export async function recordApplied(db: Db, policy_id: string, contract_id: string): Promise<void> {
  await sql`
    update policy_contracts set state = 'applied', code = null, reason = null
    where policy_id = ${policy_id} and contract_id = ${contract_id}`.execute(db);
}

export async function recordFailure(
  db: Db,
  policy_id: string,
  contract_id: string,
  { code, reason }: Pick<PolicyFailure, "code" | "reason">,
): Promise<void> {
  await sql`
    update policy_contracts set state = 'failed', code = ${code}, reason = ${reason}
    where policy_id = ${policy_id} and contract_id = ${contract_id}`.execute(db);
}

export async function removePolicyContract(db: Db, policy_id: string, contract_id: string): Promise<void> {
  await sql`
    delete from policy_contracts where policy_id = ${policy_id} and contract_id = ${contract_id}`.execute(db);
}

/** True when the policy has a contract that the viewer may not change. */
export async function governsUneditable(db: Db, viewer: Viewer, policy_id: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from policy_contracts k join contracts c on c.id = k.contract_id
    where k.policy_id = ${policy_id} and not ${isEditable(viewer, sql`c`)} limit 1`.execute(db);
  return rows.length > 0;
}

export type ProgressRow = { policy_id: string; state: string; total: string };

/** Counts the contracts of policies that the viewer sees, by policy and state. */
export async function countProgress(db: Db, viewer: Viewer, policy_ids: string[]): Promise<ProgressRow[]> {
  const join = isUnrestricted(viewer)
    ? sql``
    : sql`join contracts c on c.id = k.contract_id and ${isVisible(viewer, sql`c`)}`;
  const { rows } = await sql<ProgressRow>`
    select k.policy_id, k.state, count(*) as total from policy_contracts k ${join}
    where k.policy_id = any(${policy_ids}::uuid[]) group by 1, 2`.execute(db);
  return rows;
}

/** Lists the first contracts of each policy that failed and that the viewer sees. */
export async function listFailures(
  db: Db,
  viewer: Viewer,
  policy_ids: string[],
  limit: number,
): Promise<(PolicyFailure & { policy_id: string })[]> {
  const { rows } = await sql<PolicyFailure & { policy_id: string }>`
    select f.* from unnest(${policy_ids}::uuid[]) as p (id) cross join lateral (
      select k.policy_id, c.id as contract_id, c.chain, c.address, c.label, k.code, k.reason
      from policy_contracts k join contracts c on c.id = k.contract_id
      where k.policy_id = p.id and k.state = 'failed' and ${isVisible(viewer, sql`c`)}
      order by c.id limit ${limit}) f`.execute(db);
  return rows;
}
