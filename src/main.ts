import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { type App, composeApp } from "./app.ts";
import type { Chain } from "./chains/chain.ts";
import { familyOf } from "./chains/families.ts";
import type { StreamServer } from "./chains/family.ts";
import { makeCallBudget } from "./chains/rpc/call-budget.ts";
import type { Role } from "./config/settings.ts";
import type { Config } from "./config.ts";
import {
  findDatabase,
  joinDatabase,
  migrateAt,
  type OpenDatabase,
  openDatabase,
  openSecrets,
} from "./database.ts";
import { holdKeys } from "./domain/secrets/hold-keys.ts";
import { makeRedisTransport } from "./lib/bus/redis-transport.ts";
import { makeSharedBus } from "./lib/bus/shared-bus.ts";
import { systemClock } from "./lib/clock.ts";
import { makeRedisLimiter } from "./lib/limiter/redis-limiter.ts";
import { type Log, openLog } from "./lib/log/log.ts";
import { makeFolderMailer } from "./lib/mail/folder-mailer.ts";
import { makeSmtpMailer } from "./lib/mail/smtp-mailer.ts";
import type { MetricsSnapshot } from "./lib/metrics/snapshot.ts";
import { explainListenError, requireFreePort } from "./lib/process/free-port.ts";
import { recordRequestCalls, writeAllCalls } from "./pipeline/follow/record-calls.ts";
import type { OpenReader } from "./pipeline/follow/run-pipeline.ts";
import { maintenanceName } from "./store/connection/connection-names.ts";
import { makeNotifyTransport } from "./store/notify-transport.ts";
import { type Address, openStore } from "./store/open-store.ts";
import { makeDatabaseLimiter } from "./store/orgs/key-limiter.ts";
import type { KeyRing } from "./store/secrets/key-ring.ts";

/** `kill` ends at once the processes that a service consists of. */
export type Service = { url: string; stop(): Promise<void>; kill?(): void };

/** Starts the database and the parts of the service that the settings ask for, in this process. */
export async function startService(config: Config): Promise<Service> {
  const log = openLog(config);
  return startInOrder(async (stops) => {
    const database = await openDatabase(config, log);
    stops.push(database.close);
    await migrateAt(database.address, log);
    await requireFreePort(config);
    const app = await startRoles(config, database.address, log, stops);
    return listen(await openServer(app, stops), config);
  });
}

/** One process of a service whose database runs under a supervisor. Only the role `api` listens. */
export type RoleProcess = Service & { app: App & { vault: KeyRing } };

/** What a supervised process gets from the supervisor, and tells it. */
export type Supervision = {
  peerMetrics(): Promise<MetricsSnapshot[]>;
  /** Keeps the active key of secrets for processes that are started again. */
  keepKey(key: Buffer): Promise<void>;
};

/** Starts the roles of a supervised process. */
export async function startRoleProcess(
  config: Config,
  { peerMetrics, keepKey }: Supervision,
): Promise<RoleProcess> {
  const log = openLog(config);
  let started: RoleProcess["app"] | undefined;
  const service = await startInOrder(async (stops) => {
    const database = await findDatabase(config);
    const app = await startRoles(config, database, log, stops, keepKey);
    started = { ...app, peerMetrics };
    return config.roles.has("api") ? listen(await openServer(started, stops), config) : "";
  });
  return { ...service, app: started as RoleProcess["app"] };
}

type Stops = (() => Promise<void>)[];

/** Runs a start that adds a stop function for each part. Stopping, also after a failed start, runs in reverse order. */
async function startInOrder(start: (stops: Stops) => Promise<string>): Promise<Service> {
  const stops: Stops = [];
  const stop = async () => {
    for (const step of stops.splice(0).reverse()) await step();
  };
  try {
    return { url: await start(stops), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startRoles(
  config: Config,
  address: Address,
  log: Log,
  stops: Stops,
  keepKey?: Supervision["keepKey"],
): Promise<RoleProcess["app"]> {
  const app = await openApp(config, address, log);
  stops.push(() => closeApp(app));
  if (app.vault.retiring()) log.warn({}, "a rotation of the secrets key is not finished");
  stops.push(holdKeys(app, app.vault, keepKey).stop);
  stops.push(recordRequestCalls(app).stop);
  for (const role of ["jobs", "deliver", "ingest"] as const)
    if (config.roles.has(role)) stops.push((await start[role](app)).stop);
  return app;
}

type Running = { stop(): Promise<void> };

/** The code of each role. It is loaded on use, because a process often has only one of them. */
const load = {
  api: () => import("./http/server.ts"),
  jobs: async () => ({ ...(await import("./jobs/runner.ts")), ...(await import("./jobs/index.ts")) }),
  deliver: () => import("./delivery/run-delivery.ts"),
  ingest: () => import("./pipeline/follow/run-pipeline.ts"),
};

/** Loads the code of roles before it is needed. */
export async function loadRoles(roles: Set<Role>): Promise<void> {
  for (const role of roles) await load[role]();
}

/** The roles besides `api`. */
const start = {
  async jobs(app: App): Promise<Running> {
    const { runJobs, jobs } = await load.jobs();
    return runJobs(app, jobs);
  },
  async deliver(app: App): Promise<Running> {
    const { runDelivery } = await load.deliver();
    return runDelivery(app);
  },
  async ingest(app: App): Promise<Running> {
    const { runPipeline } = await load.ingest();
    return runPipeline(app, openReader(app));
  },
};

async function openServer(app: App, stops: Stops): Promise<FastifyInstance> {
  const { makeServer } = await load.api();
  const server = await makeServer(app);
  stops.push(() => server.close());
  return server;
}

/** Runs a command with the database and the app, beside a running service or without one. */
export async function withApp<Result>(
  config: Config,
  work: (app: App, migrations: string[], ring: KeyRing) => Promise<Result>,
): Promise<Result> {
  const log = openLog({ ...config, logLevel: config.logLevel === "info" ? "warn" : config.logLevel });
  const database: OpenDatabase = await joinDatabase(config, log);
  try {
    const migrations = await migrateAt(database.address, log);
    const app = await openApp(config, database.address, log);
    return await work(app, migrations, app.vault).finally(() => closeApp(app));
  } finally {
    await database.close();
  }
}

/** Runs a command with the migrated database alone, without the secrets key. */
export async function withDatabase<Result>(
  config: Config,
  work: (db: App["db"]) => Promise<Result>,
): Promise<Result> {
  const log = openLog({ ...config, logLevel: "warn" });
  const database = await joinDatabase(config, log);
  try {
    await migrateAt(database.address, log);
    const store = openStore(database.address, log, { max: 1, isPatient: true, name: maintenanceName });
    return await work(store.db).finally(() => store.close());
  } finally {
    await database.close();
  }
}

async function openApp(
  config: Config,
  address: Address,
  log: Log,
): Promise<App & { vault: KeyRing; close(): Promise<void> }> {
  const store = openStore(address, log);
  const vault = await openSecrets(config, store.db).catch(async (error) => {
    await store.close();
    throw error;
  });
  // Few services use Redis, and loading its client delays the start.
  const redis = config.redisUrl
    ? (await import("./lib/bus/redis.ts")).openRedis(config.redisUrl, log)
    : undefined;
  const carrier = redis ? makeRedisTransport(redis) : makeNotifyTransport(store.pool, address, systemClock);
  const bus = makeSharedBus(carrier, systemClock);
  const app = composeApp({
    config,
    log,
    bus,
    db: store.db,
    pool: store.pool,
    // With the embedded database one process has the role api, so that the in-memory limiter is exact.
    ...(config.databaseUrl && { limiter: makeDatabaseLimiter(store.pool) }),
    ...(redis && { limiter: makeRedisLimiter(redis) }),
    vault,
    mailer: config.smtpUrl
      ? makeSmtpMailer({ url: config.smtpUrl, from: config.mailFrom })
      : makeFolderMailer({ folder: join(config.dataDir, "mail"), from: config.mailFrom }),
  });
  const close = async () => {
    await bus.close();
    redis?.disconnect();
    await store.close();
  };
  return { ...app, vault, close };
}

/** Nodes are the operator's own choice, so they may be anywhere. */
function openReader(app: App): OpenReader {
  const { clock, log, config } = app;
  const onHint = (poll: () => void) => app.bus.subscribe("solana.hint", poll);
  return (chain, urls, counter) => {
    const { callsPerDay, pollSeconds } = config.rpcLimits.get(chain.chain) ?? {};
    const budget = callsPerDay === undefined ? undefined : makeCallBudget(callsPerDay, counter, clock);
    const pollMs = pollSeconds === undefined ? undefined : pollSeconds * 1000;
    const stream = streamOf(config, chain);
    return familyOf(chain).openReader({ chain, urls, stream, clock, log, onHint, counter, budget, pollMs });
  };
}

function streamOf({ solanaStream: { url, token } }: Config, { chain }: Chain): StreamServer | undefined {
  return url && chain === "solana" ? { url, token } : undefined;
}

async function closeApp(app: Awaited<ReturnType<typeof openApp>>): Promise<void> {
  await app.mailer.close();
  app.outbound.close();
  app.services.close();
  await app.chains.close();
  await writeAllCalls(app).catch((err: unknown) =>
    app.log.warn({ err }, "calls to nodes could not be recorded"),
  );
  await app.workers.close();
  await app.close();
}

async function listen(server: FastifyInstance, config: Config): Promise<string> {
  try {
    return await server.listen({ port: config.port, host: config.host });
  } catch (error) {
    throw explainListenError(error, config);
  }
}
