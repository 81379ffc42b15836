import type { Insertable, Selectable } from "kysely";
import type { Db } from "./open.ts";
import type { Database } from "./schema.ts";

export type LabelRow = Selectable<Database["contract_labels"]>;

export async function listLabels(db: Db, org_id: string, contract_id: string): Promise<LabelRow[]> {
  return db
    .selectFrom("contract_labels")
    .selectAll()
    .where("org_id", "=", org_id)
    .where("contract_id", "=", contract_id)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

export async function insertLabels(db: Db, labels: Insertable<Database["contract_labels"]>[]): Promise<void> {
  if (labels.length > 0) await db.insertInto("contract_labels").values(labels).execute();
}

/** Adds labels that contracts do not have yet. */
export async function insertMissingLabels(
  db: Db,
  labels: Insertable<Database["contract_labels"]>[],
): Promise<void> {
  for (let from = 0; from < labels.length; from += 1_000) {
    await db
      .insertInto("contract_labels")
      .values(labels.slice(from, from + 1_000))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

export async function deleteLabels(
  db: Db,
  org_id: string,
  contract_id: string,
  label_id?: string,
): Promise<boolean> {
  let query = db
    .deleteFrom("contract_labels")
    .where("org_id", "=", org_id)
    .where("contract_id", "=", contract_id);
  if (label_id) query = query.where("id", "=", label_id);
  const { numDeletedRows } = await query.executeTakeFirst();
  return numDeletedRows > 0n;
}
