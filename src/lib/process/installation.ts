import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Where the parts of this installation are. The code runs from the sources in `src`, or from a bundle of them in `dist/<build>`,
 * so that no other module finds a file by its own location.
 */
const thisFile = fileURLToPath(import.meta.url);
const root = findRoot(dirname(thisFile));
const isBundled = thisFile.endsWith(".js");

/** Locates a file by its path in the repository, such as a migration. */
export function locateFile(path: string): string {
  return join(root, path);
}

/** Locates a module that a process or thread starts with by its path in the repository: its source, or its bundle. */
export function locateEntry(path: string): string {
  if (!isBundled) return join(root, path);
  const [folder = "", build = ""] = relative(root, thisFile).split(sep);
  return join(root, folder, build, path.replace(/\.ts$/, ".js"));
}

/** The folder of the compile cache. That of a bundle is deleted with it. */
export const compileCacheFolder = isBundled
  ? locateEntry("cache")
  : join(root, "node_modules", ".cache", "tocsin");

function findRoot(folder: string): string {
  if (existsSync(join(folder, "package.json"))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error(`There is no package.json above ${thisFile}.`);
  return findRoot(parent);
}
