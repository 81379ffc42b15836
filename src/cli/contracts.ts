import type { Contract } from "../wire/contracts/contracts.ts";
import { UsageError } from "./command.ts";
import { requireRemote } from "./remote/require-remote.ts";

/** Lists the contracts, one per line. */
export async function run(args: string[]): Promise<void> {
  if (args.length > 0) throw new UsageError("contracts has no arguments.");
  const contracts = await requireRemote().get<Contract[]>("/contracts");
  const rows = contracts.map(({ chain, address, status, label }) => [chain, address, status, label ?? ""]);
  const widths = [0, 1, 2].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}
