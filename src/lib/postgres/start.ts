import { mkdir, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { findBinaries, tryBinaries } from "./binaries.ts";
import { ensureInitialised } from "./init.ts";
import { keepRunning } from "./keep-running.ts";
import { type LaunchPlan, launchServer } from "./launch.ts";
import { clearOldServer } from "./old-server.ts";
import { adaptToOwners, giveFolder, letPass } from "./ownership.ts";
import { chooseSandbox, type SandboxMode } from "./sandbox.ts";
import type { DatabaseLog } from "./server-log.ts";
import { makeSocketFolder, port } from "./socket-folder.ts";

/** A database server of our own, for `pg` to connect to; one that ends by itself is started again. */
export type RunningPostgres = {
  /** The folder of its socket; nothing listens on the network. */
  host: string;
  port: number;
  user: string;
  /** Undefined while it is being started again. */
  pid(): number | undefined;
  /** Ends open connections, waits until everything is on disk, and kills only after a deadline. */
  stop(): Promise<void>;
};

export type PostgresOptions = {
  /** Where the data lives; made on the first start. */
  folder: string;
  user?: string;
  /** A folder with PostgreSQL's programs; otherwise those that came with the dependencies. */
  binaries?: string;
  settings?: Record<string, string>;
  /** How to run as root; otherwise what the system allows. */
  sandbox?: SandboxMode;
  log: DatabaseLog;
};

/** Starts PostgreSQL on a data folder and returns when it accepts connections. */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const plan = await preparePlan(options);
  const running = await startKept(plan).catch(async (error) => {
    await removeFolder(plan.socketFolder);
    throw error;
  });
  return {
    host: plan.socketFolder,
    port,
    user: plan.user,
    pid: running.pid,
    stop: () => running.stop().then(() => removeFolder(plan.socketFolder)),
  };
}

async function preparePlan(options: PostgresOptions): Promise<LaunchPlan> {
  const folder = resolve(options.folder);
  const { user = "tocsin", settings = {}, log } = options;
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  const programs = await findBinaries(options.binaries);
  const sandbox = await adaptToOwners(await chooseSandbox(options.sandbox), [programs, dirname(folder)]);
  const binaries = await tryBinaries(sandbox, programs);
  await letPass(sandbox, dirname(folder));
  await ensureInitialised({ folder, user, binaries, sandbox });
  // Before its files and its socket are touched, an old server must be known to be gone.
  await clearOldServer(folder);
  await giveFolder(sandbox, folder);
  const socketFolder = await makeSocketFolder(sandbox, folder);
  return { folder, socketFolder, user, binaries, sandbox, settings, log };
}

async function startKept(plan: LaunchPlan) {
  const first = await launchServer(plan);
  return keepRunning(first, (signal) => launchServer(plan, signal), plan.log);
}

async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}
