import { sql } from "kysely";
import type { Tier } from "../../wire/primitives.ts";
import type { Db } from "../open-store.ts";

/** Lists orgs with contracts that changed, or on which a policy must be applied or removed. */
export async function listOrgsWithPolicyWork(db: Db): Promise<string[]> {
  const { rows } = await sql<{ org_id: string }>`
    select org_id from policy_marks union
    select org_id from policy_contracts where state in ('pending', 'leaving') order by 1`.execute(db);
  return rows.map(({ org_id }) => org_id);
}

/**
 * Locks an org for the work on its policies; undefined while another process has the lock, which then does the work. The lock
 * ends with its transaction, also when the process is killed.
 */
export async function claimOrg(db: Db, org_id: string): Promise<{ tier: Tier } | undefined> {
  const { rows } = await sql<{ tier: Tier }>`
    select tier from orgs where id = ${org_id} for no key update skip locked`.execute(db);
  return rows[0];
}

/** Deletes the marks of an org without policies. Its lock must be held: a policy that is being created sees the changes. */
export async function dropNeedlessMarks(db: Db, org_id: string): Promise<void> {
  await sql`
    delete from policy_marks where org_id = ${org_id}
      and not exists (select 1 from policies p where p.org_id = ${org_id})`.execute(db);
}

/**
 * Returns the next contract of an org with work, and whether it was changed. Its marks are deleted. The lock of the org must be
 * held.
 */
export async function dequeueContract(
  db: Db,
  org_id: string,
): Promise<{ contract_id: string; isChanged: boolean } | undefined> {
  const { rows: marked } = await sql<{ contract_id: string }>`
    delete from policy_marks where org_id = ${org_id} and contract_id = (
      select contract_id from policy_marks where org_id = ${org_id} order by id limit 1)
    returning contract_id`.execute(db);
  if (marked[0]) return { contract_id: marked[0].contract_id, isChanged: true };
  const { rows: due } = await sql<{ contract_id: string }>`
    select contract_id from policy_contracts where org_id = ${org_id} and state in ('pending', 'leaving')
    order by contract_id limit 1`.execute(db);
  return due[0] && { contract_id: due[0].contract_id, isChanged: false };
}

/** True while contracts of the org are due or changed. */
export async function hasPolicyWork(db: Db, org_id: string): Promise<boolean> {
  const { rows } = await sql`
    (select 1 from policy_marks where org_id = ${org_id} limit 1) union all
    (select 1 from policy_contracts where org_id = ${org_id} and state in ('pending', 'leaving') limit 1)`.execute(
    db,
  );
  return rows.length > 0;
}

/** Lists orgs with contracts that failed because of a quota, with their tier and number of rules. */
export async function listOrgsOverQuota(db: Db): Promise<{ org_id: string; tier: Tier; rules: string }[]> {
  const { rows } = await sql<{ org_id: string; tier: Tier; rules: string }>`
    select o.id as org_id, o.tier, (select count(*) from alert_rules r where r.org_id = o.id) as rules
    from orgs o where o.id in (select org_id from policy_contracts
      where state = 'failed' and code in ('rule_quota_exceeded', 'target_quota_exceeded'))`.execute(db);
  return rows;
}

/** Makes contracts due again that failed because of a quota and now fit. Returns how many. */
export async function retryOverQuota(
  db: Db,
  org_id: string,
  { rules, targetsPerContract }: { rules: number; targetsPerContract: number },
): Promise<number> {
  const { rows } = await sql`
    update policy_contracts set state = 'pending', code = null, reason = null
    where (policy_id, contract_id) in (
      (select policy_id, contract_id from policy_contracts
        where org_id = ${org_id} and state = 'failed' and code = 'rule_quota_exceeded'
        order by policy_id, contract_id limit ${rules})
      union all
      (select policy_id, contract_id from policy_contracts k
        where org_id = ${org_id} and state = 'failed' and code = 'target_quota_exceeded'
          and (select count(*) from targets t where t.contract_id = k.contract_id) < ${targetsPerContract}
        limit ${maxRetried}))
    returning 1`.execute(db);
  return rows.length;
}

/** The most contracts that are made due at once. */
export const maxRetried = 5_000;
