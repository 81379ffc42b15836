import { sql } from "kysely";
import { recordWatchChanges } from "../engine/watch.ts";
import type { Db } from "../open-store.ts";

/** Contracts per transaction, so that no transaction blocks others for long. */
const batch = 1_000;

/**
 * Lists the chains with monitored contracts that no process follows. A chain that staff did not disable may belong to
 * a process that is restarting, so it counts only when no head was recorded since `before`.
 */
export async function listChainsWithoutFollower(
  db: Db,
  { enabled, off, before }: { enabled: string[]; off: string[]; before: Date },
): Promise<string[]> {
  const { rows } = await sql<{ chain: string }>`
    select distinct c.chain from contracts c
    where c.status in ('PENDING', 'MONITORING') and c.chain <> all(${enabled}::text[])
      and not exists (select 1 from chain_leases l where l.chain = c.chain and l.expires_at > now())
      and (c.chain = any(${off}::text[])
        or not exists (select 1 from chain_cursors u where u.chain = c.chain and u.head_seen_at > ${before}))`.execute(
    db,
  );
  return rows.map(({ chain }) => chain);
}

/** Lists the chains that have contracts in ERROR. */
export async function listChainsInError(db: Db): Promise<string[]> {
  const { rows } = await sql<{ chain: string }>`
    select distinct chain from contracts where status = 'ERROR'`.execute(db);
  return rows.map(({ chain }) => chain);
}

/** Sets contracts of a disabled chain to ERROR. Returns true when more may remain. */
export async function markContractsChainOff(
  db: Db,
  chain: string,
  { reason, now }: { reason: string; now: Date },
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select id from contracts where chain = ${chain} and status in ('PENDING', 'MONITORING') limit ${batch}`.execute(
    db,
  );
  const ids = rows.map(({ id }) => id);
  await recordWatchChanges(db, chain, ids);
  await sql`
    update contracts set status = 'ERROR', status_code = 'chain_disabled', status_reason = ${reason}, updated_at = ${now}
    where id = any(${ids}::uuid[]) and status in ('PENDING', 'MONITORING')`.execute(db);
  return ids.length === batch;
}

/** Restores the contracts of a chain that is enabled again. Returns true when more may remain. */
export async function markContractsChainOn(db: Db, chain: string, { now }: { now: Date }): Promise<boolean> {
  const isDisabled = sql`status = 'ERROR' and status_code = 'chain_disabled'`;
  const { rows } = await sql<{ id: string }>`
    select id from contracts where chain = ${chain} and ${isDisabled} limit ${batch}`.execute(db);
  if (rows.length === 0) return false;
  const ids = rows.map(({ id }) => id);
  await recordWatchChanges(db, chain, ids);
  await sql`
    update contracts c set status_code = null, status_reason = null, updated_at = ${now},
      status = case when exists (select 1 from targets t where t.contract_id = c.id and t.is_enabled)
        then 'MONITORING' else 'PENDING' end
    where id = any(${ids}::uuid[]) and ${isDisabled}`.execute(db);
  return ids.length === batch;
}
