import { type Insertable, sql } from "kysely";
import type { Db } from "../open-store.ts";
import type { Database } from "../tables.ts";

/** Stores announced transactions and returns the signatures that are new. */
export async function insertDeliveries(
  db: Db,
  rows: Insertable<Database["helius_inbox"]>[],
): Promise<string[]> {
  if (rows.length === 0) return [];
  const kept = await db
    .insertInto("helius_inbox")
    .values(rows)
    .onConflict((conflict) => conflict.column("signature").doNothing())
    .returning("signature")
    .execute();
  return kept.flatMap(({ signature }) => signature ?? []);
}

/** Keeps only the newest deliveries. */
export async function deleteOldestDeliveries(db: Db, keep: number): Promise<void> {
  await sql`delete from helius_inbox where id in (
    select id from helius_inbox order by received_at desc, id desc offset ${keep})`.execute(db);
}

export type HintedTransaction = { signature: string; slot: number | null };

/** Lists the announced transactions that are not processed, oldest first. */
export async function listHinted(db: Db, limit: number): Promise<HintedTransaction[]> {
  const { rows } = await sql<{ signature: string; slot: string | null }>`
    select signature, slot from helius_inbox where status = 'waiting'
    order by received_at, id limit ${limit}`.execute(db);
  return rows.map(({ signature, slot }) => ({ signature, slot: slot === null ? null : Number(slot) }));
}

/** Completes old hints: a transaction that touched a watched address would have been listed by now. */
export async function completeOldHints(db: Db, receivedBefore: Date, processed_at: Date): Promise<void> {
  await db
    .updateTable("helius_inbox")
    .set({ status: "done", processed_at, payload: null })
    .where("status", "=", "waiting")
    .where("received_at", "<", receivedBefore)
    .execute();
}

/** Completes the hints of transactions, in the database transaction that commits their blocks. */
export async function completeHints(db: Db, signatures: string[], processed_at: Date): Promise<void> {
  if (signatures.length === 0) return;
  await db
    .updateTable("helius_inbox")
    .set({ status: "done", processed_at, payload: null })
    .where("signature", "in", signatures)
    .execute();
}
