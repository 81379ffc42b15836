import { sql } from "kysely";
import type { Db } from "../open-store.ts";
import type { SmsNumber as SmsNumberRow } from "./tables.ts";

export type { SmsNumberRow };

export async function listNumbers(db: Db, org_id: string): Promise<SmsNumberRow[]> {
  return db
    .selectFrom("sms_numbers")
    .selectAll()
    .where("org_id", "=", org_id)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

export async function findNumber(db: Db, org_id: string, id: string): Promise<SmsNumberRow | undefined> {
  return db
    .selectFrom("sms_numbers")
    .selectAll()
    .where("org_id", "=", org_id)
    .where("id", "=", id)
    .executeTakeFirst();
}

/** Returns the confirmed row of a number. A confirmation holds for one org only. */
export async function findConfirmed(
  db: Db,
  org_id: string,
  phone: string,
): Promise<SmsNumberRow | undefined> {
  return db
    .selectFrom("sms_numbers")
    .selectAll()
    .where("org_id", "=", org_id)
    .where("phone", "=", phone)
    .where("confirmed_at", "is not", null)
    .executeTakeFirst();
}

type NewCode = Pick<
  SmsNumberRow,
  "id" | "org_id" | "phone" | "code_hash" | "attempts_left" | "expires_at" | "created_at"
>;

/** Stores the code of a number in place of an earlier one. Returns undefined if the number was confirmed meanwhile. */
export async function saveCode(db: Db, code: NewCode): Promise<SmsNumberRow | undefined> {
  const { code_hash, attempts_left, expires_at } = code;
  return db
    .insertInto("sms_numbers")
    .values({ ...code, confirmed_at: null })
    .onConflict((conflict) =>
      conflict
        .columns(["org_id", "phone"])
        .doUpdateSet({ code_hash, attempts_left, expires_at })
        .where("sms_numbers.confirmed_at", "is", null),
    )
    .returningAll()
    .executeTakeFirst();
}

/** Uses up one attempt and returns the hash to compare with; undefined if the code is used, expired or out of attempts. */
export async function useAttempt(
  db: Db,
  org_id: string,
  id: string,
  now: Date,
): Promise<{ code_hash: Buffer; attempts_left: number } | undefined> {
  const { rows } = await sql<{ code_hash: Buffer; attempts_left: number }>`
    update sms_numbers set attempts_left = attempts_left - 1
    where org_id = ${org_id} and id = ${id} and code_hash is not null and attempts_left > 0 and expires_at > ${now}
    returning code_hash, attempts_left`.execute(db);
  return rows[0];
}

/** Confirms a number by the hash of its code. Only one caller succeeds, and none if a newer code replaced it. */
export async function confirmNumber(
  db: Db,
  org_id: string,
  id: string,
  { code_hash, now }: { code_hash: Buffer; now: Date },
): Promise<SmsNumberRow | undefined> {
  return db
    .updateTable("sms_numbers")
    .set({ confirmed_at: now, code_hash: null })
    .where("org_id", "=", org_id)
    .where("id", "=", id)
    .where("code_hash", "=", code_hash)
    .returningAll()
    .executeTakeFirst();
}

export async function deleteNumber(db: Db, org_id: string, id: string): Promise<SmsNumberRow | undefined> {
  return db
    .deleteFrom("sms_numbers")
    .where("org_id", "=", org_id)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
}
