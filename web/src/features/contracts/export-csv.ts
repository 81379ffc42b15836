import { labelText } from "@/features/contracts/columns.tsx";
import type { Contract } from "@/queries/contracts.ts";

/** Saves contracts in the format that the import of contracts reads. */
export function exportCsv(contracts: Contract[]): void {
  const rows = contracts.map(({ chain, address, label, labels }) => [
    chain,
    address,
    label,
    labels.map(labelText).join(";"),
  ]);
  const text = [["chain", "address", "label", "labels"], ...rows]
    .map((row) => row.map(quote).join(","))
    .join("\n");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  link.download = "contracts.csv";
  link.click();
  URL.revokeObjectURL(link.href);
}

/** A leading =, +, - or @ would be a formula in a spreadsheet. */
function quote(text: string): string {
  const safe = /^[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
