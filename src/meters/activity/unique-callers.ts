import { z } from "zod";
import { durationText } from "../../lib/text.ts";
import { callEvidence } from "../evidence.ts";
import { defineMeter } from "../meter.ts";
import { numberText, senderText } from "../words.ts";

/** Counts distinct senders. */
export const uniqueCallers = defineMeter({
  type: "unique_callers",
  title: "Unique callers",
  about: "Counts the distinct senders of transactions to the contract within the window.",
  unit: "callers",
  families: ["evm", "solana"],
  instances: "one",
  config: z.strictObject({}),
  needs: ["transactions"],
  aggregation: "last",

  measure(_config, { calls }) {
    return calls
      .filter((call) => call.direction === "to" && call.unread !== "contents")
      .map((call) => ({
        value: 1,
        tx_hash: call.tx_hash,
        position: null,
        subject: call.from,
        evidence: callEvidence(call),
      }));
  },

  summarise(_config, window) {
    return new Set(window.map(({ subject }) => subject)).size;
  },

  describe(_config, { reading, value, aggregation, window_seconds, isEach, words }) {
    if (isEach) return `transaction${senderText(reading, words)}`;
    if (aggregation !== "last") return undefined;
    return `${numberText(value)} different callers in ${durationText(window_seconds)}`;
  },
});
