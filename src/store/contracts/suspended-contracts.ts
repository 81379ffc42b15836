import { sql } from "kysely";
import { limitFairly } from "../alerts/fair-limit.ts";
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
      last_height = case when suspended_contracts.phase in ('resuming', 'resumed') then excluded.last_height
        else least(suspended_contracts.last_height, excluded.last_height) end,
      phase = 'suspended', resume_at = excluded.resume_at, attempts = excluded.attempts, is_busy = excluded.is_busy,
      reason = excluded.reason`.execute(db);
  // All addresses of a contract catch up together.
  await sql`
    update suspended_contracts s set last_height = lowest.height
    from (select contract_id, min(last_height) as height from suspended_contracts
      where contract_id = any(${contract_ids}::uuid[]) and phase in ('suspended', 'catching_up') group by contract_id) lowest
    where s.contract_id = lowest.contract_id and s.phase in ('suspended', 'catching_up')`.execute(db);
}

/** Returns the last height that was counted of suspended contracts. */
export async function lowestHeights(db: Db, contract_ids: string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ contract_id: string; height: string }>`
    select contract_id, min(last_height) as height from suspended_contracts
    where contract_id = any(${contract_ids}::uuid[]) and phase in ('suspended', 'catching_up')
    group by contract_id`.execute(db);
  return new Map(rows.map(({ contract_id, height }) => [contract_id, Number(height)]));
}

/** Deletes what was counted after a height of series and rules that will be counted again from there. */
export async function rewindSeries(
  db: Db,
  { series_ids, rule_ids, height }: { series_ids: string[]; rule_ids: string[]; height: number },
): Promise<void> {
  await sql`
    with gone as (delete from samples where series_id = any(${series_ids}::uuid[]) and height > ${height} returning at)
    insert into samples_touched (hour) select distinct date_trunc('hour', at, 'UTC') from gone`.execute(db);
  await sql`delete from rule_states where rule_id = any(${rule_ids}::uuid[]) and height > ${height}`.execute(
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
    where chain = ${chain} and phase = 'suspended' and resume_at <= ${now} group by address order by min(resume_at) limit 20`.execute(
    db,
  );
  return rows;
}

type SuspendedRow = { contract_id: string; last_height: string; is_busy: boolean };

async function lockSuspended(db: Db, chain: string, address: string): Promise<SuspendedRow[]> {
  const { rows } = await sql<SuspendedRow>`
    select contract_id, last_height, is_busy from suspended_contracts
    where chain = ${chain} and address = ${address} and phase in ('suspended', 'catching_up')
    order by contract_id for update`.execute(db);
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
      update suspended_contracts set phase = 'suspended', resume_at = ${resume_at}, attempts = attempts + 1,
        reason = ${reason}
      where contract_id = ${contract_id} and address = ${address}`.execute(db);
    await sql`
      update contracts set status_reason = ${reason}, updated_at = ${now}
      where id = ${contract_id} and status = 'ERROR' and status_code = 'suspended'`.execute(db);
  }
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
  created_at: Date;
};

export async function listSuspended(db: Db): Promise<SuspendedContract[]> {
  const { rows } = await limitFairly(sql<SuspendedContract>`
    select c.id, c.org_id, c.chain, c.chain_id, c.label, s.address, s.reason, s.is_busy, s.last_height, s.created_at
    from suspended_contracts s join contracts c on c.id = s.contract_id and c.status = 'ERROR'
      and s.phase in ('suspended', 'catching_up')`).execute(db);
  return rows;
}
