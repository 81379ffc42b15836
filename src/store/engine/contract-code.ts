import { sql } from "kysely";
import type { Db } from "../open-store.ts";

/** The implementation and beacon of a proxy; null for a contract that is not a proxy. */
export type Code = { implementation: string | null; beacon: string | null };

/** The code of a contract from a block on. */
export type CodeAt = Code & { contract_id: string; height: number };

/** Records the code of contracts: calls and events are decoded by its ABI from the next block on. */
export async function recordCode(db: Db, chain: string, codes: readonly CodeAt[]): Promise<void> {
  if (codes.length === 0) return;
  const rows = [...new Map(codes.map((code) => [`${code.contract_id} ${code.height}`, code])).values()];
  await sql`
    insert into contract_code (contract_id, chain, height, implementation, beacon)
    select u.id, ${chain}, u.height, u.implementation, u.beacon from unnest(
      ${rows.map((row) => row.contract_id)}::uuid[], ${rows.map((row) => row.height)}::bigint[],
      ${rows.map((row) => row.implementation)}::text[], ${rows.map((row) => row.beacon)}::text[])
      as u (id, height, implementation, beacon)
    where exists (select 1 from contracts c where c.id = u.id)
    on conflict (contract_id, height) do update set implementation = excluded.implementation, beacon = excluded.beacon`.execute(
    db,
  );
  await copyCodeToContracts(
    db,
    rows.filter(isProxy).map((row) => row.contract_id),
  );
}

/** Lists the recorded code of a contract, newest first. */
export async function listCode(db: Db, contract_id: string): Promise<CodeAt[]> {
  const { rows } = await sql<Code & { contract_id: string; height: string }>`
    select contract_id, height, implementation, beacon from contract_code where contract_id = ${contract_id}
    order by height desc limit 100`.execute(db);
  return rows.map((row) => ({ ...row, height: Number(row.height) }));
}

/** Deletes code of blocks above a height and restores the code before. */
export async function deleteCodeAbove(db: Db, chain: string, height: number): Promise<void> {
  const { rows } = await sql<Code & { contract_id: string }>`
    delete from contract_code where chain = ${chain} and height > ${height}
    returning contract_id, implementation, beacon`.execute(db);
  await copyCodeToContracts(
    db,
    rows.filter(isProxy).map((row) => row.contract_id),
  );
}

/** Returns the code at a height of the contracts whose code changed above it; undefined where it was unknown. */
export async function listCodeBefore(
  db: Db,
  chain: string,
  height: number,
): Promise<{ contract_id: string; code: Code | undefined }[]> {
  const { rows } = await sql<{ contract_id: string; code: Code | null }>`
    select k.contract_id, (
      select jsonb_build_object('implementation', b.implementation, 'beacon', b.beacon) from contract_code b
      where b.contract_id = k.contract_id and b.height <= ${height} order by b.height desc limit 1) as code
    from (select distinct contract_id from contract_code where chain = ${chain} and height > ${height}) k`.execute(
    db,
  );
  return rows.map((row) => ({ contract_id: row.contract_id, code: row.code ?? undefined }));
}

/** Deletes rows that a newer row replaced, both at or below a height that cannot be rolled back. */
export async function compactCode(db: Db, chain: string, height: number): Promise<void> {
  await sql`
    delete from contract_code old using contract_code newer
    where old.chain = ${chain} and old.height < newer.height and newer.height <= ${height}
      and newer.contract_id = old.contract_id`.execute(db);
}

/** Copies the newest recorded code to the contracts. A contract without recorded code keeps its columns. */
async function copyCodeToContracts(db: Db, contract_ids: string[]): Promise<void> {
  if (contract_ids.length === 0) return;
  await sql`
    update contracts c set is_proxy = k.contract_id is not null, implementation_address = k.implementation
    from unnest(${contract_ids}::uuid[]) as shown (id) left join lateral (
      select contract_id, implementation from contract_code where contract_id = shown.id
      order by height desc limit 1) k on true
    where c.id = shown.id`.execute(db);
}

function isProxy({ implementation, beacon }: Code): boolean {
  return implementation !== null || beacon !== null;
}
