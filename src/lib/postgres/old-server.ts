import { open, readFile, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../clock.ts";
import { OperatorError } from "../operator-error.ts";
import { findProcess } from "../process/process-info.ts";

/** The cluster name contains the pid of the starter, so that a later start recognises an orphan. */
export const clusterName = `tocsin-${process.pid}`;

const stopTimeoutMs = 60_000;
const runningTimeoutMs = 3_000;

/** Returns when no server runs on the folder. Waits for a stopping one and stops an orphan. */
export async function clearOldServer(folder: string, signal?: AbortSignal): Promise<void> {
  const since = performance.now();
  while (!signal?.aborted) {
    const old = await readOldServer(folder);
    if (!old) return;
    if (!old.isAlive) return claimPidFile(folder, old.text);
    if (old.isOrphan && !old.isStopping) stopOrphan(old.pid);
    const patienceMs = old.isOrphan || old.isStopping ? stopTimeoutMs : runningTimeoutMs;
    if (performance.now() - since > patienceMs) throw stillRunning(folder, old.pid);
    await systemClock.sleep(50, signal);
  }
}

async function readOldServer(folder: string) {
  const text = await readFile(join(folder, "postmaster.pid"), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const lines = text.split("\n");
  const pid = Number(lines[0]);
  const running = await findProcess(pid);
  const isHere = running?.workingFolder === undefined || running.workingFolder === (await realpath(folder));
  const launcher = /cluster_name=tocsin-(\d+)/.exec(running?.command ?? "")?.[1];
  return {
    text,
    pid,
    // Another program may have got the pid since, especially after a container restart.
    isAlive: running?.command.includes("postgres") === true && isHere,
    isOrphan: launcher !== undefined && running?.parent !== Number(launcher),
    isStopping: lines[7]?.trim() === "stopping",
  };
}

/**
 * PostgreSQL assumes that a process with the old pid is its old server, unless it is its own parent. Writing our pid
 * keeps its second check, for children of the old server with its shared memory.
 */
async function claimPidFile(folder: string, text: string): Promise<void> {
  const path = join(folder, "postmaster.pid");
  const [, ...rest] = text.split("\n");
  if (rest.length < 2) return rm(path, { force: true });
  const handle = await open(path, "r+").catch((error: NodeJS.ErrnoException) => {
    // The server removes the file when it stops, possibly after we read it.
    if (error.code !== "ENOENT") throw error;
    return undefined;
  });
  if (!handle) return;
  const { bytesWritten } = await handle.write([process.pid, ...rest].join("\n"), 0);
  await handle.truncate(bytesWritten).finally(() => handle.close());
}

function stopOrphan(pid: number): void {
  try {
    process.kill(pid, "SIGINT");
  } catch {
    // It exited before the signal.
  }
}

function stillRunning(folder: string, pid: number): OperatorError {
  return new OperatorError(
    `Another PostgreSQL (process ${pid}) is already using ${folder}. Stop it first (kill -INT ${pid}).`,
  );
}
