import {
  type ColumnDef,
  createSortedRowModel,
  rowSelectionFeature,
  rowSortingFeature,
  type SortingState,
  sortFn_alphanumeric,
  sortFn_basic,
  tableFeatures,
} from "@tanstack/react-table";
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

export const features = tableFeatures({
  rowSortingFeature,
  rowSelectionFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { text: sortFn_alphanumeric, number: sortFn_basic },
});

export function toColumnDefs<Row extends object>(columns: Column<Row>[]): ColumnDef<typeof features, Row>[] {
  return columns.map(({ id, sortBy }) => ({
    id,
    accessorFn: (row: Row) => sortBy?.(row) ?? "",
    enableSorting: sortBy !== undefined,
  }));
}

/** `-label` in the URL sorts by label, last first. */
export function parseSort(sort: string | undefined): SortingState {
  if (!sort) return [];
  return sort.startsWith("-") ? [{ id: sort.slice(1), desc: true }] : [{ id: sort, desc: false }];
}

export function nextSort(sort: string | undefined, id: string): string | undefined {
  if (sort === id) return `-${id}`;
  return sort === `-${id}` ? undefined : id;
}
