import { readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { findProcess } from "../../src/lib/process/process-info.ts";

/** Deletes the folders whose name is a prefix and the id of a process that no longer runs: those of runs that were killed. */
export async function deleteLeftOvers(parent: string, prefix: string): Promise<void> {
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : Number.NaN;
    if (!Number.isInteger(pid) || (await findProcess(pid))) continue;
    await rm(join(parent, name), { recursive: true, force: true });
  }
}
