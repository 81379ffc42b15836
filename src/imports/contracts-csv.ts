import { parse } from "csv-parse/sync";
import { workerTask } from "../lib/concurrency/worker-pool.ts";

const columns = ["chain", "address", "label", "labels", "targets"] as const;
const maxRows = 5_000;

export type CsvItem = {
  chain: string;
  address: string;
  label?: string;
  labels?: string[];
  targets?: string[];
};

/** Parses CSV with a header row, or returns why it is invalid. */
export function readContractsCsv(text: string): { items: CsvItem[] } | { problem: string } {
  const read = parseRows(text);
  return "problem" in read ? read : toItems(read.rows);
}

export const readContractsCsvTask = workerTask("src/imports/contracts-csv.ts", readContractsCsv, 10_000);

function toItems(rows: Record<string, string>[]): { items: CsvItem[] } | { problem: string } {
  const header = Object.keys(rows[0] ?? {});
  const unknown = header.filter((name) => !columns.some((column) => column === name));
  if (unknown.length > 0) return { problem: `has unknown columns: ${unknown.join(", ").slice(0, 200)}` };
  const missing = ["chain", "address"].filter((name) => !header.includes(name));
  if (missing.length > 0)
    return {
      problem: `must have a header with the columns ${missing.join(" and ")}, and at least one row`,
    };
  if (rows.length > maxRows) return { problem: "must have at most 5,000 rows" };
  const items = rows.map(({ chain = "", address = "", label, labels, targets }) => ({
    chain,
    address,
    ...(label && { label }),
    ...(labels && { labels: splitCell(labels) }),
    ...(targets && { targets: splitCell(targets) }),
  }));
  return { items };
}

function parseRows(text: string): { rows: Record<string, string>[] } | { problem: string } {
  try {
    const rows: Record<string, string>[] = parse(text, {
      bom: true,
      trim: true,
      skip_empty_lines: true,
      to: maxRows + 1,
      columns: (names: string[]) => names.map((name) => name.toLowerCase()),
    });
    return { rows };
  } catch (error) {
    return { problem: `cannot be read: ${error instanceof Error ? error.message.slice(0, 200) : "unknown"}` };
  }
}

function splitCell(cell: string): string[] {
  return cell
    .split(/[;|]/)
    .map((part) => part.trim())
    .filter(Boolean);
}
