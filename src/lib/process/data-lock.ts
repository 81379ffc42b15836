import { randomUUID } from "node:crypto";
import { mkdir, readlink, symlink, unlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { systemClock } from "../clock.ts";
import { OperatorError } from "../operator-error.ts";
import { findProcess } from "./process-info.ts";

/** Claims a data folder, created when missing, for this process alone; the end of the process frees it too. */
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

/** `text` is what the lock says: the process, a word used once, and when that process started. */
type Holder = { pid: number; once: string; started: string; text: string };

async function describeSelf(): Promise<Holder> {
  const started = (await findProcess(process.pid))?.started ?? "unknown";
  return parseHolder(`${process.pid} ${randomUUID()} ${started}`);
}

function parseHolder(text: string): Holder {
  const [pid, once = "unreadable", ...started] = text.split(" ");
  return { pid: Number(pid), once, started: started.join(" "), text };
}

async function claimOrExplain(folder: string, path: string, self: Holder): Promise<Holder> {
  try {
    await mkdir(resolve(folder), { recursive: true, mode: 0o700 });
    return await claim(path, self);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new OperatorError(`The data folder ${folder} cannot be used: ${reason}.`, { cause });
  }
}

/** Returns who holds the lock afterwards. */
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
 * Two processes that meet the same stale lock must not remove one another's new one, so a lock is only
 * removed by who holds a second lock named after it; that one can go stale too, and is claimed alike.
 */
async function removeStale(path: string, stale: Holder, self: Holder): Promise<void> {
  const permission = `${path}.${stale.once}`;
  const holder = await claim(permission, self);
  if (holder !== self) return systemClock.sleep(10);
  await removeIfStill(path, stale);
  await removeIfStill(permission, self);
}

/** A link to nowhere, as Firefox does it: made whole or not at all, never seen half written. */
async function createLock(path: string, self: Holder): Promise<boolean> {
  try {
    await symlink(self.text, path);
    return true;
  } catch (error) {
    return nothingWhen("EEXIST", error) ?? false;
  }
}

async function readLock(path: string): Promise<Holder | undefined> {
  const text = await readlink(path).catch((error) => nothingWhen("ENOENT", error));
  return text === undefined ? undefined : parseHolder(text);
}

async function removeIfStill(path: string, holder: Holder): Promise<void> {
  if ((await readLock(path))?.text === holder.text) await unlink(path);
}

async function isAlive(holder: Holder): Promise<boolean> {
  const found = await findProcess(holder.pid);
  return found !== undefined && (found.started === holder.started || holder.started === "unknown");
}

function nothingWhen(code: string, error: unknown): undefined {
  if (error instanceof Error && "code" in error && error.code === code) return undefined;
  throw error;
}
