import { join } from "node:path";
import { sql } from "kysely";
import type { Config } from "./config.ts";
import { systemClock } from "./lib/clock.ts";
import type { Log } from "./lib/log/log.ts";
import { OperatorError } from "./lib/operator-error.ts";
import { findRunningServer } from "./lib/postgres/running.ts";
import { startPostgres } from "./lib/postgres/start.ts";
import { lockDataFolder } from "./lib/process/data-lock.ts";
import { systemRandom } from "./lib/random.ts";
import { loadSecretsKey } from "./lib/secrets/secrets-key.ts";
import { explainConnectError } from "./store/connect-error.ts";
import { maintenanceName } from "./store/connection/connection-names.ts";
import { migrate } from "./store/migrate.ts";
import { type Address, type Db, openStore } from "./store/open-store.ts";
import { type KeyRing, openKeyRing } from "./store/secrets/key-ring.ts";
import { hasSecrets } from "./store/secrets/sealed-places.ts";

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
    await checkSecrets(config, database.address, log);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Migrates a database and returns the names of the migrations that ran. */
export async function migrateAt(address: Address, log: Log): Promise<string[]> {
  const store = openStore(address, log, { max: 2, isPatient: true, name: maintenanceName });
  try {
    const steps = await migrate(store.db);
    if (steps.length > 0) log.info({ migrations: steps.length, newest: steps.at(-1) }, "database migrated");
    return steps;
  } catch (error) {
    throw explainConnectError(error);
  } finally {
    await store.close();
  }
}

/** Opens the keys of secrets. A key that does not open what is in the database stops the start. */
export async function openSecrets(config: Config, db: Db): Promise<KeyRing> {
  const key = await loadSecretsKey({
    fromEnvironment: config.secretsKey,
    file: join(config.dataDir, "secrets.key"),
    mayCreate: !(await hasSecrets(db)),
  });
  return openKeyRing(db, key, systemRandom, systemClock.now());
}

/** Opens the keys once, before several processes need them at the same time. */
async function checkSecrets(config: Config, address: Address, log: Log): Promise<void> {
  const store = openStore(address, log, { max: 1 });
  await openSecrets(config, store.db).finally(() => store.close());
}

function externalDatabase(connectionString: string): OpenDatabase {
  return { address: { connectionString }, close: async () => undefined };
}

function dataFolder(config: Config): string {
  return join(config.dataDir, "postgres");
}

async function createDatabase(address: Address, log: Log): Promise<void> {
  const store = openStore(address, log, { max: 1, isPatient: true, name: maintenanceName });
  try {
    const { rows } = await sql`select 1 from pg_database where datname = ${name}`.execute(store.db);
    if (rows.length === 0) await sql`create database ${sql.id(name)}`.execute(store.db);
  } finally {
    await store.close();
  }
}
