import { mkdir, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { findBinaries, verifyBinaries } from "./binaries.ts";
import { ensureInitialised } from "./init.ts";
import { type LaunchPlan, launchServer } from "./launch.ts";
import { clearOldServer } from "./old-server.ts";
import { adaptToOwners, allowTraversal, chownFolder } from "./ownership.ts";
import { chooseSandbox, type SandboxMode } from "./sandbox.ts";
import type { DatabaseLog } from "./server-log.ts";
import { makeSocketFolder, port } from "./socket-folder.ts";
import { superviseServer } from "./supervise-server.ts";

/** A supervised embedded PostgreSQL server. */
export type RunningPostgres = {
  /** The folder of its socket. */
  host: string;
  port: number;
  user: string;
  /** Undefined during a restart. */
  pid(): number | undefined;
  /** Closes open connections, waits for a clean shutdown, and kills the server after a deadline. */
  stop(): Promise<void>;
};

export type PostgresOptions = {
  /** The data folder; created on the first start. */
  folder: string;
  user?: string;
  /** The folder of the PostgreSQL binaries; by default those of the dependencies. */
  binaries?: string;
  settings?: Record<string, string>;
  /** How to run as root; by default what the system supports. */
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
  const binaries = await verifyBinaries(sandbox, programs);
  await allowTraversal(sandbox, dirname(folder));
  await ensureInitialised({ folder, user, binaries, sandbox });
  // An old server must have stopped before its files and socket are changed.
  await clearOldServer(folder);
  await chownFolder(sandbox, folder);
  const socketFolder = await makeSocketFolder(sandbox, folder);
  return { folder, socketFolder, user, binaries, sandbox, settings, log };
}

async function startKept(plan: LaunchPlan) {
  const first = await launchServer(plan);
  return superviseServer(first, (signal) => launchServer(plan, signal), plan.log);
}

async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}
