import { sql } from "kysely";
import { recordWatchChanges } from "../engine/watch.ts";
import type { Db } from "../open-store.ts";

/** Contracts that count what they missed, from the same height on. */
export type CatchUpGroup = {
  last_height: number;
  contract_ids: string[];
  addresses: string[];
  attempts: number;
};

/** Lets the contracts of an address catch up. Those that a person paused or resumed in the meantime keep their status. */
export async function beginCatchUp(
  db: Db,
  { chain, address, reason, now }: { chain: string; address: string; reason: string; now: Date },
): Promise<void> {
  await sql`
    delete from suspended_contracts s using contracts c
    where c.id = s.contract_id and s.chain = ${chain} and s.address = ${address} and s.phase = 'suspended'
      and not (c.status = 'ERROR' and c.status_code = 'suspended')`.execute(db);
  await sql`
    with ready as (
      update suspended_contracts set phase = 'catching_up', reason = ${reason}
      where chain = ${chain} and address = ${address} and phase = 'suspended' returning contract_id)
    update contracts set status_reason = ${reason}, updated_at = ${now}
    where id in (select contract_id from ready)`.execute(db);
}

/** Lists the contracts that catch up, of which no address is suspended any more. */
export async function listCatchUps(db: Db, chain: string): Promise<CatchUpGroup[]> {
  const { rows } = await sql<Omit<CatchUpGroup, "last_height"> & { last_height: string }>`
    with ready as (
      select s.contract_id, min(s.last_height) as last_height, array_agg(s.address) as addresses,
        max(s.attempts) as attempts
      from suspended_contracts s join contracts c on c.id = s.contract_id
      where s.chain = ${chain} and s.phase in ('suspended', 'catching_up')
        and c.status = 'ERROR' and c.status_code = 'suspended'
      group by s.contract_id having bool_and(s.phase = 'catching_up'))
    select last_height, array_agg(distinct r.contract_id) as contract_ids, array_agg(distinct a.address) as addresses,
      max(r.attempts) as attempts
    from ready r cross join lateral unnest(r.addresses) as a (address)
    group by last_height order by last_height`.execute(db);
  return rows.map((row) => ({ ...row, last_height: Number(row.last_height) }));
}

/** Records up to which height contracts have caught up. Returns false if one of them was changed in the meantime. */
export async function advanceCatchUp(
  db: Db,
  contract_ids: string[],
  { from, to, reason, now }: { from: number; to: number; reason: string; now: Date },
): Promise<boolean> {
  const { rows } = await sql<{ contract_id: string }>`
    update suspended_contracts set last_height = ${to}, reason = ${reason}
    where contract_id = any(${contract_ids}::uuid[]) and phase = 'catching_up' and last_height = ${from}
    returning contract_id`.execute(db);
  await sql`
    update contracts set status_reason = ${reason}, updated_at = ${now}
    where id = any(${contract_ids}::uuid[]) and status = 'ERROR' and status_code = 'suspended'`.execute(db);
  return new Set(rows.map(({ contract_id }) => contract_id)).size === contract_ids.length;
}

/** Adds a sentence about what will not be counted. */
export async function addNotCounted(db: Db, contract_ids: string[], sentence: string): Promise<void> {
  await sql`
    update suspended_contracts set not_counted = left(concat(not_counted, ' ', ${sentence}::text), 2000)
    where contract_id = any(${contract_ids}::uuid[]) and phase = 'catching_up'`.execute(db);
}

/** Has contracts followed together with the others again, from the height after `last_height` on. */
export async function endCatchUp(
  db: Db,
  { chain, contract_ids, reason, now }: { chain: string; contract_ids: string[]; reason: string; now: Date },
): Promise<void> {
  await recordWatchChanges(db, chain, contract_ids);
  await sql`
    update contracts c set status_code = 'resumed', updated_at = ${now},
      status_reason = concat(${reason}::text, (
        select max(not_counted) from suspended_contracts s where s.contract_id = c.id and s.phase = 'catching_up')),
      status = case when exists (select 1 from targets t where t.contract_id = c.id and t.is_enabled)
        then 'MONITORING' else 'PENDING' end
    where c.id = any(${contract_ids}::uuid[]) and c.status = 'ERROR' and c.status_code = 'suspended'`.execute(
    db,
  );
  await sql`
    update suspended_contracts set phase = 'resuming', not_counted = ''
    where contract_id = any(${contract_ids}::uuid[]) and phase = 'catching_up'`.execute(db);
}

/**
 * Adapts suspensions to a rollback. What was counted above the height was deleted: contracts that resumed above it have to
 * catch up again. Those that resumed at or below it are read again together with all others, which completes them.
 */
export async function rollBackSuspensions(db: Db, chain: string, to: number): Promise<void> {
  await sql`
    update suspended_contracts set last_height = ${to}
    where chain = ${chain} and phase in ('suspended', 'catching_up') and last_height > ${to}`.execute(db);
  const { rows } = await sql<{ contract_id: string; phase: string }>`
    update suspended_contracts set last_height = least(last_height, ${to}),
      phase = case when last_height > ${to} then 'catching_up' else 'resumed' end
    where chain = ${chain} and (phase = 'resuming' or phase = 'resumed' and last_height > ${to})
    returning contract_id, phase`.execute(db);
  if (rows.length === 0) return;
  await recordWatchChanges(db, chain, [...new Set(rows.map(({ contract_id }) => contract_id))]);
  const again = rows.filter(({ phase }) => phase === "catching_up").map(({ contract_id }) => contract_id);
  await sql`
    update contracts set status = 'ERROR', status_code = 'suspended'
    where id = any(${again}::uuid[]) and status = 'MONITORING'`.execute(db);
}

/** Deletes the suspensions that no rollback can reach any more, and those of contracts whose status a person changed. */
export async function deleteOldSuspensions(db: Db, chain: string, oldest: number): Promise<void> {
  await sql`
    delete from suspended_contracts s using contracts c
    where c.id = s.contract_id and s.chain = ${chain} and (s.phase = 'resumed' and s.last_height < ${oldest}
      or s.phase = 'catching_up' and not (c.status = 'ERROR' and c.status_code = 'suspended'))`.execute(db);
}
