import { z } from "zod";
import { callReading } from "./evidence.ts";
import { defineMeter } from "./meter.ts";

/** The share of transactions to the contract that failed. */
export const revertRate = defineMeter({
  type: "revert_rate",
  title: "Failed share",
  about: "The share of transactions to the contract that failed, from 0 to 1.",
  unit: "share",
  families: ["evm"],
  instances: "one",
  config: z.strictObject({
    min_txs: z
      .int()
      .min(1)
      .max(10_000)
      .default(5)
      .describe("With fewer transactions in the window there is nothing to say"),
  }),
  needs: ["transactions", "receipts"],
  aggregation: "last",

  measure(_config, { calls }) {
    return calls
      .filter((call) => call.direction === "to" && call.receipt)
      .map((call) => callReading(call, call.receipt?.is_success ? 0 : 1));
  },

  summarise({ min_txs }, window) {
    if (window.length < min_txs) return null;
    return window.reduce((failed, { value }) => failed + value, 0) / window.length;
  },
});
