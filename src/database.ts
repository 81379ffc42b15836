import { join } from "node:path";
import { sql } from "kysely";
import type { Config } from "./config.ts";
import type { Log } from "./lib/log.ts";
import { OperatorError } from "./lib/operator-error.ts";
import { findRunningServer } from "./lib/postgres/running.ts";
import { startPostgres } from "./lib/postgres/start.ts";
import { lockDataFolder } from "./lib/process/data-lock.ts";
import { loadSecretsKey } from "./lib/secrets/secrets-key.ts";
import { migrate } from "./store/migrate.ts";
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

/** Returns the address of the database that a supervisor has started. */
export async function findDatabase(config: Config): Promise<Address> {
  if (config.databaseUrl) return { connectionString: config.databaseUrl };
  const running = await findRunningServer(dataFolder(config));
  if (!running) throw new OperatorError(`No database runs in ${config.dataDir}. Start the service instead.`);
  return { ...running, user: name, database: name };
}

/** Starts and migrates the database of several processes, and creates the key that they share. */
export async function openSharedDatabase(config: Config, log: Log): Promise<OpenDatabase> {
  const database = await openDatabase(config, log);
  try {
    await migrateAt(database.address, log);
    await readSecretsKey(config);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Migrates a database and returns the names of the migrations that ran. */
export async function migrateAt(address: Address, log: Log): Promise<string[]> {
  const store = openStore(address, log, { max: 2, isPatient: true });
  try {
    const steps = await migrate(store.db);
    if (steps.length > 0) log.info({ steps }, "database migrated");
    return steps;
  } finally {
    await store.close();
  }
}

/** Returns the key that encrypts secrets in the database. Creates it on first use if it is not configured. */
export function readSecretsKey(config: Config): Promise<Buffer> {
  return loadSecretsKey({ fromEnvironment: config.secretsKey, file: join(config.dataDir, "secrets.key") });
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
