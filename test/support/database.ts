import { sql } from "kysely";
import { inject } from "vitest";
import { makeLog } from "../../src/lib/log/log.ts";
import { systemRandom, uuidv7 } from "../../src/lib/random.ts";
import { openStore } from "../../src/store/open-store.ts";
import { templateName } from "../global-setup.ts";

/** A database of the run's own PostgreSQL server. */
export type TestDatabase = { host: string; port: number; user: string; database: string };

/** Creates a database for the caller alone, with every migration applied. */
export function cloneDatabase(): Promise<TestDatabase> {
  return createDatabase(sql`template ${sql.id(templateName)} strategy file_copy`);
}

/** Creates a database without a table. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase(sql``);
}

/** The `DATABASE_URL` of a database, for a process of its own. */
export function databaseUrl({ host, port, user, database }: TestDatabase): string {
  return `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`;
}

async function createDatabase(options: ReturnType<typeof sql>): Promise<TestDatabase> {
  const server = inject("postgres");
  const database = `test_${uuidv7(new Date(), systemRandom).replaceAll("-", "")}`;
  const log = makeLog("silent");
  const admin = openStore({ ...server, database: "postgres" }, log, { max: 1, isPatient: true });
  await sql`create database ${sql.id(database)} ${options}`.execute(admin.db);
  await admin.close();
  return { ...server, database };
}
