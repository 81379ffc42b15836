import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path/posix";
import { root } from "./sources.ts";

/** A migration with its name. */
export type Migration = { name: string; sql: string };

/** Columns that decide who sees a row, and whose null or default may leave a row open to the whole org. */
const accessColumn = /^(org_id|contract_ids?|user_id|is_restricted|\w+_scope)$/;

/** Reads the migrations in their order. */
export function readMigrations(): Migration[] {
  return globSync("src/store/migrations/*.sql", { cwd: root })
    .sort()
    .map((path) => ({ name: basename(path), sql: readFileSync(`${root}/${path}`, "utf8") }));
}

/**
 * Returns the added columns that decide access and that rows of a process of the version before leave empty, which inserts
 * during an upgrade. `not null` without a default rejects such a row, and a trigger of this or a later migration fills it.
 */
export function findOpenAccessColumns(migrations: Migration[]): string[] {
  return migrations.flatMap(({ name, sql }, index) => {
    const later = migrations.slice(index).map((migration) => withoutComments(migration.sql));
    return addedColumns(withoutComments(sql))
      .filter(({ column, definition }) => accessColumn.test(column) && !rejectsEmpty(definition))
      .filter(({ table, column }) => !later.some((text) => hasFillingTrigger(text, table, column)))
      .map(({ table, column }) => `${name} adds ${table}.${column}, which old processes leave empty`);
  });
}

function withoutComments(sql: string): string {
  return sql.replaceAll(/--[^\n]*/g, "");
}

function addedColumns(sql: string): { table: string; column: string; definition: string }[] {
  return [...sql.matchAll(/alter table\s+(?:if exists\s+|only\s+)*(\w+)([^;]*)/gi)].flatMap(
    ([, table = "", actions = ""]) =>
      [
        ...actions.matchAll(
          /\badd\s+(?:column\s+)?(?:if not exists\s+)?(\w+)([\s\S]*?)(?=,\s*(?:add|alter|drop)\b|$)/gi,
        ),
      ].map(([, column = "", definition = ""]) => ({ table, column, definition })),
  );
}

function rejectsEmpty(definition: string): boolean {
  return /\bnot null\b/i.test(definition) && !/\bdefault\b/i.test(definition);
}

function hasFillingTrigger(sql: string, table: string, column: string): boolean {
  const trigger = new RegExp(`create (or replace )?trigger \\w+\\s+before insert[^;]*\\bon ${table}\\b`, "i");
  const filled = new RegExp(`\\bnew\\.${column}\\s*(:?=|from\\b)|\\binto new\\.${column}\\b`, "i");
  return trigger.test(sql) && filled.test(sql);
}
