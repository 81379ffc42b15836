import { join } from "node:path";
import { sql } from "kysely";
import type { Config } from "./config.ts";
import type { Log } from "./lib/log.ts";
import { findRunningServer } from "./lib/postgres/running.ts";
import { startPostgres } from "./lib/postgres/start.ts";
import { lockDataFolder } from "./lib/process/data-lock.ts";
import { type Address, openStore } from "./store/open-store.ts";

/** An open database with its close function. */
export type OpenDatabase = { address: Address; close(): Promise<void> };

const name = "tocsin";

/** Opens the database of `DATABASE_URL`, or starts the embedded server for this process. */
export async function openDatabase(config: Config, log: Log): Promise<OpenDatabase> {
  if (config.databaseUrl) return externalDatabase(config.databaseUrl);
  const lock = await lockDataFolder(config.dataDir);
  try {
    const server = await startPostgres({
      folder: dataFolder(config),
      log: ({ level, msg }) => log[level]({ from: "postgres" }, msg),
    });
    const { host, port, user } = server;
    await createDatabase({ host, port, user, database: "postgres" }, log);
    const close = async () => {
      await server.stop();
      await lock.release();
    };
    return { address: { host, port, user, database: name }, close };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Opens the database for a command: uses the embedded server of a running service, or starts it. */
export async function joinDatabase(config: Config, log: Log): Promise<OpenDatabase> {
  const running = config.databaseUrl ? undefined : await findRunningServer(dataFolder(config));
  if (!running) return openDatabase(config, log);
  return { address: { ...running, user: name, database: name }, close: async () => undefined };
}

function externalDatabase(connectionString: string): OpenDatabase {
  return { address: { connectionString }, close: async () => undefined };
}

function dataFolder(config: Config): string {
  return join(config.dataDir, "postgres");
}

async function createDatabase(address: Address, log: Log): Promise<void> {
  const store = openStore(address, log, { max: 1, isPatient: true });
  try {
    const { rows } = await sql`select 1 from pg_database where datname = ${name}`.execute(store.db);
    if (rows.length === 0) await sql`create database ${sql.id(name)}`.execute(store.db);
  } finally {
    await store.close();
  }
}
