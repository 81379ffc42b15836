import { open, readFile, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../clock.ts";
import { OperatorError } from "../operator-error.ts";
import { findProcess } from "../process/process-info.ts";

/** Names the server after the process that started it, so that a later start can tell its own orphan. */
export const clusterName = `tocsin-${process.pid}`;

const stopTimeoutMs = 60_000;
const runningTimeoutMs = 3_000;

/** Returns once no server runs on the folder: a stopping one is waited for, an orphan of ours is stopped. */
export async function clearOldServer(folder: string, signal?: AbortSignal): Promise<void> {
  const since = performance.now();
  while (!signal?.aborted) {
    const old = await readOldServer(folder);
    if (!old) return;
    if (!old.isAlive) return disown(folder, old.text);
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
  const found = await findProcess(pid);
  const isHere = found?.workingFolder === undefined || found.workingFolder === (await realpath(folder));
  const launcher = /cluster_name=tocsin-(\d+)/.exec(found?.command ?? "")?.[1];
  return {
    text,
    pid,
    // The number may have gone to some other program since, most easily when a container restarts.
    isAlive: found?.command.includes("postgres") === true && isHere,
    isOrphan: launcher !== undefined && found?.parent !== Number(launcher),
    isStopping: lines[7]?.trim() === "stopping",
  };
}

/**
 * PostgreSQL takes any process with the old number for its old server, except its own parent: us. Putting our
 * number there keeps its second check, for processes of the old server that still have its memory.
 */
async function disown(folder: string, text: string): Promise<void> {
  const path = join(folder, "postmaster.pid");
  const [, ...rest] = text.split("\n");
  if (rest.length < 2) return rm(path, { force: true });
  const handle = await open(path, "r+").catch((error: NodeJS.ErrnoException) => {
    // Its last act is to remove the file itself, perhaps after we have read it.
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
    // It ended between the look and the signal.
  }
}

function stillRunning(folder: string, pid: number): OperatorError {
  return new OperatorError(
    `Another PostgreSQL (process ${pid}) is already using ${folder}. Stop it first (kill -INT ${pid}).`,
  );
}
