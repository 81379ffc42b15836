import { sql } from "kysely";
import { recordWatchChanges } from "../engine/watch.ts";
import type { Db } from "../open-store.ts";

export type Suspension = {
  /** The address whose transactions cannot be followed. */
  address: string;
  last_height: number;
  reason: string;
  /** When the address is checked again. */
  resume_at: Date;
  attempts: number;
  is_busy: boolean;
  now: Date;
};

/** Suspends contracts: no transaction of the address after `last_height` is counted for them until they resume. */
export async function recordSuspension(
  db: Db,
  chain: string,
  contract_ids: string[],
  { address, last_height, reason, resume_at, attempts, is_busy, now }: Suspension,
): Promise<void> {
  await recordWatchChanges(db, chain, contract_ids);
  await sql`
    with suspended as (
      update contracts set status = 'ERROR', status_code = 'suspended', status_reason = ${reason}, updated_at = ${now}
      where id = any(${contract_ids}::uuid[])
        and (status = 'MONITORING' or status = 'ERROR' and status_code = 'suspended') returning id)
    insert into suspended_contracts
      (contract_id, chain, address, last_height, resume_at, attempts, is_busy, reason, created_at)
    select id, ${chain}, ${address}, ${last_height}, ${resume_at}, ${attempts}, ${is_busy}, ${reason}, ${now} from suspended
    on conflict (contract_id, address) do update set
      resume_at = excluded.resume_at, attempts = excluded.attempts, is_busy = excluded.is_busy, reason = excluded.reason`.execute(
    db,
  );
}

/** Lists the addresses that are to be checked again. */
export async function listDueSuspensions(
  db: Db,
  chain: string,
  now: Date,
): Promise<{ address: string; attempts: number }[]> {
  const { rows } = await sql<{ address: string; attempts: number }>`
    select address, max(attempts) as attempts from suspended_contracts
    where chain = ${chain} and resume_at <= ${now} group by address order by min(resume_at) limit 20`.execute(
    db,
  );
  return rows;
}

type SuspendedRow = { contract_id: string; last_height: string; is_busy: boolean };

async function lockSuspended(db: Db, chain: string, address: string): Promise<SuspendedRow[]> {
  const { rows } = await sql<SuspendedRow>`
    select contract_id, last_height, is_busy from suspended_contracts
    where chain = ${chain} and address = ${address} order by contract_id for update`.execute(db);
  return rows;
}

/** Keeps contracts suspended for longer. */
export async function postponeSuspension(
  db: Db,
  chain: string,
  address: string,
  now: Date,
  postpone: (isBusy: boolean, lastHeight: number) => { resume_at: Date; reason: string },
): Promise<void> {
  for (const { contract_id, last_height, is_busy } of await lockSuspended(db, chain, address)) {
    const { resume_at, reason } = postpone(is_busy, Number(last_height));
    await sql`
      update suspended_contracts set resume_at = ${resume_at}, attempts = attempts + 1, reason = ${reason}
      where contract_id = ${contract_id} and address = ${address}`.execute(db);
    await sql`
      update contracts set status_reason = ${reason}, updated_at = ${now}
      where id = ${contract_id} and status = 'ERROR' and status_code = 'suspended'`.execute(db);
  }
}

/** Resumes the contracts that an address had suspended and returns how many. `reason` is the new status sentence. */
export async function clearSuspension(
  db: Db,
  chain: string,
  address: string,
  now: Date,
  reason: (lastHeight: number) => string,
): Promise<number> {
  const rows = await lockSuspended(db, chain, address);
  if (rows.length === 0) return 0;
  const ids = rows.map((row) => row.contract_id);
  await recordWatchChanges(db, chain, ids);
  await sql`
    delete from suspended_contracts where address = ${address} and contract_id = any(${ids}::uuid[])`.execute(
    db,
  );
  // A contract that was paused or resumed by a person in the meantime keeps the status that they chose. One with another
  // address that cannot be followed stays suspended.
  await sql`
    update contracts c set status_code = 'resumed', status_reason = resumed.reason, updated_at = ${now},
      status = case when exists (select 1 from targets t where t.contract_id = c.id and t.is_enabled)
        then 'MONITORING' else 'PENDING' end
    from unnest(${ids}::uuid[], ${rows.map(({ last_height }) => reason(Number(last_height)))}::text[]) as resumed (id, reason)
    where c.id = resumed.id and c.status = 'ERROR' and c.status_code = 'suspended'
      and not exists (select 1 from suspended_contracts s where s.contract_id = c.id)`.execute(db);
  return rows.length;
}

export type SuspendedContract = {
  id: string;
  org_id: string;
  chain: string;
  chain_id: string;
  label: string;
  address: string;
  reason: string;
  is_busy: boolean;
  last_height: string;
};

export async function listSuspended(db: Db): Promise<SuspendedContract[]> {
  const { rows } = await sql<SuspendedContract>`
    select c.id, c.org_id, c.chain, c.chain_id, c.label, s.address, s.reason, s.is_busy, s.last_height
    from suspended_contracts s join contracts c on c.id = s.contract_id and c.status = 'ERROR'
    order by c.id, s.address limit 10000`.execute(db);
  return rows;
}
