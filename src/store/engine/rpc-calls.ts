import { sql } from "kysely";
import { arrayText } from "../array-text.ts";
import type { Db } from "../open-store.ts";

/** Calls of one method to one endpoint of a chain on one day (UTC). */
export type RpcCalls = { day: string; endpoint: number; host: string; method: string; calls: number };

/** Adds calls to what was counted before. */
export async function addRpcCalls(db: Db, chain: string, counted: readonly RpcCalls[]): Promise<void> {
  if (counted.length === 0) return;
  await sql`
    insert into rpc_calls (chain, day, endpoint, host, method, calls)
    select ${chain}, * from unnest(
      ${counted.map(({ day }) => day)}::date[], ${arrayText(counted.map(({ endpoint }) => endpoint))}::int[],
      ${counted.map(({ host }) => host)}::text[], ${counted.map(({ method }) => method)}::text[],
      ${arrayText(counted.map(({ calls }) => calls))}::bigint[])
    on conflict (chain, day, endpoint, host, method) do update set calls = rpc_calls.calls + excluded.calls`.execute(
    db,
  );
}

/** Counts the calls of a chain on one day. */
export async function countRpcCalls(db: Db, chain: string, day: string): Promise<number> {
  const { rows } = await sql<{ total: string }>`
    select coalesce(sum(calls), 0) as total from rpc_calls where chain = ${chain} and day = ${day}::date`.execute(
    db,
  );
  return Number(rows[0]?.total ?? 0);
}

/** Lists the calls since a day by chain, endpoint and method. */
export async function listRpcCalls(db: Db, since: string): Promise<(RpcCalls & { chain: string })[]> {
  const { rows } = await sql<RpcCalls & { chain: string; calls: string }>`
    select chain, day::text, endpoint, host, method, calls::text from rpc_calls where day >= ${since}::date
    order by chain, day, endpoint, host, method`.execute(db);
  return rows.map((row) => ({ ...row, calls: Number(row.calls) }));
}

/** Deletes the counts of days before one. */
export async function deleteRpcCallsBefore(db: Db, chain: string, day: string): Promise<void> {
  await sql`delete from rpc_calls where chain = ${chain} and day < ${day}::date`.execute(db);
}
