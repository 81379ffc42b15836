import { readdirSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { makeLog } from "../../../src/lib/log/log.ts";
import { migrate } from "../../../src/store/migrate.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { createEmptyDatabase } from "../../support/database.ts";
import { harness } from "../../support/harness.ts";
import { account } from "./account.ts";
import {
  countRows,
  type DatabaseFile,
  loadDatabase,
  readDatabaseFile,
  writeDatabaseFile,
} from "./database-file.ts";
import { makeDatabaseFile } from "./make-database-file.ts";

const folder = new URL("./databases/", import.meta.url);

/** KEEP_DATABASE=name keeps a database of the current version as a file, for the tests of later ones. */
const kept = process.env.KEEP_DATABASE;
if (kept) writeDatabaseFile(new URL(`${kept}.json.gz`, folder), await makeDatabaseFile());

/** Opens a kept database in an empty one and upgrades it. */
async function upgrade(file: DatabaseFile) {
  const address = await createEmptyDatabase();
  const store = openStore(address, makeLog("silent"), { max: 2, isPatient: true });
  onTestFinished(() => store.close());
  await loadDatabase(store.db, file);
  await migrate(store.db);
  return { address, db: store.db };
}

test.each(readdirSync(folder))("the database %s is upgraded with everything in place", async (name) => {
  const file = readDatabaseFile(new URL(name, folder));
  const { address, db } = await upgrade(file);
  for (const [table, rows] of Object.entries(file.rows))
    expect([table, await countRows(db, table)]).toEqual([table, rows.length]);

  const h = await harness({ address, env: { RPC_LOCAL: "http://127.0.0.1:1" } });
  // What is shown depends on the time, such as how far back an organisation may look.
  h.clock.advance((Date.parse(file.at) - h.clock.now().getTime()) / 1000);
  const client = h.anonymous();
  expect((await client.post("/auth/login", account)).status).toBe(200);
  for (const [path, before] of Object.entries(file.replies)) {
    const { status, body } = await client.get(path);
    expect([path, status]).toEqual([path, 200]);
    expect(withoutNewest(body, before), path).toMatchObject(renameUnits(before) as object);
  }
});

/** Since then, a balance is in the currency of its chain. */
function renameUnits(before: unknown): unknown {
  return JSON.parse(JSON.stringify(before).replaceAll('"unit":"native units"', '"unit":"ETH"'));
}

/** A log may have got more entries since, by the log-in; they come first. */
function withoutNewest(after: unknown, before: unknown): unknown {
  if (!Array.isArray(after) || !Array.isArray(before)) return after;
  return after.slice(after.length - before.length);
}
