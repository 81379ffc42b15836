import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { sql } from "kysely";
import { migrate, pendingMigrations } from "../../../src/store/migrate.ts";
import type { Db } from "../../../src/store/open-store.ts";

/** The contents of a database at some version, and what its API replied. */
export type DatabaseFile = {
  /** The last migration that had run. */
  migration: string;
  partitions: { name: string; parent: string; bounds: string }[];
  rows: Record<string, object[]>;
  /** When the replies were made. */
  at: string;
  /** The replies to GET requests of the account, by path. */
  replies: Record<string, unknown>;
};

export function readDatabaseFile(path: URL): DatabaseFile {
  return JSON.parse(gunzipSync(readFileSync(path)).toString("utf8"));
}

export function writeDatabaseFile(path: URL, file: DatabaseFile): void {
  writeFileSync(path, gzipSync(JSON.stringify(file), { level: 9 }));
}

/** Reads every row of every table. */
export async function dumpDatabase(db: Db): Promise<Omit<DatabaseFile, "replies" | "at">> {
  const { rows: executed } = await sql<{ name: string }>`
    select name from kysely_migration order by name desc limit 1`.execute(db);
  const { rows: partitions } = await sql<DatabaseFile["partitions"][number]>`
    select c.relname as name, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bounds
    from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
    where c.relispartition and c.relkind = 'r' order by 1`.execute(db);
  const tables = await listTables(db);
  const rows: DatabaseFile["rows"] = {};
  for (const table of tables) rows[table] = await readRows(db, table);
  return { migration: executed[0]?.name ?? "", partitions, rows };
}

/** Fills an empty database as the file describes, at the version of the file. */
export async function loadDatabase(db: Db, { migration, partitions, rows }: DatabaseFile): Promise<void> {
  await migrate(db, migration);
  for (const { name, parent, bounds } of partitions)
    await sql`create table if not exists ${sql.id(name)} partition of ${sql.id(parent)} ${sql.raw(bounds)}`.execute(
      db,
    );
  await db.transaction().execute(async (tx) => {
    // The rows refer to each other, and triggers have run when they were first written.
    await sql`set local session_replication_role = replica`.execute(tx);
    for (const [table, list] of Object.entries(rows)) await insertRows(tx, table, list);
  });
  if (!(await pendingMigrations(db)).every((name) => name > migration))
    throw new Error("a migration is missing");
}

export async function countRows(db: Db, table: string): Promise<number> {
  const { rows } = await sql<{
    total: number;
  }>`select count(*)::int as total from ${sql.table(table)}`.execute(db);
  return rows[0]?.total ?? 0;
}

/** Tables with rows of their own: a partitioned one stands for its partitions. */
async function listTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname not like 'kysely%' order by 1`.execute(db);
  return rows.map(({ name }) => name);
}

async function readRows(db: Db, table: string): Promise<object[]> {
  const { rows } = await sql<{ row: object }>`select to_jsonb(t) as row from ${sql.table(table)} t`.execute(
    db,
  );
  return rows.map(({ row }) => row);
}

/** Replaces the rows that a migration has put into a table. */
async function insertRows(tx: Db, table: string, list: object[]): Promise<void> {
  await sql`delete from ${sql.table(table)}`.execute(tx);
  await sql`
    insert into ${sql.table(table)} overriding system value
    select * from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(list)}::jsonb)`.execute(
    tx,
  );
}
