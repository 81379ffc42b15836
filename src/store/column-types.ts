import type { ColumnType } from "kysely";

/** A jsonb column. Its value is unknown until the store parses it; it is written as JSON text. */
export type Json = ColumnType<unknown, string, string>;

/** An array column. */
export type ArrayType<T> =
  T extends ColumnType<infer Select, infer Insert, infer Update>
    ? ColumnType<Select[], Insert[], Update[]>
    : T[];

/** A column with a default: optional on insert. */
export type Generated<T> =
  T extends ColumnType<infer Select, infer Insert, infer Update>
    ? ColumnType<Select, Insert | undefined, Update>
    : ColumnType<T, T | undefined, T>;
