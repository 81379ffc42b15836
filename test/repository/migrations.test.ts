import { describe, expect, it } from "vitest";
import { findOpenAccessColumns, readMigrations } from "./guards/access-columns.ts";

describe("the migrations", () => {
  it("close what processes of the version before insert without a new column that decides access", () => {
    expect(findOpenAccessColumns(readMigrations())).toEqual([]);
  });

  it("need the trigger that fills the contract of messages", () => {
    const others = readMigrations().filter(({ name }) => name !== "0060_contracts_of_old_notices.sql");
    expect(findOpenAccessColumns(others)).toEqual([
      "0058_delivery_contracts.sql adds delivery_notices.contract_id, which old processes leave empty",
    ]);
  });
});

describe("the check of migrations", () => {
  const add = (definition: string) => ({
    name: "0002_add.sql",
    sql: `alter table notes\n  add column title text,\n  ${definition};`,
  });
  const fill = {
    name: "0003_fill.sql",
    sql: `create function fill() returns trigger language plpgsql as $$ begin
      select contract_id into new.contract_id from events where id = new.event_id; return new; end $$;
      create trigger notes_fill before insert on notes for each row execute function fill();`,
  };
  const finding = (column: string) => [`0002_add.sql adds notes.${column}, which old processes leave empty`];

  it.each([
    ["is nullable", "add column contract_id uuid", "contract_id"],
    ["is nullable, without the word column", "add contract_id uuid", "contract_id"],
    ["has an open default", "add column is_restricted boolean not null default false", "is_restricted"],
    ["is nullable beside others that are not", "add org_id uuid, add note text not null", "org_id"],
  ])("reports a column that %s", (_, definition, column) => {
    expect(findOpenAccessColumns([add(definition)])).toEqual(finding(column));
  });

  it("reports a trigger on another table, on another column, or of an earlier migration", () => {
    const nullable = add("add column contract_id uuid");
    const elsewhere = { ...fill, sql: fill.sql.replace("on notes", "on others") };
    const other = { ...fill, sql: fill.sql.replace("new.contract_id", "new.title") };
    expect(findOpenAccessColumns([nullable, elsewhere])).toEqual(finding("contract_id"));
    expect(findOpenAccessColumns([nullable, other])).toEqual(finding("contract_id"));
    expect(findOpenAccessColumns([{ ...fill, name: "0001_fill.sql" }, nullable])).toEqual(
      finding("contract_id"),
    );
  });

  it("accepts a column that rejects empty rows, one that a trigger fills, and one that does not decide access", () => {
    expect(findOpenAccessColumns([add("add column contract_id uuid not null")])).toEqual([]);
    expect(findOpenAccessColumns([add("add column contract_id uuid"), fill])).toEqual([]);
    expect(
      findOpenAccessColumns([add("add column policy_id uuid, alter column title drop default")]),
    ).toEqual([]);
    expect(
      findOpenAccessColumns([{ name: "0002_note.sql", sql: "-- alter table notes add contract_id uuid;" }]),
    ).toEqual([]);
  });
});
