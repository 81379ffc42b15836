import { parse } from "csv-parse/sync";
import { InvalidRequest } from "../errors/app-error.ts";

const columns = ["chain", "address", "label", "labels", "targets"] as const;
const maxRows = 5_000;

export type CsvItem = {
  chain: string;
  address: string;
  label?: string;
  labels?: string[];
  targets?: string[];
};

/** Parses CSV with a header row. Throws InvalidRequest if the CSV is invalid. */
export function readContractsCsv(text: string): CsvItem[] {
  const rows = parseRows(text);
  const header = Object.keys(rows[0] ?? {});
  const unknown = header.filter((name) => !columns.some((column) => column === name));
  if (unknown.length > 0) throw invalidCsv(`has unknown columns: ${unknown.join(", ").slice(0, 200)}`);
  const missing = ["chain", "address"].filter((name) => !header.includes(name));
  if (missing.length > 0)
    throw invalidCsv(`must have a header with the columns ${missing.join(" and ")}, and at least one row`);
  return rows.map(({ chain = "", address = "", label, labels, targets }) => ({
    chain,
    address,
    ...(label && { label }),
    ...(labels && { labels: splitCell(labels) }),
    ...(targets && { targets: splitCell(targets) }),
  }));
}

function parseRows(text: string): Record<string, string>[] {
  try {
    return parse(text, {
      bom: true,
      trim: true,
      skip_empty_lines: true,
      to: maxRows + 1,
      columns: (names: string[]) => names.map((name) => name.toLowerCase()),
    });
  } catch (error) {
    throw invalidCsv(`cannot be read: ${error instanceof Error ? error.message.slice(0, 200) : "unknown"}`);
  }
}

function splitCell(cell: string): string[] {
  return cell
    .split(/[;|]/)
    .map((part) => part.trim())
    .filter(Boolean);
}

function invalidCsv(msg: string): InvalidRequest {
  return new InvalidRequest([{ loc: ["body", "csv"], msg, type: "value_error" }]);
}
