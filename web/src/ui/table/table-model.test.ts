import { expect, test } from "vitest";
import { type Column, nextSort, sortRows } from "./table-model.ts";

type Row = { label: string; count: number };
const column = (id: string, sortBy?: (row: Row) => string | number): Column<Row> => ({
  id,
  title: id,
  width: "1fr",
  cell: () => null,
  ...(sortBy && { sortBy }),
});
const columns = [
  column("label", ({ label }) => label),
  column("count", ({ count }) => count),
  column("plain"),
];
const rows = [
  { label: "Vault 10", count: 1 },
  { label: "vault 9", count: 3 },
  { label: "Bridge", count: 2 },
];
const labels = (sort: string | undefined) => sortRows(rows, columns, sort).map(({ label }) => label);

test("texts sort by letters without case, and numbers in them by value", () => {
  expect(labels("label")).toEqual(["Bridge", "vault 9", "Vault 10"]);
  expect(labels("-label")).toEqual(["Vault 10", "vault 9", "Bridge"]);
  expect(labels("count")).toEqual(["Vault 10", "Bridge", "vault 9"]);
});

test.each([undefined, "plain", "unknown"])("rows keep their order when they are sorted by %s", (sort) => {
  expect(labels(sort)).toEqual(["Vault 10", "vault 9", "Bridge"]);
});

test("a title sorts forwards, then backwards, then not at all", () => {
  expect([undefined, "label", "-label", "count"].map((sort) => nextSort(sort, "label"))).toEqual([
    "label",
    "-label",
    undefined,
    "label",
  ]);
});
