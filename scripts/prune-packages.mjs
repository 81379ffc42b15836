// Deletes what an installation never reads: type declarations and source maps of packages. They are a third of its size. An
// installation for tests keeps them, because its type checks read them.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const unread = /\.d\.[cm]?ts$|\.map$/;

export function prunePackages(folder) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    // Links lead to our own sources.
    if (entry.isDirectory()) prunePackages(path);
    else if (entry.isFile() && unread.test(entry.name)) rmSync(path);
  }
}
