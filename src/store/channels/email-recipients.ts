import { sql } from "kysely";
import type { Db } from "../open-store.ts";

/** Returns the addresses that neither belong to a member with a verified address nor have confirmed. */
export async function listUnconfirmed(db: Db, org_id: string, email_keys: string[]): Promise<string[]> {
  const { rows } = await sql<{ email_key: string }>`
    select k.email_key from unnest(${email_keys}::text[]) with ordinality k (email_key, position)
    where not exists (select 1 from email_recipients r
        where r.org_id = ${org_id} and r.email_key = k.email_key and r.confirmed_at is not null)
      and not exists (select 1 from memberships m join users u on u.id = m.user_id
        where m.org_id = ${org_id} and u.email_key = k.email_key and u.is_verified)
    order by k.position`.execute(db);
  return rows.map((row) => row.email_key);
}

/** True for an address that has confirmed that it wants the alerts of the org. */
export async function hasConfirmed(db: Db, org_id: string, email_key: string): Promise<boolean> {
  const row = await db
    .selectFrom("email_recipients")
    .select("email_key")
    .where("org_id", "=", org_id)
    .where("email_key", "=", email_key)
    .where("confirmed_at", "is not", null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns which of the addresses have a link that still works. */
export async function listAsked(
  db: Db,
  org_id: string,
  email_keys: string[],
  now: Date,
): Promise<Set<string>> {
  if (email_keys.length === 0) return new Set();
  const rows = await db
    .selectFrom("email_recipients")
    .select("email_key")
    .where("org_id", "=", org_id)
    .where("email_key", "in", email_keys)
    .where("token_hash", "is not", null)
    .where("expires_at", ">", now)
    .execute();
  return new Set(rows.map((row) => row.email_key));
}

/** Counts the links that an org had mailed since a time. */
export async function countAsked(db: Db, org_id: string, since: Date): Promise<number> {
  const { total } = await db
    .selectFrom("email_recipients")
    .select((query) => query.fn.countAll<string>().as("total"))
    .where("org_id", "=", org_id)
    .where("token_hash", "is not", null)
    .where("requested_at", ">", since)
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** Records that an address was asked, with the token of its link. */
export async function upsertAsked(
  db: Db,
  request: { org_id: string; email_key: string; token_hash: Buffer; requested_at: Date; expires_at: Date },
): Promise<void> {
  const { token_hash, requested_at, expires_at } = request;
  await db
    .insertInto("email_recipients")
    .values({ ...request, confirmed_at: null })
    .onConflict((conflict) =>
      conflict.columns(["org_id", "email_key"]).doUpdateSet({ token_hash, requested_at, expires_at }),
    )
    .execute();
}

/** Forgets that an address was asked by a link that was not sent. */
export async function forgetAsked(db: Db, token_hash: Buffer): Promise<void> {
  await db
    .deleteFrom("email_recipients")
    .where("token_hash", "=", token_hash)
    .where("confirmed_at", "is", null)
    .execute();
}

/** Confirms the address of a link that has not expired. A repeat changes nothing and returns the same address. */
export async function confirmByToken(
  db: Db,
  token_hash: Buffer,
  now: Date,
): Promise<{ org_id: string; email_key: string; is_new: boolean } | undefined> {
  const { rows } = await sql<{ org_id: string; email_key: string; is_new: boolean }>`
    update email_recipients r set confirmed_at = coalesce(r.confirmed_at, ${now})
    from email_recipients before
    where r.token_hash = ${token_hash} and r.expires_at > ${now}
      and before.org_id = r.org_id and before.email_key = r.email_key
    returning r.org_id, r.email_key, before.confirmed_at is null as is_new`.execute(db);
  return rows[0];
}

/** Finds what a link that has not expired asks, and of whom. */
export async function findByToken(
  db: Db,
  token_hash: Buffer,
  now: Date,
): Promise<{ org_name: string; email: string; is_confirmed: boolean } | undefined> {
  const { rows } = await sql<{ org_name: string; email: string; is_confirmed: boolean }>`
    select o.name as org_name, r.email_key as email, r.confirmed_at is not null as is_confirmed
    from email_recipients r join orgs o on o.id = r.org_id
    where r.token_hash = ${token_hash} and r.expires_at > ${now}`.execute(db);
  return rows[0];
}
