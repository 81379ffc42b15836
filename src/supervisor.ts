import { type ChildProcess, fork } from "node:child_process";
import type { Role } from "./config/settings.ts";
import type { Config } from "./config.ts";
import { type OpenDatabase, openSharedDatabase } from "./database.ts";
import { systemClock } from "./lib/clock.ts";
import { type Log, openLog } from "./lib/log/log.ts";
import { ChildService } from "./lib/process/child-service.ts";
import { requireFreePort } from "./lib/process/free-port.ts";
import { locateEntry } from "./lib/process/installation.ts";
import type { Service } from "./main.ts";

const entry = locateEntry("src/cli/index.ts");
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
 * none of the others. The processes load their code while the database starts.
 */
export async function startSupervised(config: Config): Promise<Service> {
  const log = openLog(config);
  const opening = openForRoles(config, log);
  const children = processesOf(config).map((roles) => makeChild(roles));
  const stop = async () => {
    for (const child of children) await child.stop();
    await opening.then(
      (database) => database.close(),
      () => undefined,
    );
  };
  try {
    const starting = Promise.all(children.map((child) => child.start()));
    // If the database does not open, its error is the one to report.
    starting.catch(() => undefined);
    await opening;
    const reports = await starting;
    const url = reports.find((report) => typeof report === "string" && report !== "");
    return { url: String(url ?? ""), stop, kill: () => children.map((child) => child.kill()) };
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
    const handlers = { peerMetrics };
    return new ChildService({
      ...{ name, log, clock: systemClock, handlers, mayStart: opening },
      spawn: () => spawnRoles(roles),
    });
  }
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
function spawnRoles(roles: Role[]): ChildProcess {
  return fork(entry, ["serve", roles.join(",")], { stdio: "inherit", serialization: "advanced" });
}
