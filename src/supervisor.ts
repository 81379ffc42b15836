import { type ChildProcess, fork } from "node:child_process";
import { availableParallelism } from "node:os";
import type { Role } from "./config/settings.ts";
import type { Config } from "./config.ts";
import { type OpenDatabase, openSharedDatabase } from "./database.ts";
import { systemClock } from "./lib/clock.ts";
import { type Log, openLog } from "./lib/log/log.ts";
import { ChildService } from "./lib/process/child-service.ts";
import { findFreePort, requireFreePort } from "./lib/process/free-port.ts";
import { locateEntry } from "./lib/process/installation.ts";
import type { Service } from "./main.ts";

const cliEntry = locateEntry("src/cli/index.ts");
/** A process that does not answer by then is left out of the metrics. */
const metricsTimeoutMs = 1_000;

/** The roles that share a process, in the order in which they stop. */
const groups: Role[][] = [["api"], ["ingest"], ["deliver", "jobs"]];

/** Returns the groups of roles that run as processes of their own. */
export function processesOf({ roles, isSingleProcess }: Config): Role[][] {
  if (isSingleProcess) return [[...roles]];
  return groups.map((group) => group.filter((role) => roles.has(role))).filter(({ length }) => length > 0);
}

/**
 * Runs the database, and the roles as processes that are started again when they end. A process that is busy or frozen delays
 * none of the others. The first process loads its code while the database starts.
 */
export async function startSupervised(config: Config): Promise<Service> {
  const log = openLog(config);
  const opening = openForRoles(config, log);
  const { promise: isReady, resolve: reportReady } = Promise.withResolvers<void>();
  const demoChain = config.runsDemo ? await startDemoChain(log, isReady) : undefined;
  /** The active key of secrets once a rotation has replaced that of the settings, which the processes inherit. */
  let rotatedKey: string | undefined;
  const children = processesOf(config).map((roles) => makeChild(roles));
  const stop = async () => {
    for (const child of children) await child.stop();
    await demoChain?.stop();
    await opening.then(
      (database) => database.close(),
      () => undefined,
    );
  };
  const kill = () => {
    for (const child of children) child.kill();
    demoChain?.kill();
  };
  try {
    const starting = startInOrder(children);
    // If the database does not open, its error is the one to report.
    starting.catch(() => undefined);
    await opening;
    const reports = await starting;
    reportReady();
    const url = reports.find((report) => typeof report === "string" && report !== "");
    return { url: String(url ?? ""), stop, kill };
  } catch (error) {
    await stop();
    throw error;
  }

  function makeChild(roles: Role[]): ChildService {
    const name = roles.join("+");
    const peerMetrics = async () => {
      const others = children.filter((child) => child.name !== name);
      return Promise.all(others.map((child) => child.request("metrics", metricsTimeoutMs)));
    };
    // A process that was frozen during a rotation has only a key that does not exist any more.
    const secretsKey = async (key: unknown) => {
      if (!config.secretsKey || typeof key !== "string" || key === rotatedKey) return;
      rotatedKey = key;
      for (const child of children) await child.notify("secretsKey", key);
    };
    const handlers = { peerMetrics, secretsKey };
    // The engine begins to read at once, and a node that does not listen yet would count as unreachable.
    const mayStart = roles.includes("ingest") ? opening.then(() => demoChain?.listening) : opening;
    // A process that is not started yet does not observe it.
    mayStart.catch(() => undefined);
    return new ChildService({
      ...{ name, log, clock: systemClock, handlers, mayStart },
      startWith: () => rotatedKey,
      spawn: () => spawnRoles(roles, demoChain?.url),
    });
  }
}

/** Starts the API before the others: people wait for it, and all of them at once would compete for the cores. */
async function startInOrder([first, ...others]: ChildService[]): Promise<unknown[]> {
  const report = await first?.start();
  return [report, ...(await Promise.all(others.map((child) => child.start())))];
}

/** Opens the database, unless the address that the API listens on is in use. */
async function openForRoles(config: Config, log: Log): Promise<OpenDatabase> {
  const database = await openSharedDatabase(config, log);
  try {
    if (config.roles.has("api")) await requireFreePort(config);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The command `serve` with roles; it inherits settings and output. */
function spawnRoles(roles: Role[], demoUrl: string | undefined): ChildProcess {
  const args = ["serve", roles.join(","), ...(demoUrl ? [demoUrl] : [])];
  const limits = roles.includes("api") ? garbageCollectionLimits : [];
  return fork(cliEntry, args, {
    stdio: "inherit",
    serialization: "advanced",
    execArgv: [...process.execArgv, ...limits],
  });
}

/**
 * The threads that collect the garbage of a worker thread do not have its low priority: while it parses a hostile body they would
 * take the cores of the event loop. A larger young generation makes them run less often.
 */
const garbageCollectionLimits = [
  `--v8-pool-size=${Math.min(4, Math.max(1, availableParallelism() - 1))}`,
  "--max-semi-space-size=32",
  // A start makes many objects that stay; growing in small steps would copy them again and again.
  "--min-semi-space-size=16",
];

/** The chain is small; without these limits its process would keep more garbage than data. */
const demoMemory = ["--max-semi-space-size=2", "--max-old-space-size=128"];

export type DemoService = Required<Service> & {
  /** Resolves when requests to the chain wait for it instead of failing; also if it never does. */
  listening: Promise<void>;
};

/**
 * Starts the process of the demo chain, which opens the chain after `mayStart`. Nobody needs it before the service is ready, and
 * until then the service needs the cores.
 */
export async function startDemoChain(log: Log, mayStart: Promise<void>): Promise<DemoService> {
  // Every process has to know the address before it starts, so that it is chosen here.
  const port = await findFreePort();
  const { promise: listening, resolve: listens } = Promise.withResolvers<void>();
  const child = new ChildService({
    ...{ name: "demo", log, clock: systemClock, mayStart, handlers: { listening: async () => listens() } },
    spawn: () =>
      fork(cliEntry, ["serve", "demo", String(port)], {
        stdio: "inherit",
        serialization: "advanced",
        execArgv: [...process.execArgv, ...demoMemory],
      }),
  });
  let isStopped = false;
  child.start().catch((error: unknown) => {
    // A service that cannot start stops it, and its own error is the one to report.
    if (!isStopped) log.error({ err: error }, "demo chain failed to start");
    listens();
  });
  return {
    ...{ url: `http://127.0.0.1:${port}`, listening },
    stop() {
      isStopped = true;
      return child.stop();
    },
    kill() {
      isStopped = true;
      child.kill();
    },
  };
}
