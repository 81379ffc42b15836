import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { sql } from "kysely";
import type { TestProject } from "vitest/node";
import { ensureBundle, writeBundle } from "../scripts/bundle.mjs";
import { makeLog } from "../src/lib/log/log.ts";
import { type RunningPostgres, startPostgres } from "../src/lib/postgres/start.ts";
import { migrate } from "../src/store/migrate.ts";
import { openStore } from "../src/store/open-store.ts";
import { deleteLeftOvers } from "./support/left-overs.ts";
import { openTemporaryFolder } from "./support/temporary-folder.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgres: { host: string; port: number; user: string };
    /** A PostgreSQL data folder with the migrated database of a service. */
    initialisedFolder: string;
    /** The folders of the service's bundle and of the bundle of the child processes of tests. */
    bundles: { service: string; children: string };
  }
}

/** The template database that test databases are cloned from. */
export const templateName = "tocsin_template";

const root = fileURLToPath(new URL("..", import.meta.url));

// Child processes of tests share a compile cache, since loading takes most of their time.
process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules", ".cache", "tocsin");

/** The modules that tests run in processes of their own. */
const children = [
  "test/crash/engine-child.ts",
  "test/delivery/worker-child.ts",
  "test/lib/limiter/limiter-child.ts",
  "test/jobs/policies/policy-child.ts",
  "test/solana/engine-child.ts",
];

/** Bundles the service and starts one PostgreSQL for the whole run. TEST_POSTGRES_BIN is the folder of other binaries. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const temporary = await openTemporaryFolder();
  const [server] = await Promise.all([startDatabases(project), bundleFor(project), buildDashboard()]);
  return async () => {
    await server.stop();
    await temporary.close();
    await rm(childrenFolder, { recursive: true, force: true });
  };
}

const childrenFolder = join(root, "dist", `test-${process.pid}`);

async function bundleFor(project: TestProject): Promise<void> {
  project.provide("bundles", { service: await ensureBundle(root), children: childrenFolder });
  await deleteLeftOvers(join(root, "dist"), "test-");
  await writeBundle(root, childrenFolder, children);
}

/** `npm test` has built it; this is for runs of single files. */
async function buildDashboard(): Promise<void> {
  const script = fileURLToPath(new URL("../scripts/build-dashboard.mjs", import.meta.url));
  await promisify(execFile)(process.execPath, [script]);
}

async function startDatabases(project: TestProject): Promise<{ stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "tocsin-test-"));
  const data = join(folder, "postgres");
  const first = await start(data);
  await makeDatabases(first);
  await first.stop();
  const initialised = join(folder, "initialised");
  await promisify(execFile)("cp", ["-a", data, initialised]);
  project.provide("initialisedFolder", initialised);
  const server = await start(data);
  await writeCatalogCache(server);
  const { host, port, user, stop } = server;
  project.provide("postgres", { host, port, user });
  return { stop };
}

function start(folder: string): Promise<RunningPostgres> {
  const binaries = process.env.TEST_POSTGRES_BIN;
  return startPostgres({
    folder,
    ...(binaries && { binaries }),
    settings: {
      // The data does not outlive the run, so no sync is needed, and neither are checkpoints.
      ...{ fsync: "off", synchronous_commit: "off", full_page_writes: "off" },
      ...{ checkpoint_timeout: "1h", max_wal_size: "8GB" },
      // With hundreds of databases, one of which is due all the time.
      autovacuum: "off",
      max_connections: "200",
      // Hundreds of databases share the buffers; reading them through other processes took a fifth of the time.
      ...{ shared_buffers: "512MB", io_method: "sync", wal_level: "minimal", max_wal_senders: "0" },
      ...{ update_process_title: "off", track_counts: "off" },
      // Connections of tests are too short for PostgreSQL to choose the plans for any parameters that it uses in production.
      plan_cache_mode: "force_generic_plan",
    },
    log: () => undefined,
  });
}

/**
 * The first connection to a database writes the catalog cache (`pg_internal.init`) that later ones load. Clones copy the cache
 * of the template. Each start of the server deletes it.
 */
async function writeCatalogCache({ host, port, user }: RunningPostgres): Promise<void> {
  const log = makeLog("silent");
  const template = openStore({ host, port, user, database: templateName }, log, { max: 1, isPatient: true });
  await sql`select 1`.execute(template.db);
  await template.close();
}

/** Makes the template and, from it, the database of a service. */
async function makeDatabases({ host, port, user }: RunningPostgres): Promise<void> {
  const log = makeLog("silent");
  const open = (database: string) => openStore({ host, port, user, database }, log, { isPatient: true });
  const admin = open("postgres");
  await sql`create database ${sql.id(templateName)}`.execute(admin.db);
  const template = open(templateName);
  await migrate(template.db);
  await template.close();
  await sql`create database tocsin template ${sql.id(templateName)}`.execute(admin.db);
  await admin.close();
}
