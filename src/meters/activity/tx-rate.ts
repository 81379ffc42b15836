import { z } from "zod";
import type { Call } from "../../chains/activity.ts";
import { callReading } from "../evidence.ts";
import { defineMeter } from "../meter.ts";
import { decodedOf, decodedText, failureText, senderText } from "../words.ts";
import { directionField, isInDirection } from "./call-direction.ts";

const config = z.strictObject({
  direction: directionField("Count transactions"),
  include_failed: z.boolean().default(true).describe("Also count failed transactions"),
});

/** Counts transactions to or from the contract. */
export const txRate = defineMeter({
  type: "tx_rate",
  title: "Transactions",
  about: "Counts transactions to or from the contract. Each transaction is a reading of 1.",
  unit: "transactions",
  families: ["evm", "solana"],
  instances: "one",
  config,
  needs: ["transactions", "receipts"],
  aggregation: "count",
  matchesOn: "transactions",
  counts,

  measure(settings, { calls }) {
    return calls.filter((call) => counts(settings, call)).map((call) => callReading(call, 1));
  },

  describe(_config, { reading, value, aggregation, isEach, words }) {
    if (!isEach && (aggregation !== "count" || value !== 1)) return undefined;
    const decoded = decodedOf(reading);
    const failed = reading?.evidence?.status === "failed" ? "failed " : "";
    return `${failed}${decoded ? `call of ${decodedText(decoded, words)}` : "transaction"}${senderText(reading, words)}${failureText(reading)}`;
  },
});

function counts({ direction, include_failed }: z.output<typeof config>, call: Call | undefined): boolean {
  // A transaction that only made the contract emit an event called another contract, and succeeded.
  if (!call) return direction !== "from";
  return isInDirection(direction, call) && (include_failed || call.receipt?.is_success !== false);
}
