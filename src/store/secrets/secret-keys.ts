import { type Insertable, type Selectable, sql } from "kysely";
import type { Db } from "../open-store.ts";
import type { Database } from "../tables.ts";

export type SecretKeyRow = Selectable<Database["secret_keys"]>;

/** The lock of migration 0028: transactions that write a sealed value hold it shared. */
const sealLock = 7_061_002;

export async function listSecretKeys(db: Db): Promise<SecretKeyRow[]> {
  return db.selectFrom("secret_keys").selectAll().execute();
}

/** Registers the first key. Of several processes, one does it. */
export async function insertFirstKey(db: Db, row: Insertable<Database["secret_keys"]>): Promise<void> {
  await db
    .insertInto("secret_keys")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Waits for the transactions that write sealed values, and blocks new ones until this transaction ends. */
export async function lockSealing(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sealLock})`.execute(tx);
}

/** Replaces the active key: the old one retires, and each is stored sealed with the other. */
export async function replaceActiveKey(
  tx: Db,
  old: { key_id: Buffer; sealed_peer: Buffer },
  next: Insertable<Database["secret_keys"]>,
): Promise<void> {
  await tx
    .updateTable("secret_keys")
    .set({ state: "retiring", sealed_peer: old.sealed_peer })
    .where("key_id", "=", old.key_id)
    .execute();
  await tx.insertInto("secret_keys").values(next).execute();
}

/** Deletes the retiring key, and the copies of both keys. */
export async function deleteRetiringKey(tx: Db): Promise<void> {
  await tx.deleteFrom("secret_keys").where("state", "=", "retiring").execute();
  await tx.updateTable("secret_keys").set({ sealed_peer: null }).execute();
}

/** Records which key a process seals with, and forgets processes that ended long ago. */
export async function recordHolder(db: Db, process_id: string, active_key_id: Buffer): Promise<void> {
  await sql`
    insert into secret_key_holders values (${process_id}, ${active_key_id}, clock_timestamp())
    on conflict (process_id) do update set active_key_id = excluded.active_key_id, seen_at = excluded.seen_at`.execute(
    db,
  );
  await sql`delete from secret_key_holders where seen_at < clock_timestamp() - interval '1 hour'`.execute(db);
}

export async function removeHolder(db: Db, process_id: string): Promise<void> {
  await db.deleteFrom("secret_key_holders").where("process_id", "=", process_id).execute();
}

/** Counts the running processes that do not seal with the key yet. */
export async function countOutdatedHolders(
  db: Db,
  active_key_id: Buffer,
  aliveSeconds: number,
): Promise<number> {
  const { rows } = await sql<{ total: string }>`
    select count(*) as total from secret_key_holders
    where active_key_id <> ${active_key_id}
      and seen_at > clock_timestamp() - make_interval(secs => ${aliveSeconds})`.execute(db);
  return Number(rows[0]?.total ?? 0);
}
