import { cp, mkdir, readdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import pg from "pg";

/** Files that belong to the running server and not to its data. */
const processFiles = new Set(["postmaster.pid", "postmaster.opts"]);
/** Folders whose contents a server creates again when it starts. The write-ahead log is copied after the rest. */
const emptyFolders = new Set([
  "pg_wal",
  "pg_replslot",
  "pg_dynshmem",
  "pg_notify",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans",
]);

/**
 * Copies the data folder of a running server. Writes may continue meanwhile: the copied write-ahead log brings the copy to the
 * state at the end of the backup when a server first starts on it.
 */
export async function copyDataFolder(
  address: pg.ClientConfig,
  folder: string,
  target: string,
): Promise<void> {
  const client = new pg.Client(address);
  await client.connect();
  try {
    // Keeps the write-ahead log that the copy needs; dropped with the connection.
    await client.query("select pg_create_physical_replication_slot('tocsin_backup', true, true)");
    await client.query("select pg_backup_start('tocsin', true)");
    await copyFiles(folder, target);
    const { rows } = await client.query<{ labelfile: string }>("select labelfile from pg_backup_stop(false)");
    await copyWriteAheadLog(folder, target);
    await writeFile(join(target, "backup_label"), rows[0]?.labelfile ?? "");
  } finally {
    await client.end();
  }
}

async function copyFiles(folder: string, target: string): Promise<void> {
  const isCopied = (path: string) => {
    const parts = relative(folder, path).split("/");
    if (parts.length === 1) return !processFiles.has(parts[0] ?? "");
    return !emptyFolders.has(parts[0] ?? "") && !(parts.at(-1) ?? "").startsWith("pgsql_tmp");
  };
  await copyTree(folder, target, isCopied);
}

/** Copies a tree whose files may disappear meanwhile, as those of dropped tables do. */
async function copyTree(from: string, to: string, isCopied: (path: string) => boolean): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    if (!isCopied(source)) continue;
    const copied = join(to, entry.name);
    if (entry.isDirectory()) await copyTree(source, copied, isCopied);
    else if (entry.isFile()) await cp(source, copied).catch(ignoreMissing);
  }
}

async function copyWriteAheadLog(folder: string, target: string): Promise<void> {
  for (const name of await readdir(join(folder, "pg_wal")))
    if (/^[0-9A-F]{24}$/.test(name))
      await cp(join(folder, "pg_wal", name), join(target, "pg_wal", name)).catch(ignoreMissing);
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}
