import { type Insertable, sql } from "kysely";
import type { Db } from "../open-store.ts";
import type { Database } from "../tables.ts";

/** Keeps what was announced and returns the signatures that were not known yet. */
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

export type HintedTransaction = { signature: string; slot: number | null };

/** Transactions that were announced and not looked at yet, oldest first. */
export async function listHinted(db: Db, limit: number): Promise<HintedTransaction[]> {
  const { rows } = await sql<{ signature: string; slot: string | null }>`
    select signature, slot from helius_inbox where status = 'waiting'
    order by received_at, id limit ${limit}`.execute(db);
  return rows.map(({ signature, slot }) => ({ signature, slot: slot === null ? null : Number(slot) }));
}

/** What was announced long ago and is still waiting touches nothing that is watched, or the chain would have shown it. */
export async function completeOldHints(db: Db, receivedBefore: Date, processed_at: Date): Promise<void> {
  await db
    .updateTable("helius_inbox")
    .set({ status: "done", processed_at, payload: null })
    .where("status", "=", "waiting")
    .where("received_at", "<", receivedBefore)
    .execute();
}

/** Notes that announced transactions were looked at, in the transaction of what came of it. */
export async function completeHints(db: Db, signatures: string[], processed_at: Date): Promise<void> {
  if (signatures.length === 0) return;
  await db
    .updateTable("helius_inbox")
    .set({ status: "done", processed_at, payload: null })
    .where("signature", "in", signatures)
    .execute();
}
