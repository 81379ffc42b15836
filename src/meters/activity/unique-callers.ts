import { z } from "zod";
import { callEvidence } from "../evidence.ts";
import { defineMeter } from "../meter.ts";

/** How many different senders called the contract. */
export const uniqueCallers = defineMeter({
  type: "unique_callers",
  title: "Unique callers",
  about: "Counts the different senders of transactions to the contract.",
  unit: "callers",
  families: ["evm", "solana"],
  instances: "one",
  config: z.strictObject({}),
  needs: ["transactions"],
  aggregation: "last",

  measure(_config, { calls }) {
    return calls
      .filter((call) => call.direction === "to")
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
});
