import { sql } from "kysely";
import type { Db } from "../open-store.ts";

/** How far a chain was followed. */
export type Cursor = { height: number; hash: string; time: number };

export type ChainProgress = Cursor & {
  chain: string;
  head_height: number | null;
  head_seen_at: Date | null;
  degraded_reason: string | null;
  last_error: string | null;
};

export async function findCursor(db: Db, chain: string): Promise<Cursor | undefined> {
  const row = await db.selectFrom("chain_cursors").selectAll().where("chain", "=", chain).executeTakeFirst();
  return row && { height: Number(row.height), hash: row.hash, time: seconds(row.block_time) };
}

export async function listProgress(db: Db): Promise<ChainProgress[]> {
  const rows = await db.selectFrom("chain_cursors").selectAll().execute();
  return rows.map((row) => ({
    chain: row.chain,
    height: Number(row.height),
    hash: row.hash,
    time: seconds(row.block_time),
    head_height: row.head_height === null ? null : Number(row.head_height),
    head_seen_at: row.head_seen_at,
    degraded_reason: row.degraded_reason,
    last_error: row.last_error,
  }));
}

/** Moves the cursor, if the lease with this fence is still ours; false means that another process follows the chain now. */
export async function moveCursor(
  db: Db,
  chain: string,
  cursor: Cursor,
  lease: { fence: number },
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into chain_cursors (chain, height, hash, block_time, updated_at)
    select ${chain}, ${cursor.height}, ${cursor.hash}, ${date(cursor.time)}, ${now}
    from chain_leases where chain = ${chain} and fence = ${lease.fence} for share
    on conflict (chain) do update set
      height = excluded.height, hash = excluded.hash, block_time = excluded.block_time, updated_at = excluded.updated_at
    returning chain`.execute(db);
  return rows.length === 1;
}

/** Notes up to where the chain will not change any more, which says how final its alerts are. */
export async function recordFinality(
  db: Db,
  chain: string,
  { safe, finalized }: { safe: number; finalized: number },
): Promise<void> {
  await db
    .updateTable("chain_cursors")
    .set({ safe_height: String(safe), finalized_height: String(finalized) })
    .where("chain", "=", chain)
    .execute();
}

/** Notes what the chain's nodes say, for people to see; not part of what the engine relies on. */
export async function recordHead(
  db: Db,
  chain: string,
  note: {
    head_height?: number;
    head_seen_at?: Date;
    last_error?: string | null;
    degraded_reason?: string | null;
  },
): Promise<void> {
  const { head_height, degraded_reason, ...rest } = note;
  // Whoever was told of one thing has to be told of the next; the same found again is no news.
  const isNotified = sql<Date | null>`case when degraded_reason = ${degraded_reason ?? ""} then degraded_notified_at end`;
  await db
    .updateTable("chain_cursors")
    .set({
      ...rest,
      ...(head_height !== undefined && { head_height: String(head_height) }),
      ...(degraded_reason !== undefined && { degraded_reason, degraded_notified_at: isNotified }),
    })
    .where("chain", "=", chain)
    .execute();
}

/**
 * Takes or renews the right to follow a chain. By the database's clock, so that two machines whose clocks differ
 * cannot both believe they have it; the fence grows with each new holder.
 */
export async function acquireLease(
  db: Db,
  chain: string,
  holder: string,
  seconds: number,
): Promise<{ fence: number } | undefined> {
  const { rows } = await sql<{ fence: string }>`
    insert into chain_leases as l (chain, holder, fence, expires_at)
    values (${chain}, ${holder}, 1, clock_timestamp() + make_interval(secs => ${seconds}))
    on conflict (chain) do update set
      fence = case when l.holder = excluded.holder then l.fence else l.fence + 1 end,
      holder = excluded.holder,
      expires_at = excluded.expires_at
    where l.holder = excluded.holder or l.expires_at < clock_timestamp()
    returning fence`.execute(db);
  return rows[0] && { fence: Number(rows[0].fence) };
}

/** Gives the lease back, so that the next process need not wait for it to run out. */
export async function releaseLease(db: Db, chain: string, holder: string): Promise<void> {
  await sql`update chain_leases set expires_at = '-infinity' where chain = ${chain} and holder = ${holder}`.execute(
    db,
  );
}

function seconds(time: Date): number {
  return Math.round(time.getTime() / 1000);
}

function date(time: number): Date {
  return new Date(time * 1000);
}
