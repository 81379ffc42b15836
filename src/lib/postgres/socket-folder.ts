import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chownFolder } from "./ownership.ts";
import type { Sandbox } from "./sandbox.ts";

/** Part of the socket's file name; nothing listens on the network. */
export const port = 5432;

// The path of a socket is limited to 104 bytes on macOS and 108 on Linux.
const maxFolderBytes = 103 - `/.s.PGSQL.${port}`.length;

/** Creates a private folder beside the data or, if that path is too long, in the temporary folder. */
export async function makeSocketFolder(sandbox: Sandbox, dataFolder: string): Promise<string> {
  const beside = `${dataFolder}-socket`;
  await rm(beside, { recursive: true, force: true });
  const isShort = Buffer.byteLength(beside) <= maxFolderBytes;
  const folder = isShort ? beside : await mkdtemp(join(tmpdir(), "tocsin-"));
  if (isShort) await mkdir(folder, { mode: 0o700 });
  await chownFolder(sandbox, folder);
  return folder;
}

/** Removes the socket and lock file of a stopped server; PostgreSQL would trust the lock file if its pid was reused. */
export async function removeSocket(folder: string): Promise<void> {
  await rm(join(folder, `.s.PGSQL.${port}`), { force: true });
  await rm(join(folder, `.s.PGSQL.${port}.lock`), { force: true });
}
