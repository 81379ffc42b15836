import { existsSync } from "node:fs";
import { mkdtemp, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { OperatorError } from "../operator-error.ts";
import type { Binaries } from "./binaries.ts";
import { chownFolder } from "./ownership.ts";
import { runProgram } from "./run-program.ts";
import type { Sandbox } from "./sandbox.ts";

/** The parameters of a new data folder. */
export type InitPlan = { folder: string; user: string; binaries: Binaries; sandbox: Sandbox };

/** Creates the data folder on the first start; later checks that the version matches. */
export async function ensureInitialised(plan: InitPlan): Promise<void> {
  if (!isComplete(plan.folder)) await initialise(plan);
  await assertSameVersion(plan);
}

function isComplete(folder: string): boolean {
  return existsSync(join(folder, "PG_VERSION")) && existsSync(join(folder, "global", "pg_control"));
}

/** Creates a temporary folder and renames it, so that an interrupted first start leaves nothing half done. */
async function initialise(plan: InitPlan): Promise<void> {
  await assertEmpty(plan.folder);
  await removeUnfinished(plan.folder);
  const unfinished = await mkdtemp(`${plan.folder}.unfinished-`);
  await chownFolder(plan.sandbox, unfinished);
  await runProgram(plan.sandbox, join(plan.binaries.folder, "initdb"), initArguments(plan, unfinished));
  await rename(unfinished, plan.folder);
  await syncFolder(dirname(plan.folder));
}

function initArguments(plan: InitPlan, folder: string): string[] {
  return [
    `--pgdata=${folder}`,
    `--username=${plan.user}`,
    "--encoding=UTF8",
    ...localeArguments(plan.binaries.version),
    "--data-checksums",
    // No authentication on the socket: its folder is accessible to this user only, and there is no TCP port.
    "--auth-local=trust",
    "--auth-host=reject",
    "--no-instructions",
  ];
}

/** Sorts by code point, so that a system update cannot corrupt an index. */
function localeArguments(version: number): string[] {
  if (version >= 17) return ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  return [process.platform === "linux" ? "--locale=C.UTF-8" : "--locale=C"];
}

/** Never deletes an existing folder: a damaged database must not be replaced by an empty one. */
async function assertEmpty(folder: string): Promise<void> {
  const entries = existsSync(folder) ? await readdir(folder) : [];
  if (entries.length === 0) return;
  throw new OperatorError(
    `The folder ${folder} is not empty and holds no complete database. Restore it from a backup, or move it away to start with a new database.`,
  );
}

async function removeUnfinished(folder: string): Promise<void> {
  const prefix = `${basename(folder)}.unfinished-`;
  const siblings = await readdir(dirname(folder));
  for (const name of siblings.filter((sibling) => sibling.startsWith(prefix))) {
    // An interrupted initdb may still be writing.
    await rm(join(dirname(folder), name), { recursive: true, force: true, maxRetries: 10 });
  }
}

async function assertSameVersion({ folder, binaries }: InitPlan): Promise<void> {
  const version = Number((await readFile(join(folder, "PG_VERSION"), "utf8")).trim());
  if (version === binaries.version) return;
  throw new OperatorError(
    `The database in ${folder} was made by PostgreSQL ${version}, but this is PostgreSQL ${binaries.version}. ` +
      `Dump it with version ${version} and restore it into an empty folder.`,
  );
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}
