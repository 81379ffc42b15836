import { mkdir, rm, statfs } from "node:fs/promises";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";
import { deleteLeftOvers } from "./left-overs.ts";

const prefix = "tocsin-run-";
const gigabyte = 1024 ** 3;
/** A whole run needs about 4 GB for its databases, and as much for its processes. */
const neededBytes = 12 * gigabyte;

/**
 * Makes the folder in which the processes of a test run have all their temporary files, and sets TMPDIR to it. It is in memory
 * where there is enough: each test file has a database of hundreds of small files.
 */
export async function openTemporaryFolder(): Promise<{ close(): Promise<void> }> {
  const parent = process.env.TMPDIR ?? ((await hasRoom("/dev/shm")) ? "/dev/shm" : tmpdir());
  await deleteLeftOvers(parent, prefix);
  const folder = join(parent, `${prefix}${process.pid}`);
  // Some tests run a server as another user.
  await mkdir(folder, { mode: 0o711 });
  process.env.TMPDIR = folder;
  return { close: () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }) };
}

async function hasRoom(folder: string): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize > neededBytes && freemem() > neededBytes;
  } catch {
    return false;
  }
}
