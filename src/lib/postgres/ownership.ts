import { chmod, chown, lchown, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { OperatorError } from "../operator-error.ts";
import { runProgram } from "./run-program.ts";
import { nobody, type Sandbox } from "./sandbox.ts";

/**
 * In a user namespace root cannot access the folders of other users. If the server must traverse one, for example
 * after `sudo` in a home folder, it runs as the owner of that folder.
 */
export async function adaptToOwners(sandbox: Sandbox, folders: string[]): Promise<Sandbox> {
  for (const folder of folders) {
    if (sandbox.mode !== "namespace" || (await canEnter(sandbox, folder))) continue;
    return { ...sandbox, mode: "chown", ...(await findOwner(folder)) };
  }
  return sandbox;
}

/** The owner of the nearest parent folder that root does not own. */
async function findOwner(folder: string): Promise<{ uid: number; gid: number }> {
  const { uid, gid } = await stat(folder);
  if (uid !== 0) return { uid, gid };
  return folder === dirname(folder) ? { uid: nobody, gid: nobody } : findOwner(dirname(folder));
}

/** Changes the owner of a folder to the user of the server. */
export async function chownFolder({ mode, uid, gid }: Sandbox, folder: string): Promise<void> {
  if (mode === "plain" || (await stat(folder)).uid === uid) return;
  const entries = await readdir(folder, { recursive: true });
  // The folder itself comes last, so that its owner proves that the rest is done.
  for (const entry of [...entries, "."]) await lchown(join(folder, entry), uid, gid);
}

/** Allows the user of the server to traverse the folder around its data, without listing it. */
export async function allowTraversal(sandbox: Sandbox, folder: string): Promise<void> {
  if (await canEnter(sandbox, folder)) return;
  const { mode, uid } = await stat(folder);
  await chown(folder, uid, sandbox.gid);
  await chmod(folder, mode | 0o010);
  await assertReachable(sandbox, folder);
}

/** Throws when the user of the server cannot reach the folder. */
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
