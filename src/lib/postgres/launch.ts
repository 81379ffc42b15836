import { join } from "node:path";
import { systemClock } from "../clock.ts";
import type { InitPlan } from "./init.ts";
import { clearOldServer } from "./old-server.ts";
import { waitUntilReady } from "./readiness.ts";
import type { DatabaseLog } from "./server-log.ts";
import { type ServerProcess, spawnServer } from "./server-process.ts";
import { serverArguments } from "./settings.ts";
import { removeSocket } from "./socket-folder.ts";

/** The parameters of a server start. */
export type LaunchPlan = InitPlan & {
  socketFolder: string;
  settings: Record<string, string>;
  log: DatabaseLog;
};

const staleServerTimeoutMs = 30_000;

/** Starts the server and returns when it accepts connections. Waits for the processes of a previous server to exit. */
export async function launchServer(plan: LaunchPlan, signal?: AbortSignal): Promise<ServerProcess> {
  const since = performance.now();
  while (true) {
    const server = await spawnAfterOld(plan, signal);
    try {
      await waitUntilReady(server, plan.socketFolder, plan.user);
      return server;
    } catch (error) {
      await server.end();
      if (!foundOldProcesses(server) || performance.now() - since > staleServerTimeoutMs) throw error;
      await systemClock.sleep(100, signal);
    }
  }
}

async function spawnAfterOld(plan: LaunchPlan, signal: AbortSignal | undefined): Promise<ServerProcess> {
  await clearOldServer(plan.folder, signal);
  await removeSocket(plan.socketFolder);
  signal?.throwIfAborted();
  const program = join(plan.binaries.folder, "postgres");
  const args = serverArguments(plan.folder, plan.socketFolder, plan.settings);
  const server = spawnServer(plan.sandbox, program, args, plan.log);
  signal?.addEventListener("abort", server.end);
  server.ended.then(() => signal?.removeEventListener("abort", server.end));
  return server;
}

/** The children of a killed server hold its shared memory until they exit. */
function foundOldProcesses(server: ServerProcess): boolean {
  return /pre-existing shared memory block|lock file ".*" (already exists|is empty)/.test(server.recentLog());
}
