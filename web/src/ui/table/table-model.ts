import { type ColumnDef, rowSelectionFeature, tableFeatures } from "@tanstack/react-table";
import type { ReactNode } from "react";

/** A column of a table: its title, its width as a grid track, what a cell shows and what it sorts by. */
export type Column<Row> = {
  id: string;
  title: string;
  width: string;
  cell: (row: Row) => ReactNode;
  sortBy?: (row: Row) => string | number;
  isRight?: boolean;
};

export const features = tableFeatures({ rowSelectionFeature });

export function toColumnDefs<Row extends object>(columns: Column<Row>[]): ColumnDef<typeof features, Row>[] {
  return columns.map(({ id }) => ({ id }));
}

/**
 * Sorts rows by `label`, or last first by `-label`, as it is in the URL. Each key is computed once, which for thousands of
 * rows is several times faster than the table's own sorting.
 */
export function sortRows<Row>(rows: Row[], columns: Column<Row>[], sort: string | undefined): Row[] {
  const sortBy = columns.find(({ id }) => id === sort?.replace(/^-/, ""))?.sortBy;
  if (!sort || !sortBy) return rows;
  const sign = sort.startsWith("-") ? -1 : 1;
  const keyed = rows.map((row) => ({ row, key: keyOf(sortBy(row)) }));
  return keyed.sort((a, b) => (a.key < b.key ? -sign : a.key > b.key ? sign : 0)).map(({ row }) => row);
}

/** Numbers in a text sort by their value. */
function keyOf(value: string | number): string | number {
  if (typeof value === "number") return value;
  return value.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(12, "0"));
}

export function nextSort(sort: string | undefined, id: string): string | undefined {
  if (sort === id) return `-${id}`;
  return sort === `-${id}` ? undefined : id;
}
