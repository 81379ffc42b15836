import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { runForOwner } from "../../src/lib/concurrency/current-owner.ts";
import { makeLog } from "../../src/lib/log/log.ts";
import { openStore } from "../../src/store/open-store.ts";
import { cloneDatabase } from "../support/database.ts";

const { db, close } = openStore(
  await cloneDatabase(),
  makeLog("error", () => undefined),
  { max: 2, isPatient: true },
);
afterAll(close);

const rows = 20_000;
const readAll = async () => {
  const result = await sql<{ n: number; text: string }>`
    select n, repeat('x', 200) as text from generate_series(1, ${sql.lit(rows)}) n`.execute(db);
  return result.rows;
};

test("large results that are read at once are all complete, and connections are free afterwards", async () => {
  const results = await Promise.all(["a", "b", "a"].map((owner) => runForOwner(owner, readAll)));
  expect(results.map(({ length }) => length)).toEqual([rows, rows, rows]);
  expect((await readAll()).map(({ n }) => n)).toEqual(Array.from({ length: rows }, (_, index) => index + 1));
});
