import { z } from "zod";
import { callReading } from "../evidence.ts";
import { defineMeter } from "../meter.ts";

/** Counts transactions to or from the contract. */
export const txRate = defineMeter({
  type: "tx_rate",
  title: "Transactions",
  about: "Counts transactions to or from the contract. Each transaction is a reading of 1.",
  unit: "transactions",
  families: ["evm", "solana"],
  instances: "one",
  config: z.strictObject({
    direction: z
      .enum(["to", "from", "any"])
      .default("to")
      .describe("Count transactions to the contract, from it, or both"),
    include_failed: z.boolean().default(true).describe("Also count failed transactions"),
  }),
  needs: ["transactions", "receipts"],
  aggregation: "count",
  matchesOn: "transactions",

  measure({ direction, include_failed }, { calls }) {
    return calls
      .filter((call) => direction === "any" || call.direction === direction)
      .filter((call) => include_failed || call.receipt?.is_success !== false)
      .map((call) => callReading(call, 1));
  },
});
