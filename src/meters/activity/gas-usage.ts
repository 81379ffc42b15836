import { z } from "zod";
import { callReading } from "../evidence.ts";
import { isOfOneReading } from "../measured-text.ts";
import { defineMeter } from "../meter.ts";
import { numberText, senderText } from "../words.ts";
import { directionField, isInDirection } from "./call-direction.ts";

/** Measures the gas used by transactions to or from the contract. */
export const gasUsage = defineMeter({
  type: "gas_usage",
  title: "Gas used",
  about:
    "The gas used by each transaction to the contract, or from a wallet, from its receipt. On Solana the compute units of each transaction, with its fee as evidence.",
  unit: "gas",
  unitOf: (_config, { chain }) => (chain.kind === "solana" ? "compute units" : "gas"),
  families: ["evm", "solana"],
  instances: "one",
  config: z.strictObject({ direction: directionField("Measure transactions") }),
  needs: ["transactions", "receipts"],
  aggregation: "p95",

  measure({ direction }, { calls }) {
    return calls.flatMap((call) => {
      if (!isInDirection(direction, call) || !call.receipt || call.unread === "contents") return [];
      const { gas_used } = call.receipt;
      const value = Number(gas_used);
      if (!Number.isFinite(value)) return [];
      const { solana, gas_limit, gas_price } = call;
      const cost = solana ? { compute_units: gas_used, fee: solana.fee } : { gas_used, gas_limit, gas_price };
      return [callReading(call, value, cost)];
    });
  },

  describe(_config, occasion, { chain }) {
    const { reading, value, words } = occasion;
    if (!isOfOneReading(occasion)) return undefined;
    return `transaction${senderText(reading, words)} used ${numberText(value)} ${chain.kind === "solana" ? "compute units" : "gas"}`;
  },
});
