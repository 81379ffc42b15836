import { existsSync } from "node:fs";
import { copyFile, cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Config, version } from "../config.ts";
import { joinDatabase } from "../database.ts";
import { systemClock } from "../lib/clock.ts";
import { openLog } from "../lib/log/log.ts";
import { OperatorError } from "../lib/operator-error.ts";
import { copyDataFolder } from "../lib/postgres/base-backup.ts";
import { lockDataFolder } from "../lib/process/data-lock.ts";

const databaseFolder = "postgres";
const keyFile = "secrets.key";
/** Written last, so that an interrupted backup is not taken for a complete one. */
const descriptionFile = "backup.json";

/** Copies the embedded database and the secrets key into a new folder, also while the service runs. */
export async function makeBackup(config: Config, target: string): Promise<void> {
  if (config.databaseUrl)
    throw new OperatorError(
      "The database of DATABASE_URL is backed up with the tools of PostgreSQL, such as pg_dump. Keep SECRETS_KEY with it.",
    );
  if (existsSync(target)) throw new OperatorError(`${target} exists already. Name a new folder.`);
  const partial = `${resolve(target)}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true, mode: 0o700 });
  const database = await joinDatabase(config, openLog({ ...config, logLevel: "warn" }));
  try {
    await copyDataFolder(
      database.address,
      join(config.dataDir, databaseFolder),
      join(partial, databaseFolder),
    );
  } finally {
    await database.close();
  }
  const key = join(config.dataDir, keyFile);
  if (existsSync(key)) await copyFile(key, join(partial, keyFile));
  const description = { version, made_at: systemClock.now().toISOString() };
  await writeFile(join(partial, descriptionFile), `${JSON.stringify(description)}\n`);
  await rename(partial, target);
}

/** Copies a backup into a data folder that has no database, and returns when it was made. */
export async function restoreBackup(config: Config, source: string): Promise<string> {
  const description = await readFile(join(source, descriptionFile), "utf8").catch(() => {
    throw new OperatorError(`${source} is not a complete backup: it has no ${descriptionFile}.`);
  });
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const lock = await lockDataFolder(config.dataDir);
  try {
    await requireEmpty(config.dataDir);
    const partial = join(config.dataDir, `${databaseFolder}.partial`);
    await rm(partial, { recursive: true, force: true });
    await cp(join(source, databaseFolder), partial, { recursive: true });
    if (existsSync(join(source, keyFile)))
      await copyFile(join(source, keyFile), join(config.dataDir, keyFile));
    await rename(partial, join(config.dataDir, databaseFolder));
  } finally {
    await lock.release();
  }
  return JSON.parse(description).made_at;
}

/** Nothing is overwritten: neither a database nor the key of its secrets. */
async function requireEmpty(folder: string): Promise<void> {
  const taken = (await readdir(folder)).filter((name) => name === databaseFolder || name === keyFile);
  if (taken.length > 0)
    throw new OperatorError(`${join(folder, taken[0] ?? "")} exists already. Set DATA_DIR to a new folder.`);
}
