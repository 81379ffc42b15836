import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import type { TestProject } from "vitest/node";
import { makeLog } from "../src/lib/log.ts";
import { startPostgres } from "../src/lib/postgres/start.ts";
import { migrate } from "../src/store/migrate.ts";
import { openStore } from "../src/store/open-store.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgres: { host: string; port: number; user: string };
  }
}

/** The template database that test databases are cloned from. */
export const templateName = "tocsin_template";

// Child processes of tests share a compile cache, since loading takes most of their time.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL("../node_modules/.cache/tocsin", import.meta.url));

/** Starts one PostgreSQL for the whole run. TEST_POSTGRES_BIN is the folder of other binaries. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "tocsin-test-"));
  const binaries = process.env.TEST_POSTGRES_BIN;
  const server = await startPostgres({
    folder: join(folder, "postgres"),
    ...(binaries && { binaries }),
    // The data does not outlive the run, so no sync is needed.
    settings: { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "200" },
    log: () => undefined,
  });
  const { host, port, user } = server;
  await makeTemplate({ host, port, user });
  project.provide("postgres", { host, port, user });
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

async function makeTemplate(address: { host: string; port: number; user: string }): Promise<void> {
  const log = makeLog("silent");
  const admin = openStore({ ...address, database: "postgres" }, log, { isPatient: true });
  await sql`create database ${sql.id(templateName)}`.execute(admin.db);
  await admin.close();
  const template = openStore({ ...address, database: templateName }, log, { isPatient: true });
  await migrate(template.db);
  await template.close();
}
