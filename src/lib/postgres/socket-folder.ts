import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { giveFolder } from "./ownership.ts";
import type { Sandbox } from "./sandbox.ts";

/** The port is only a part of the socket's name: nothing listens on the network. */
export const port = 5432;

// The system's limit for the whole path of a socket is 104 bytes on macOS and 108 on Linux.
const maxFolderBytes = 103 - `/.s.PGSQL.${port}`.length;

/** Makes an empty folder that only we can enter, beside the data or, where that path is too long, in the temporary folder. */
export async function makeSocketFolder(sandbox: Sandbox, dataFolder: string): Promise<string> {
  const beside = `${dataFolder}-socket`;
  await rm(beside, { recursive: true, force: true });
  const isShort = Buffer.byteLength(beside) <= maxFolderBytes;
  const folder = isShort ? beside : await mkdtemp(join(tmpdir(), "tocsin-"));
  if (isShort) await mkdir(folder, { mode: 0o700 });
  await giveFolder(sandbox, folder);
  return folder;
}

/** Removes the socket of a server that has ended; its lock file would be believed if its number was given away. */
export async function removeSocket(folder: string): Promise<void> {
  await rm(join(folder, `.s.PGSQL.${port}`), { force: true });
  await rm(join(folder, `.s.PGSQL.${port}.lock`), { force: true });
}
