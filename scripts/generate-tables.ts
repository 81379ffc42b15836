import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeLog } from "../src/lib/log/log.ts";
import { startPostgres } from "../src/lib/postgres/start.ts";
import { migrate } from "../src/store/migrate.ts";
import { openStore } from "../src/store/open-store.ts";
import { renderTableTypes } from "./table-types.ts";

/** Migrates an empty database and writes the types of its tables to `src/store/<subject>/tables.ts`. */
const root = fileURLToPath(new URL("..", import.meta.url));
const folder = await mkdtemp(join(tmpdir(), "tocsin-tables-"));
const server = await startPostgres({ folder: join(folder, "postgres"), log: () => undefined });
try {
  const { host, port, user } = server;
  const store = openStore({ host, port, user, database: "postgres" }, makeLog("silent"), { isPatient: true });
  await migrate(store.db);
  for (const [path, text] of await renderTableTypes(store.db)) {
    await writeFile(join(root, path), text);
    console.log(`wrote ${path}`);
  }
  await store.close();
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
