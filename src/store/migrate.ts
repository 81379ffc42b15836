import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Migration, Migrator, sql } from "kysely";
import { OperatorError } from "../lib/operator-error.ts";
import { locateFile } from "../lib/process/installation.ts";
import type { Db } from "./open-store.ts";

const folder = locateFile("src/store/migrations");

/**
 * Migrates the database to the newest schema and returns the names of the migrations that ran. All pending migrations
 * run in one transaction under a lock: concurrent processes wait, and a killed process leaves nothing half done.
 * Needs a pool without a statement timeout. `upTo` names the last migration to run, for tests of later ones.
 */
export async function migrate(db: Db, upTo?: string): Promise<string[]> {
  const migrator = makeMigrator(db);
  const { error, results } = await (upTo ? migrator.migrateTo(upTo) : migrator.migrateToLatest());
  if (error) throw toSentence(error);
  return (results ?? [])
    .filter((result) => result.status === "Success")
    .map((result) => result.migrationName);
}

/** Returns the names of the migrations that have not run. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const migrations = await makeMigrator(db).getMigrations();
  return migrations.filter((migration) => !migration.executedAt).map((migration) => migration.name);
}

function makeMigrator(db: Db): Migrator {
  return new Migrator({ db, provider: { getMigrations: readMigrations } });
}

async function readMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
  const steps = await Promise.all(
    files.map(async (file) => [file.slice(0, -4), await readStep(file)] as const),
  );
  return Object.fromEntries(steps);
}

async function readStep(file: string): Promise<Migration> {
  const text = await readFile(join(folder, file), "utf8");
  return {
    async up(db) {
      await sql.raw(text).execute(db);
    },
  };
}

function toSentence(error: unknown): unknown {
  if (!(error instanceof Error) || !/corrupted migrations/.test(error.message)) return error;
  return new OperatorError(
    "The database was written by a newer Tocsin than this one. Run that version, or restore a backup.",
    { cause: error },
  );
}
