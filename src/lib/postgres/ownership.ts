import { chmod, chown, lchown, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { OperatorError } from "../operator-error.ts";
import { runProgram } from "./run-program.ts";
import { nobody, type Sandbox } from "./sandbox.ts";

/**
 * In a namespace root has no power over the folders of others. Where the server must pass through one, as
 * after `sudo` in a home folder, it runs as that folder's owner instead.
 */
export async function adaptToOwners(sandbox: Sandbox, folders: string[]): Promise<Sandbox> {
  for (const folder of folders) {
    if (sandbox.mode !== "namespace" || (await canEnter(sandbox, folder))) continue;
    return { ...sandbox, mode: "chown", ...(await findOwner(folder)) };
  }
  return sandbox;
}

/** The nearest owner, upwards, who is not root. */
async function findOwner(folder: string): Promise<{ uid: number; gid: number }> {
  const { uid, gid } = await stat(folder);
  if (uid !== 0) return { uid, gid };
  return folder === dirname(folder) ? { uid: nobody, gid: nobody } : findOwner(dirname(folder));
}

/** Makes a folder belong to the user that the server runs as; does nothing when it already does. */
export async function giveFolder({ mode, uid, gid }: Sandbox, folder: string): Promise<void> {
  if (mode === "plain" || (await stat(folder)).uid === uid) return;
  const entries = await readdir(folder, { recursive: true });
  // The folder itself last: its owner says that everything below is done.
  for (const entry of [...entries, "."]) await lchown(join(folder, entry), uid, gid);
}

/** Lets a server that runs as another user pass through the folder around its data, without listing it. */
export async function letPass(sandbox: Sandbox, folder: string): Promise<void> {
  if (await canEnter(sandbox, folder)) return;
  const { mode, uid } = await stat(folder);
  await chown(folder, uid, sandbox.gid);
  await chmod(folder, mode | 0o010);
  await assertReachable(sandbox, folder);
}

/** A server that runs as another user must be able to walk to its programs and to its data. */
export async function assertReachable(sandbox: Sandbox, folder: string): Promise<void> {
  if (await canEnter(sandbox, folder)) return;
  throw new OperatorError(
    `PostgreSQL does not run as root, and user ${sandbox.uid}, whom it would run as, cannot enter ${folder}. ` +
      "Let others enter it and the folders above it (chmod o+x), or run Tocsin as an ordinary user.",
  );
}

async function canEnter(sandbox: Sandbox, folder: string): Promise<boolean> {
  if (sandbox.mode === "plain") return true;
  return runProgram(sandbox, "sh", ["-c", 'cd "$1"', "sh", folder]).then(
    () => true,
    () => false,
  );
}
