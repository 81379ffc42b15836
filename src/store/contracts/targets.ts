import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import { mapInSlices } from "../../lib/concurrency/in-slices.ts";
import type { Db } from "../open-store.ts";
import { jsonObject, type Parsed, rowParser } from "../parse-row.ts";
import type { Database } from "../tables.ts";

const json = { config: jsonObject };
const parseTarget = rowParser("targets", json);

export type TargetRow = Parsed<Selectable<Database["targets"]>, typeof json>;

export async function listTargets(db: Db, org_id: string, contract_id: string): Promise<TargetRow[]> {
  const rows = await db
    .selectFrom("targets")
    .selectAll()
    .where("org_id", "=", org_id)
    .where("contract_id", "=", contract_id)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(parseTarget);
}

/** Lists the targets of contracts, oldest first. */
export async function listTargetsOn(db: Db, org_id: string, contract_ids: string[]): Promise<TargetRow[]> {
  if (contract_ids.length === 0) return [];
  const { rows } = await sql<Selectable<Database["targets"]>>`
    select * from targets where org_id = ${org_id} and contract_id = any(${contract_ids}::uuid[])
    order by created_at, id`.execute(db);
  return mapInSlices(rows, parseTarget);
}

export async function findTarget(db: Db, org_id: string, target_id: string): Promise<TargetRow | undefined> {
  const row = await db
    .selectFrom("targets")
    .selectAll()
    .where("org_id", "=", org_id)
    .where("id", "=", target_id)
    .executeTakeFirst();
  return row && parseTarget(row);
}

/** Finds a target and locks it until the transaction ends, so that no rule is added on it meanwhile. */
export async function lockTarget(db: Db, org_id: string, target_id: string): Promise<TargetRow | undefined> {
  const row = await db
    .selectFrom("targets")
    .selectAll()
    .where("org_id", "=", org_id)
    .where("id", "=", target_id)
    .forUpdate()
    .executeTakeFirst();
  return row && parseTarget(row);
}

/** Inserts a target. An existing singleton is enabled and returned instead. */
export async function upsertTarget(
  db: Db,
  target: Insertable<Database["targets"]>,
): Promise<{ row: TargetRow; isNew: boolean }> {
  const insert = db.insertInto("targets").values(target);
  const row = await (target.is_singleton
    ? insert.onConflict((conflict) =>
        conflict
          .columns(["contract_id", "target_type"])
          // A literal, because a parameter of a prepared statement matches no partial index.
          .where("is_singleton", "=", sql.lit(true))
          .doUpdateSet({ is_enabled: true, policy_id: target.policy_id ?? null }),
      )
    : insert
  )
    .returningAll()
    .executeTakeFirstOrThrow();
  return { row: parseTarget(row), isNew: row.id === target.id };
}

/** Maps contract ids to their target of one type. */
export async function listTargetsOfType(
  db: Db,
  org_id: string,
  contract_ids: string[],
  target_type: string,
): Promise<Map<string, { id: string; is_enabled: boolean }>> {
  if (contract_ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; contract_id: string; is_enabled: boolean }>`
    select id, contract_id, is_enabled from targets
    where org_id = ${org_id} and contract_id = any(${contract_ids}::uuid[]) and target_type = ${target_type}`.execute(
    db,
  );
  return new Map(rows.map(({ contract_id, ...target }) => [contract_id, target]));
}

/** Inserts targets in batches that stay below PostgreSQL's limit of parameters. */
export async function insertTargets(db: Db, targets: Insertable<Database["targets"]>[]): Promise<void> {
  for (let from = 0; from < targets.length; from += 1_000) {
    await db
      .insertInto("targets")
      .values(targets.slice(from, from + 1_000))
      .execute();
  }
}

export async function updateTarget(
  db: Db,
  org_id: string,
  target_id: string,
  change: Partial<
    Pick<TargetRow, "name" | "is_enabled" | "status" | "status_code" | "status_reason" | "updated_at">
  >,
): Promise<TargetRow | undefined> {
  const row = await db
    .updateTable("targets")
    .set(change)
    .where("org_id", "=", org_id)
    .where("id", "=", target_id)
    .returningAll()
    .executeTakeFirst();
  return row && parseTarget(row);
}

/** Changes what a target measures: a new generation of the target with no readings, and new versions of its rules. */
export async function renewTarget(
  db: Db,
  org_id: string,
  target_id: string,
  renewed: { config: Record<string, unknown> } & Pick<
    TargetRow,
    "unit" | "status" | "status_code" | "status_reason"
  >,
): Promise<void> {
  const { config, ...support } = renewed;
  await db
    .updateTable("targets")
    .set({
      ...support,
      config: JSON.stringify(config),
      generation: sql`generation + 1`,
      last_value: null,
      last_value_at: null,
    })
    .where("org_id", "=", org_id)
    .where("id", "=", target_id)
    .execute();
  await db
    .updateTable("alert_rules")
    .set({ version: sql`version + 1` })
    .where("org_id", "=", org_id)
    .where("target_id", "=", target_id)
    .execute();
}

export async function deleteTarget(
  db: Db,
  org_id: string,
  target_id: string,
): Promise<TargetRow | undefined> {
  const row = await db
    .deleteFrom("targets")
    .where("org_id", "=", org_id)
    .where("id", "=", target_id)
    .returningAll()
    .executeTakeFirst();
  return row && parseTarget(row);
}

/** Sets whether a target can be measured, and why not. */
export async function setSupport(
  db: Db,
  org_id: string,
  target_id: string,
  support: Pick<Updateable<Database["targets"]>, "status" | "status_code" | "status_reason">,
): Promise<void> {
  await db
    .updateTable("targets")
    .set(support)
    .where("org_id", "=", org_id)
    .where("id", "=", target_id)
    .execute();
}
