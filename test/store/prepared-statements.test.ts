import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { makeLog } from "../../src/lib/log/log.ts";
import { openStore } from "../../src/store/open-store.ts";
import { createEmptyDatabase } from "../support/database.ts";

test("a connection prepares the statements that it repeats", async () => {
  const { db } = await open();
  for (const value of [1, 2, 3])
    expect(await read(db, sql`select ${value}::int as value`)).toEqual([{ value }]);
  await read(db, sql`select 'once' as value`);
  expect(await preparedTexts(db)).toEqual(["select $1::int as value"]);
});

test("a connection prepares no statement about readings, which have a partition per day", async () => {
  const { db } = await open();
  await sql`create table samples_hour (value integer)`.execute(db);
  for (let round = 0; round < 3; round++) await read(db, sql`select value from samples_hour`);
  expect(await preparedTexts(db)).toEqual([]);
});

test("a connection keeps a limited number of prepared statements", async () => {
  const { db } = await open();
  for (let column = 0; column < 200; column++)
    for (let round = 0; round < 2; round++) await read(db, sql`select 1 as ${sql.id(`column_${column}`)}`);
  expect((await preparedTexts(db)).length).toBe(150);
});

test("a table that a migration changes fails a prepared statement once at most", async () => {
  const { db } = await open();
  await sql`create table things (first integer)`.execute(db);
  const readAll = () => read(db, sql`select * from things`);
  for (let round = 0; round < 3; round++) await readAll();
  await sql`alter table things add column second integer`.execute(db);
  await readAll().catch((error) => expect(error).toMatchObject({ code: "0A000" }));
  await sql`insert into things values (1, 2)`.execute(db);
  expect(await readAll()).toEqual([{ first: 1, second: 2 }]);
});

async function open() {
  const store = openStore(await createEmptyDatabase(), makeLog("silent"), { max: 1, isPatient: true });
  onTestFinished(store.close);
  return store;
}

type Db = Awaited<ReturnType<typeof open>>["db"];

async function read(db: Db, statement: ReturnType<typeof sql>): Promise<unknown[]> {
  return (await statement.execute(db)).rows;
}

async function preparedTexts(db: Db): Promise<string[]> {
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db);
  return rows.map(({ statement }) => statement);
}
