import { sql } from "kysely";
import type { Db } from "../open-store.ts";

/** The partitioned tables and the width of their partitions. */
const widths = { samples: "day", samples_minute: "month", samples_hour: "month" } as const;
export type PartitionedTable = keyof typeof widths;

/** Creates the partition of a time when it is missing, and returns its name. */
export async function ensurePartition(db: Db, table: PartitionedTable, time: number): Promise<string> {
  const [from, to] = spanOf(widths[table], new Date(time * 1000));
  const name = partitionName(table, from);
  await sql`create table if not exists ${sql.id(name)} partition of ${sql.id(table)}
    for values from (${sql.lit(from.toISOString())}) to (${sql.lit(to.toISOString())})`.execute(db);
  return name;
}

/** The name of the partition of a time. */
export function partitionFor(table: PartitionedTable, time: number): string {
  return partitionName(table, spanOf(widths[table], new Date(time * 1000))[0]);
}

/** Drops the partitions that end before a time and returns their names. */
export async function dropPartitionsBefore(db: Db, table: PartitionedTable, time: Date): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i
    join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
    where p.relname = ${table} and c.relname < ${partitionName(table, spanOf(widths[table], time)[0])}
    order by c.relname`.execute(db);
  for (const { name } of rows) await sql`drop table ${sql.id(name)}`.execute(db);
  return rows.map((row) => row.name);
}

function partitionName(table: PartitionedTable, from: Date): string {
  return `${table}_p${from.toISOString().slice(0, 10).replaceAll("-", "")}`;
}

function spanOf(width: "day" | "month", time: Date): [Date, Date] {
  const [year, month, day] = [time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()];
  return width === "day"
    ? [new Date(Date.UTC(year, month, day)), new Date(Date.UTC(year, month, day + 1))]
    : [new Date(Date.UTC(year, month, 1)), new Date(Date.UTC(year, month + 1, 1))];
}
