import { sql } from "kysely";
import { recordWatchChanges } from "../engine/watch.ts";
import type { Db } from "../open-store.ts";

/** Suspends contracts: nothing after `last_height` is monitored until they resume. */
export async function recordSuspension(
  db: Db,
  chain: string,
  contract_ids: string[],
  suspension: { last_height: number; reason: string; resume_at: Date; now: Date },
): Promise<void> {
  await recordWatchChanges(db, chain, contract_ids);
  await sql`
    with suspended as (
      update contracts set status = 'ERROR', status_code = 'suspended', status_reason = ${suspension.reason},
        updated_at = ${suspension.now}
      where id = any(${contract_ids}::uuid[]) and status = 'MONITORING' returning id)
    insert into suspended_contracts (contract_id, chain, last_height, resume_at, created_at)
    select id, ${chain}, ${suspension.last_height}, ${suspension.resume_at}, ${suspension.now} from suspended
    on conflict (contract_id) do update set
      last_height = excluded.last_height, resume_at = excluded.resume_at, created_at = excluded.created_at`.execute(
    db,
  );
}

/** Resumes the contracts whose suspension has ended and returns how many. `reason` is the new status sentence. */
export async function clearSuspension(
  db: Db,
  chain: string,
  now: Date,
  reason: (lastHeight: number) => string,
): Promise<number> {
  const { rows } = await sql<{ contract_id: string; last_height: string }>`
    select contract_id, last_height from suspended_contracts where chain = ${chain} and resume_at <= ${now}
    order by contract_id limit 1000`.execute(db);
  if (rows.length === 0) return 0;
  const ids = rows.map((row) => row.contract_id);
  await recordWatchChanges(db, chain, ids);
  // A contract that was paused or resumed by a person in the meantime keeps the status that they chose.
  await sql`
    update contracts c set status_code = 'resumed', status_reason = resumed.reason, updated_at = ${now},
      status = case when exists (select 1 from targets t where t.contract_id = c.id and t.is_enabled)
        then 'MONITORING' else 'PENDING' end
    from unnest(${ids}::uuid[], ${rows.map(({ last_height }) => reason(Number(last_height)))}::text[]) as resumed (id, reason)
    where c.id = resumed.id and c.status = 'ERROR'`.execute(db);
  await sql`delete from suspended_contracts where contract_id = any(${ids}::uuid[])`.execute(db);
  return rows.length;
}

export type SuspendedContract = {
  id: string;
  org_id: string;
  chain: string;
  chain_id: string;
  label: string;
  status_reason: string | null;
  last_height: string;
};

export async function listSuspended(db: Db): Promise<SuspendedContract[]> {
  const { rows } = await sql<SuspendedContract>`
    select c.id, c.org_id, c.chain, c.chain_id, c.label, c.status_reason, s.last_height
    from suspended_contracts s join contracts c on c.id = s.contract_id and c.status = 'ERROR'
    order by c.id limit 10000`.execute(db);
  return rows;
}
