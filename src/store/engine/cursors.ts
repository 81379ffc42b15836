import { sql } from "kysely";
import { z } from "zod";
import type { Db } from "../open-store.ts";
import { rowParser } from "../parse-row.ts";

/** The last committed block of a chain. */
export type Cursor = { height: number; hash: string; time: number };

export type ChainProgress = Cursor & {
  chain: string;
  head_height: number | null;
  head_seen_at: Date | null;
  degraded_reason: string | null;
  last_error: string | null;
  /** When the cursor last moved. */
  moved_at: Date;
  reading: ChainReading | null;
};

/** What the steps of a chain read, how often it is polled, and the calls a day that this costs. */
export type ChainReading = z.infer<typeof readingShape>;

const readingShape = z.object({
  plan: z.enum(["nothing", "state", "logs", "blocks"]),
  poll_seconds: z.number(),
  calls_per_day: z.number(),
  is_slowed: z.boolean(),
});
const parseCursor = rowParser("chain_cursors", { reading: readingShape.nullable() });

export async function findCursor(db: Db, chain: string): Promise<Cursor | undefined> {
  const row = await db.selectFrom("chain_cursors").selectAll().where("chain", "=", chain).executeTakeFirst();
  return row && { height: Number(row.height), hash: row.hash, time: seconds(row.block_time) };
}

/** Returns the time of the newest processed block of all chains, of those that are not after a time. */
export async function newestBlockTime(db: Db, notAfter: Date): Promise<number | undefined> {
  const row = await db
    .selectFrom("chain_cursors")
    .select(({ fn }) => fn.max("block_time").as("time"))
    .where("block_time", "<=", notAfter)
    .executeTakeFirst();
  return row?.time ? seconds(row.time) : undefined;
}

export async function listProgress(db: Db): Promise<ChainProgress[]> {
  const rows = await db.selectFrom("chain_cursors").selectAll().execute();
  return rows.map(parseCursor).map((row) => ({
    chain: row.chain,
    reading: row.reading,
    height: Number(row.height),
    hash: row.hash,
    time: seconds(row.block_time),
    head_height: row.head_height === null ? null : Number(row.head_height),
    head_seen_at: row.head_seen_at,
    degraded_reason: row.degraded_reason,
    last_error: row.last_error,
    moved_at: row.updated_at,
  }));
}

/** Lists why chains without a cursor could not be read so far. */
export async function listFirstErrors(db: Db): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom("chain_leases")
    .select(["chain", "last_error"])
    .where("last_error", "is not", null)
    .execute();
  return new Map(rows.map(({ chain, last_error }) => [chain, last_error ?? ""]));
}

/** Records why a chain cannot be read, also when it has no cursor yet. */
export async function recordError(db: Db, chain: string, last_error: string): Promise<void> {
  await db.updateTable("chain_leases").set({ last_error }).where("chain", "=", chain).execute();
  await recordHead(db, chain, { last_error });
}

/** Ends the lease of a chain: its holder can commit nothing more, and loads its state again. */
export async function revokeLease(db: Db, chain: string): Promise<void> {
  await sql`
    update chain_leases set fence = fence + 1, expires_at = '-infinity' where chain = ${chain}`.execute(db);
}

/** Sets the cursor without a lease, for an operator who has revoked it. */
export async function setCursor(
  db: Db,
  chain: string,
  { height, hash, time }: Cursor,
  now: Date,
): Promise<void> {
  await db
    .updateTable("chain_cursors")
    .set({ height: String(height), hash, block_time: date(time), updated_at: now, last_error: null })
    .where("chain", "=", chain)
    .execute();
}

/** Moves the cursor under a fencing token. Returns false when another process holds the lease. */
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
      height = excluded.height, hash = excluded.hash, block_time = excluded.block_time,
      updated_at = case when chain_cursors.hash = excluded.hash then chain_cursors.updated_at else excluded.updated_at end
    returning chain`.execute(db);
  return rows.length === 1;
}

/** Records the safe and finalized heights, from which the finality of events is derived. */
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

/** Records the head and the last error for display. The engine does not depend on it. */
export async function recordHead(
  db: Db,
  chain: string,
  note: {
    head_height?: number;
    head_seen_at?: Date;
    last_error?: string | null;
    degraded_reason?: string | null;
    reading?: ChainReading;
  },
): Promise<void> {
  const { head_height, degraded_reason, reading, ...rest } = note;
  // A new reason notifies staff again; the same reason does not.
  const isNotified = sql<Date | null>`case when degraded_reason = ${degraded_reason ?? ""} then degraded_notified_at end`;
  await db
    .updateTable("chain_cursors")
    .set({
      ...rest,
      ...(head_height !== undefined && { head_height: String(head_height) }),
      ...(reading && { reading: JSON.stringify(reading) }),
      ...(degraded_reason !== undefined && { degraded_reason, degraded_notified_at: isNotified }),
    })
    .where("chain", "=", chain)
    .execute();
}

/**
 * Acquires or renews the lease of a chain. Leases use the clock of the database, so that machines with different
 * clocks cannot both hold it. The fencing token increments with each new holder.
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

/** Releases the lease, so that the next process need not wait for its expiry. */
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
