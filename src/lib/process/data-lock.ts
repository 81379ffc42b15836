import { randomUUID } from "node:crypto";
import { mkdir, readlink, symlink, unlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { systemClock } from "../clock.ts";
import { OperatorError } from "../operator-error.ts";
import { findProcess } from "./process-info.ts";

/** Locks a data folder for this process and creates it when missing. The lock ends with the process. */
export async function lockDataFolder(folder: string): Promise<{ release(): Promise<void> }> {
  const path = join(resolve(folder), "tocsin.lock");
  const self = await describeSelf();
  const holder = await claimOrExplain(folder, path, self);
  if (holder !== self) {
    throw new OperatorError(
      `Another Tocsin (process ${holder.pid}) is already using the data folder ${folder}. ` +
        "Stop it first, or set DATA_DIR to another folder.",
    );
  }
  return { release: () => removeIfStill(path, self) };
}

/** `text` is the content of the lock: pid, nonce and start time of the process. */
type Holder = { pid: number; nonce: string; started: string; text: string };

async function describeSelf(): Promise<Holder> {
  const started = (await findProcess(process.pid))?.started ?? "unknown";
  return parseHolder(`${process.pid} ${randomUUID()} ${started}`);
}

function parseHolder(text: string): Holder {
  const [pid, nonce = "unreadable", ...started] = text.split(" ");
  return { pid: Number(pid), nonce, started: started.join(" "), text };
}

async function claimOrExplain(folder: string, path: string, self: Holder): Promise<Holder> {
  try {
    await mkdir(resolve(folder), { recursive: true, mode: 0o700 });
    return await claim(path, self);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new OperatorError(`The data folder ${folder} cannot be used: ${reason}. ${remedyFor(cause)}`, {
      cause,
    });
  }
}

function remedyFor(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (code === "ENOSPC")
    return "Its disk is full: free some space, or set DATA_DIR to a folder on another disk.";
  return "Make it a folder that you can write to, or set DATA_DIR to another one.";
}

/** Returns the holder of the lock. */
async function claim(path: string, self: Holder): Promise<Holder> {
  while (true) {
    if (await createLock(path, self)) return self;
    const holder = await readLock(path);
    if (!holder) continue;
    if (await isAlive(holder)) return holder;
    await removeStale(path, holder, self);
  }
}

/**
 * Two processes that find the same stale lock must not remove each other's new lock, so removing a lock requires a
 * second lock named after it. The second lock can become stale too and is claimed in the same way.
 */
async function removeStale(path: string, stale: Holder, self: Holder): Promise<void> {
  const permission = `${path}.${stale.nonce}`;
  const holder = await claim(permission, self);
  if (holder !== self) return systemClock.sleep(10);
  await removeIfStill(path, stale);
  await removeIfStill(permission, self);
}

/** A dangling symlink, as in Firefox: its creation is atomic. */
async function createLock(path: string, self: Holder): Promise<boolean> {
  try {
    await symlink(self.text, path);
    return true;
  } catch (error) {
    return ignoreCode("EEXIST", error) ?? false;
  }
}

async function readLock(path: string): Promise<Holder | undefined> {
  const text = await readlink(path).catch((error) => ignoreCode("ENOENT", error));
  return text === undefined ? undefined : parseHolder(text);
}

async function removeIfStill(path: string, holder: Holder): Promise<void> {
  if ((await readLock(path))?.text === holder.text) await unlink(path);
}

async function isAlive(holder: Holder): Promise<boolean> {
  const running = await findProcess(holder.pid);
  return running !== undefined && (running.started === holder.started || holder.started === "unknown");
}

function ignoreCode(code: string, error: unknown): undefined {
  if (error instanceof Error && "code" in error && error.code === code) return undefined;
  throw error;
}
