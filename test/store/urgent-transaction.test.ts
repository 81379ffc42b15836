import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { makeLog } from "../../src/lib/log/log.ts";
import { urgentTransaction } from "../../src/store/connection/urgent-transaction.ts";
import { type Db, openStore } from "../../src/store/open-store.ts";
import { cloneDatabase, databaseUrl } from "../support/database.ts";

test("an urgent transaction ends the one that it waits for, also if DATABASE_URL names the connections", async () => {
  const connectionString = `${databaseUrl(await cloneDatabase())}&application_name=mine&keepalives=1`;
  const { db, close } = openStore({ connectionString }, makeLog("silent"));
  onTestFinished(close);
  const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const lock = (tx: Db) => sql`lock table contracts in exclusive mode`.execute(tx);
  const ordinary = db.transaction().execute(async (tx) => {
    await lock(tx);
    held.resolve();
    await release.promise;
    await lock(tx);
  });
  const ended = expect(ordinary).rejects.toThrow(/connection was lost/);
  await held.promise;
  await urgentTransaction({ db, clock: systemClock }, lock);
  release.resolve();
  await ended;
});
