import { access, constants, mkdir } from "node:fs/promises";
import { sql } from "kysely";
import { maskConfig } from "../config/mask.ts";
import { loadConfig } from "../config.ts";
import { withApp, withDatabase } from "../main.ts";
import { countMails } from "../store/accounts/mail.ts";
import { proveKey } from "../store/secrets/key-ring.ts";

/** Runs every check and exits with 1 if one failed. */
export async function run(): Promise<void> {
  const config = loadConfig();
  for (const [name, value] of Object.entries(maskConfig(config))) console.log(`${name.padEnd(16)} ${value}`);
  console.log("");
  await check("Node.js", async () => process.version);
  await check("Data folder", async () => {
    await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
    await access(config.dataDir, constants.W_OK);
    return `${config.dataDir} is writable`;
  });
  await check("Database", () =>
    withDatabase(config, async (db) => {
      const { rows } = await sql<{ server_version: string }>`show server_version`.execute(db);
      const { queued, failed } = await countMails(db);
      return `PostgreSQL ${rows[0]?.server_version}, migrated; mails: ${queued} waiting, ${failed} failed`;
    }),
  );
  await check("Secrets", () =>
    withApp(config, async (app, _migrations, ring) => {
      const opened = await proveKey(app.db, ring.active());
      const note = ring.retiring() ? "; a rotation is not finished: run `tocsin secrets rotate`" : "";
      return `the key opens the database's check value and ${opened} sealed values${note}`;
    }),
  );
}

async function check(name: string, probe: () => Promise<string>): Promise<void> {
  try {
    console.log(`ok    ${name}: ${await probe()}`);
  } catch (error) {
    process.exitCode = 1;
    console.log(`FAIL  ${name}: ${error instanceof Error ? error.message : error}`);
  }
}
