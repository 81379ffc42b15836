import type { Insertable, Selectable } from "kysely";
import type pg from "pg";
import type { Tier } from "../../wire/primitives.ts";
import type { Db } from "../open-store.ts";
import type { Database } from "../tables.ts";

export type KeyRow = Selectable<Database["api_keys"]>;

/** A key with the tier of its org. */
export type KeyWithTier = KeyRow & { tier: Tier };

export async function insertKey(db: Db, key: Insertable<Database["api_keys"]>): Promise<KeyRow> {
  return db.insertInto("api_keys").values(key).returningAll().executeTakeFirstOrThrow();
}

/**
 * Finds a key by its hash, active or not, so that the error can say why it is rejected. A prepared statement, for
 * speed.
 */
export async function findKeyByHash(pool: pg.Pool, key_hash: Buffer): Promise<KeyWithTier | undefined> {
  const { rows } = await pool.query<KeyWithTier>({
    name: "find_key",
    text: `select k.*, o.tier from api_keys k join orgs o on o.id = k.org_id where k.key_hash = $1`,
    values: [key_hash],
  });
  return rows[0];
}

/** Lists an org's keys, newest first; inactive ones until they are purged. */
export async function listKeys(db: Db, org_id: string, goneSince: Date): Promise<KeyRow[]> {
  return db
    .selectFrom("api_keys")
    .selectAll()
    .where("org_id", "=", org_id)
    .where((query) => query.or([query("is_active", "=", true), query("deactivated_at", ">", goneSince)]))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
}

export async function findKey(db: Db, org_id: string, key_id: string): Promise<KeyRow | undefined> {
  return db
    .selectFrom("api_keys")
    .selectAll()
    .where("org_id", "=", org_id)
    .where("id", "=", key_id)
    .executeTakeFirst();
}

export async function renameKey(
  db: Db,
  org_id: string,
  key_id: string,
  name: string,
): Promise<KeyRow | undefined> {
  return db
    .updateTable("api_keys")
    .set({ name })
    .where("org_id", "=", org_id)
    .where("id", "=", key_id)
    .returningAll()
    .executeTakeFirst();
}

export async function countActiveKeys(db: Db, org_id: string): Promise<number> {
  const { total } = await db
    .selectFrom("api_keys")
    .select((query) => query.fn.countAll<string>().as("total"))
    .where("org_id", "=", org_id)
    .where("is_active", "=", true)
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** Deactivates a key. Of several concurrent calls only one returns true. */
export async function deactivateKey(
  db: Db,
  org_id: string,
  key_id: string,
  by: NonNullable<KeyRow["deactivated_by"]>,
  now: Date,
): Promise<boolean> {
  const row = await db
    .updateTable("api_keys")
    .set({ is_active: false, deactivated_at: now, deactivated_by: by })
    .where("org_id", "=", org_id)
    .where("id", "=", key_id)
    .where("is_active", "=", true)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}
