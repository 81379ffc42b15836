import { readdirSync, readFileSync } from "node:fs";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { renderTableTypes } from "../../scripts/table-types.ts";
import { makeLog } from "../../src/lib/log/log.ts";
import { migrate, pendingMigrations } from "../../src/store/migrate.ts";
import { type Address, type Db, openStore } from "../../src/store/open-store.ts";
import { createEmptyDatabase } from "../support/database.ts";
import { until } from "../support/postgres.ts";
import { longTest } from "../support/run-size.ts";

const steps = readdirSync(new URL("../../src/store/migrations/", import.meta.url))
  .map((file) => file.replace(".sql", ""))
  .sort();

function open(address: Address): Db {
  const store = openStore(address, makeLog("silent"), { max: 2, isPatient: true });
  onTestFinished(() => store.close());
  return store.db;
}

/** Every table, column, index, constraint and trigger, as the database itself describes them. */
async function describeSchema(db: Db): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) as line
      from information_schema.columns where table_schema = 'public'
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select conrelid::regclass || ' ' || pg_get_constraintdef(oid)
      from pg_constraint where connamespace = 'public'::regnamespace
    union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    order by 1`.execute(db);
  return rows.map((row) => row.line);
}

async function tablesOf(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' order by 1`.execute(
    db,
  );
  return rows.map((row) => row.name);
}

test("an empty database is migrated to the newest schema, and a second run does nothing", async () => {
  const db = open(await createEmptyDatabase());
  expect(await pendingMigrations(db)).toEqual(steps);
  expect(await migrate(db)).toEqual(steps);
  const before = await describeSchema(db);
  expect(await migrate(db)).toEqual([]);
  expect(await pendingMigrations(db)).toEqual([]);
  expect(await describeSchema(db)).toEqual(before);
});

test("concurrent migrators all succeed, and one does the work", async () => {
  const address = await createEmptyDatabase();
  const runs = await Promise.all([1, 2, 3, 4].map(() => migrate(open(address))));
  expect(runs.filter((run) => run.length > 0)).toEqual([steps]);
  const alone = open(await createEmptyDatabase());
  await migrate(alone);
  expect(await describeSchema(open(address))).toEqual(await describeSchema(alone));
});

test("a killed migration leaves nothing behind, and the next one completes", async () => {
  const address = await createEmptyDatabase();
  const [blocker, watcher] = [open(address), open(address)];
  // An uncommitted table of the same name holds the migrator up when it has nearly done everything.
  const last = lastTable();
  const blocking = Promise.withResolvers<void>();
  const isBlocked = Promise.withResolvers<void>();
  const block = blocker.transaction().execute(async (tx) => {
    await sql`create table ${sql.id(last)} (a int)`.execute(tx);
    isBlocked.resolve();
    await blocking.promise;
    throw new Error("rolled back");
  });
  await isBlocked.promise;
  const migration = migrate(open(address)).catch((error: Error) => error);
  const pid = await until(() => waitingBackend(watcher));
  await sql`select pg_terminate_backend(${pid})`.execute(watcher);
  expect(await migration).toBeInstanceOf(Error);
  blocking.resolve();
  await expect(block).rejects.toThrow("rolled back");

  expect((await tablesOf(watcher)).filter((name) => !name.startsWith("kysely_"))).toEqual([]);
  expect(await pendingMigrations(watcher)).toEqual(steps);
  expect(await migrate(open(address))).toEqual(steps);
});

test("a database of a newer version is rejected with a sentence and left unchanged", async () => {
  const db = open(await createEmptyDatabase());
  await migrate(db);
  await sql`insert into kysely_migration values ('9999_from_the_future', now()::text)`.execute(db);
  const before = await describeSchema(db);
  await expect(migrate(db)).rejects.toThrow(
    "The database was written by a newer Tocsin than this one. Run that version, or restore a backup.",
  );
  expect(await describeSchema(db)).toEqual(before);
});

test("the table types are those of the migrated schema; run `npm run generate:tables` when this fails", async () => {
  const db = open(await createEmptyDatabase());
  await migrate(db);
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
  for (const [path, text] of await renderTableTypes(db)) expect(read(path), path).toBe(text);
});

test("migration numbers have no gap after 0015, which was never used", () => {
  const numbers = steps.map((step) => Number(step.slice(0, 4)));
  const expected = Array.from({ length: numbers.at(-1) ?? 0 }, (_, index) => index + 1);
  expect(numbers).toEqual(expected.filter((number) => number !== 15));
});

longTest("migration 0023 derives status codes from the sentences of existing rows", async () => {
  const db = open(await createEmptyDatabase());
  await migrate(db, "0022_history_pins");
  const id = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`;
  await sql`insert into orgs (id, name, created_at) values (${id(1)}, 'Org', now())`.execute(db);
  const contracts = [
    ["ERROR", "There is no code at this address.", "no_code"],
    ["ERROR", "Ethereum is switched off here.", "chain_disabled"],
    ["ERROR", "More happens at it than can be followed.", "suspended"],
    [
      "MONITORING",
      "Followed again from slot 9 on. Nothing after slot 5 and before slot 9 was counted.",
      "resumed",
    ],
    ["MONITORING", null, null],
  ] as const;
  for (const [index, [status, reason]] of contracts.entries()) {
    await sql`
      insert into contracts (id, org_id, chain, chain_id, address, label, status, status_reason, created_at, updated_at)
      values (${id(10 + index)}, ${id(1)}, 'ethereum', 1, ${`0x${index}`}, '', ${status}, ${reason}, now(), now())`.execute(
      db,
    );
  }
  await sql`
    insert into unfollowed_contracts (contract_id, chain, since, again_at, created_at)
    values (${id(12)}, 'ethereum', 5, now(), now())`.execute(db);
  const targets = [
    ["error", "owner() could not be read.", "read_failed"],
    ["unsupported", "This type is not known here.", "unknown_type"],
    ["unsupported", "This type does not exist on evm chains.", "unsupported_chain"],
    ["unsupported", "It needs a feed.", "unsupported_config"],
    ["ok", null, null],
  ] as const;
  for (const [index, [status, reason]] of targets.entries()) {
    await sql`
      insert into targets (id, org_id, contract_id, target_type, name, is_singleton, status, status_reason, created_at, updated_at)
      values (${id(20 + index)}, ${id(1)}, ${id(10)}, ${`type_${index}`}, '', true, ${status}, ${reason}, now(), now())`.execute(
      db,
    );
  }

  await migrate(db);
  const codes = async (table: "contracts" | "targets") =>
    (await db.selectFrom(table).select("status_code").orderBy("id").execute()).map((row) => row.status_code);
  expect(await codes("contracts")).toEqual(contracts.map(([, , code]) => code));
  expect(await codes("targets")).toEqual(targets.map(([, , code]) => code));
  expect(await db.selectFrom("suspended_contracts").select("last_height").execute()).toEqual([
    { last_height: "5" },
  ]);
});

longTest("migration 0024 renames the keys of stored rule states", async () => {
  const db = open(await createEmptyDatabase());
  await migrate(db, "0023_status_codes");
  await sql`alter table rule_states drop constraint if exists rule_states_rule_id_fkey`.execute(db);
  const rule_id = "00000000-0000-7000-8000-000000000001";
  await sql`
    insert into rule_states (rule_id, rule_version, chain, height, state)
    values (${rule_id}, 1, 'local', 1, '{"phase": "firing", "told": "fired", "is_told": true, "since": 7}')`.execute(
    db,
  );
  await migrate(db);
  const { state } = await db.selectFrom("rule_states").select("state").executeTakeFirstOrThrow();
  expect(state).toEqual({ phase: "firing", since: 7, notified: "fired", is_notified: true });
});

longTest(
  "the migration to occurrences keeps the aggregation of rules on types whose default became each",
  async () => {
    const db = open(await createEmptyDatabase());
    await migrate(db, stepBefore("_occurrences"));
    const id = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`;
    await sql`insert into orgs (id, name, created_at) values (${id(1)}, 'Org', now())`.execute(db);
    await sql`
    insert into contracts (id, org_id, chain, chain_id, address, label, status, created_at, updated_at)
    values (${id(2)}, ${id(1)}, 'local', 31337, '0x00', '', 'MONITORING', now(), now())`.execute(db);
    const rules = [
      ["large_transfer", { operator: "gt", threshold: 5 }, "max"],
      ["ownership_change", { operator: "gte", threshold: 1, aggregation: "sum" }, "sum"],
      ["tx_rate", { operator: "gt", threshold: 5 }, undefined],
      ["pause_state", { operator: "changed" }, "last"],
      ["pause_state", { operator: "eq", threshold: 1 }, undefined],
    ] as const;
    for (const [index, [target_type, condition]] of rules.entries()) {
      await sql`
      insert into targets (id, org_id, contract_id, target_type, name, is_singleton, created_at, updated_at)
      values (${id(10 + index)}, ${id(1)}, ${id(2)}, ${target_type}, '', false, now(), now())`.execute(db);
      await sql`
      insert into alert_rules (id, org_id, contract_id, target_id, name, severity, condition, created_at, updated_at)
      values (${id(20 + index)}, ${id(1)}, ${id(2)}, ${id(10 + index)}, '', 'info', ${JSON.stringify(condition)}, now(), now())`.execute(
        db,
      );
    }
    await migrate(db);
    const rows = await db.selectFrom("alert_rules").select(["condition", "version"]).orderBy("id").execute();
    expect(rows).toEqual(
      rules.map(([, condition, aggregation]) => ({
        condition: { ...condition, ...(aggregation && { aggregation }) },
        version: 1,
      })),
    );
  },
);

/** The migration before the one whose name ends like this. */
function stepBefore(name: string): string {
  return steps[steps.findIndex((step) => step.endsWith(name)) - 1] ?? "";
}

/** The last table that the migrations create. */
function lastTable(): string {
  const read = (step: string) =>
    readFileSync(new URL(`../../src/store/migrations/${step}.sql`, import.meta.url), "utf8");
  const names = steps.flatMap((step) => [...read(step).matchAll(/^create table (\w+)/gm)]);
  return names.at(-1)?.[1] ?? "";
}

async function waitingBackend(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query ilike '%create table%'`.execute(
    db,
  );
  return rows[0]?.pid;
}
