import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { type App, composeApp } from "./app.ts";
import { familyOf } from "./chains/families.ts";
import type { Config } from "./config.ts";
import { joinDatabase, type OpenDatabase, openDatabase } from "./database.ts";
import { runDelivery } from "./delivery/run-delivery.ts";
import { makeServer } from "./http/server.ts";
import { jobs } from "./jobs/index.ts";
import { runJobs } from "./jobs/runner.ts";
import { openRedis } from "./lib/bus/redis.ts";
import { makeRedisTransport } from "./lib/bus/redis-transport.ts";
import { makeSharedBus } from "./lib/bus/shared-bus.ts";
import { systemClock } from "./lib/clock.ts";
import { makeRedisLimiter } from "./lib/limiter/redis-limiter.ts";
import { type Log, makeLog } from "./lib/log.ts";
import { makeFolderMailer } from "./lib/mail/folder-mailer.ts";
import { makeSmtpMailer } from "./lib/mail/smtp-mailer.ts";
import { OperatorError } from "./lib/operator-error.ts";
import { systemRandom } from "./lib/random.ts";
import { loadSecretsKey } from "./lib/secrets/secrets-key.ts";
import { makeVault } from "./lib/secrets/vault.ts";
import { type OpenReader, runPipeline } from "./pipeline/follow/run-pipeline.ts";
import { migrate } from "./store/migrate.ts";
import { makeNotifyTransport } from "./store/notify-transport.ts";
import { type Address, openStore } from "./store/open-store.ts";
import { makeDatabaseLimiter } from "./store/orgs/key-limiter.ts";

export type Service = { url: string; stop(): Promise<void> };

/** Starts the parts of the service that the settings ask for. Stopping runs in reverse order. */
export async function startService(config: Config): Promise<Service> {
  const log = makeLog(config.logLevel);
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const step of stops.splice(0).reverse()) await step();
  };
  try {
    const database = await openDatabase(config, log);
    stops.push(database.close);
    await migrateAt(database.address, log);
    const app = await openApp(config, database.address, log);
    stops.push(() => closeApp(app));
    if (config.roles.has("jobs")) stops.push(runJobs(app, jobs).stop);
    if (config.roles.has("deliver")) stops.push(runDelivery(app).stop);
    if (config.roles.has("ingest")) stops.push(runPipeline(app, openReader(app)).stop);
    const server = await makeServer(app);
    stops.push(() => server.close());
    return { url: await listen(server, config), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Runs a command with the database and the app, beside a running service or without one. */
export async function withApp<Result>(
  config: Config,
  work: (app: App, migrations: string[]) => Promise<Result>,
): Promise<Result> {
  const log = makeLog(config.logLevel === "info" ? "warn" : config.logLevel);
  const database: OpenDatabase = await joinDatabase(config, log);
  try {
    const migrations = await migrateAt(database.address, log);
    const app = await openApp(config, database.address, log);
    return await work(app, migrations).finally(() => closeApp(app));
  } finally {
    await database.close();
  }
}

/** Migrates a database and returns the names of the migrations that ran. */
async function migrateAt(address: Address, log: Log): Promise<string[]> {
  const store = openStore(address, log, { max: 2, isPatient: true });
  try {
    const steps = await migrate(store.db);
    if (steps.length > 0) log.info({ steps }, "database migrated");
    return steps;
  } finally {
    await store.close();
  }
}

async function openApp(
  config: Config,
  address: Address,
  log: Log,
): Promise<App & { close(): Promise<void> }> {
  const key = await loadSecretsKey({
    fromEnvironment: config.secretsKey,
    file: join(config.dataDir, "secrets.key"),
  });
  const store = openStore(address, log);
  const redis = config.redisUrl ? openRedis(config.redisUrl, log) : undefined;
  const carrier = redis ? makeRedisTransport(redis) : makeNotifyTransport(store.pool, address, systemClock);
  const bus = makeSharedBus(carrier, systemClock);
  const app = composeApp({
    config,
    log,
    bus,
    db: store.db,
    pool: store.pool,
    // The embedded database has one process, so that the in-memory limiter is exact.
    ...(config.databaseUrl && { limiter: makeDatabaseLimiter(store.pool) }),
    ...(redis && { limiter: makeRedisLimiter(redis) }),
    vault: makeVault(key, systemRandom),
    mailer: config.smtpUrl
      ? makeSmtpMailer({ url: config.smtpUrl, from: config.mailFrom })
      : makeFolderMailer({ folder: join(config.dataDir, "mail"), from: config.mailFrom }),
  });
  const close = async () => {
    await bus.close();
    redis?.disconnect();
    await store.close();
  };
  return { ...app, close };
}

/** Nodes are the operator's own choice, so they may be anywhere. */
function openReader(app: App): OpenReader {
  const { clock, log } = app;
  const onHint = (poll: () => void) => app.bus.subscribe("solana.hint", poll);
  return (chain, urls) => familyOf(chain).openReader({ chain, urls, clock, log, onHint });
}

async function closeApp(app: Awaited<ReturnType<typeof openApp>>): Promise<void> {
  await app.mailer.close();
  app.outbound.close();
  app.services.close();
  await app.chains.close();
  await app.workers.close();
  await app.close();
}

async function listen(server: FastifyInstance, config: Config): Promise<string> {
  try {
    return await server.listen({ port: config.port, host: config.host });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EADDRINUSE") {
      const what = `Port ${config.port} on ${config.host} is already in use.`;
      throw new OperatorError(`${what} Stop the program that uses it, or set PORT to another port.`, {
        cause: error,
      });
    }
    if (code === "EACCES" || code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
      throw new OperatorError(`Tocsin cannot listen on HOST ${config.host}, PORT ${config.port} (${code}).`);
    }
    throw error;
  }
}
