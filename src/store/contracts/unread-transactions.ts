import { sql } from "kysely";
import { limitFairly } from "../alerts/fair-limit.ts";
import { arrayText } from "../array-text.ts";
import type { Db } from "../open-store.ts";

/** A transaction of which a generation of a target could not read everything, and what is missing. */
export type Unread = { generation: number; height: number; problem: string };

/** Records the newest transaction that could not be read completely, by target. */
export async function recordUnread(db: Db, unread: ReadonlyMap<string, Unread>, now: Date): Promise<void> {
  if (unread.size === 0) return;
  const all = [...unread.values()];
  await sql`
    update targets t set unread_height = u.height, unread_at = ${now}, unread_problem = u.problem
    from unnest(${arrayText([...unread.keys()])}::uuid[], ${arrayText(all.map(({ generation }) => generation))}::int[],
      ${arrayText(all.map(({ height }) => height))}::bigint[], ${all.map(({ problem }) => problem)}::text[])
      as u (id, generation, height, problem)
    where t.id = u.id and t.generation = u.generation`.execute(db);
}

/** Forgets transactions of blocks that were rolled back. */
export async function deleteUnreadAbove(db: Db, chain: string, height: number): Promise<void> {
  await sql`
    update targets t set unread_height = null, unread_at = null, unread_problem = null
    from contracts c
    where t.unread_at is not null and t.unread_height > ${height} and c.id = t.contract_id and c.chain = ${chain}`.execute(
    db,
  );
}

/** Forgets transactions that were found before a time. */
export async function deleteUnreadBefore(db: Db, before: Date): Promise<void> {
  await sql`
    update targets set unread_height = null, unread_at = null, unread_problem = null where unread_at <= ${before}`.execute(
    db,
  );
}

export type UnreadTarget = {
  id: string;
  org_id: string;
  contract_id: string;
  chain: string;
  chain_id: string;
  label: string;
  name: string;
  target_type: string;
  problem: string;
};

/** Lists targets of which a transaction that was found since a time could not be read completely. */
export async function listUnread(db: Db, since: Date): Promise<UnreadTarget[]> {
  const { rows } = await limitFairly(sql<UnreadTarget>`
    select t.id, t.org_id, t.contract_id, c.chain, c.chain_id, c.label, t.name, t.target_type, t.unread_problem as problem
    from targets t join contracts c on c.id = t.contract_id
    where t.is_enabled and t.unread_at > ${since}`).execute(db);
  return rows;
}
