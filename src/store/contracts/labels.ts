import { type Insertable, type Selectable, sql } from "kysely";
import type { Db } from "../open-store.ts";
import type { Database } from "../tables.ts";

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

/** Adds missing labels to contracts, up to the limit per contract. */
export async function insertMissingLabels(
  db: Db,
  labels: Insertable<Database["contract_labels"]>[],
  most: number,
): Promise<void> {
  const { rows } = await sql<{ contract_id: string; total: string }>`
    select contract_id, count(*) as total from contract_labels
    where contract_id = any(${labels.map(({ contract_id }) => contract_id)}::uuid[]) group by 1`.execute(db);
  const usedCounts = new Map(rows.map(({ contract_id, total }) => [contract_id, Number(total)]));
  const fitting = labels.filter(({ contract_id }) => {
    const count = usedCounts.get(contract_id) ?? 0;
    usedCounts.set(contract_id, count + 1);
    return count < most;
  });
  for (let from = 0; from < fitting.length; from += 1_000) {
    await db
      .insertInto("contract_labels")
      .values(fitting.slice(from, from + 1_000))
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
