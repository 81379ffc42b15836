import { z } from "zod";
import { durationText } from "../../lib/text.ts";
import { callReading } from "../evidence.ts";
import { spanText } from "../measured-text.ts";
import { countOf, defineMeter, sumOf } from "../meter.ts";
import { failureText, numberText, percentText, senderText } from "../words.ts";
import { directionField, isInDirection } from "./call-direction.ts";

/** Measures the share of transactions to or from the contract that failed. */
export const revertRate = defineMeter({
  type: "revert_rate",
  title: "Revert rate",
  about:
    "The share of transactions to the contract, or from a wallet, within the window that failed, from 0 to 1.",
  unit: "share",
  families: ["evm", "solana"],
  instances: "one",
  config: z.strictObject({
    direction: directionField("Measure transactions"),
    min_txs: z
      .int()
      .min(1)
      .max(10_000)
      .default(5)
      .describe("The minimum number of transactions in the window; with fewer there is no value"),
  }),
  needs: ["transactions", "receipts"],
  aggregation: "last",

  measure({ direction }, { calls }) {
    return calls
      .filter((call) => isInDirection(direction, call) && call.receipt)
      .map((call) => callReading(call, call.receipt?.is_success ? 0 : 1));
  },

  summarise({ min_txs }, window) {
    const txs = window.reduce((total, reading) => total + countOf(reading), 0);
    if (txs === 0 || txs < min_txs) return null;
    return window.reduce((failed, reading) => failed + sumOf(reading), 0) / txs;
  },

  describe(_config, occasion) {
    const { reading, value, aggregation, window_seconds, isEach, words } = occasion;
    if (isEach)
      return `${value === 1 ? "failed " : ""}transaction${senderText(reading, words)}${failureText(reading)}`;
    if (aggregation === "sum" || aggregation === "rate")
      return `${numberText(value)} failed transactions ${spanText(occasion)}`;
    if (aggregation === "count") return `${numberText(value)} transactions ${spanText(occasion)}`;
    return `${percentText(value)} of the transactions of ${durationText(window_seconds)} failed`;
  },
});
