import { sql } from "kysely";
import { recordWatchChanges } from "../engine/watch.ts";
import type { Db } from "../open-store.ts";

/** Notes that contracts are no longer followed after a height, which ends their monitoring. */
export async function recordSuspension(
  db: Db,
  chain: string,
  contract_ids: string[],
  note: { since: number; reason: string; again_at: Date; now: Date },
): Promise<void> {
  await recordWatchChanges(db, chain, contract_ids);
  await sql`
    with stopped as (
      update contracts set status = 'ERROR', status_reason = ${note.reason}, updated_at = ${note.now}
      where id = any(${contract_ids}::uuid[]) and status = 'MONITORING' returning id)
    insert into unfollowed_contracts (contract_id, chain, since, again_at, created_at)
    select id, ${chain}, ${note.since}, ${note.again_at}, ${note.now} from stopped
    on conflict (contract_id) do update set
      since = excluded.since, again_at = excluded.again_at, created_at = excluded.created_at`.execute(db);
}

/** Has contracts whose time has come followed again from a height on; `reason` says so. Returns how many there were. */
export async function clearSuspension(
  db: Db,
  chain: string,
  now: Date,
  reason: (since: number) => string,
): Promise<number> {
  const { rows } = await sql<{ contract_id: string; since: string }>`
    select contract_id, since from unfollowed_contracts where chain = ${chain} and again_at <= ${now}
    order by contract_id limit 1000`.execute(db);
  if (rows.length === 0) return 0;
  const ids = rows.map((row) => row.contract_id);
  await recordWatchChanges(db, chain, ids);
  // Whoever paused or resumed it meanwhile has decided what becomes of it.
  await sql`
    update contracts c set status_reason = again.reason, updated_at = ${now},
      status = case when exists (select 1 from targets t where t.contract_id = c.id and t.is_enabled)
        then 'MONITORING' else 'PENDING' end
    from unnest(${ids}::uuid[], ${rows.map(({ since }) => reason(Number(since)))}::text[]) as again (id, reason)
    where c.id = again.id and c.status = 'ERROR'`.execute(db);
  await sql`delete from unfollowed_contracts where contract_id = any(${ids}::uuid[])`.execute(db);
  return rows.length;
}

export type SuspendedContract = {
  id: string;
  org_id: string;
  chain: string;
  chain_id: string;
  label: string;
  status_reason: string | null;
  since: string;
};

export async function listSuspended(db: Db): Promise<SuspendedContract[]> {
  const { rows } = await sql<SuspendedContract>`
    select c.id, c.org_id, c.chain, c.chain_id, c.label, c.status_reason, u.since
    from unfollowed_contracts u join contracts c on c.id = u.contract_id and c.status = 'ERROR'
    order by c.id limit 10000`.execute(db);
  return rows;
}
