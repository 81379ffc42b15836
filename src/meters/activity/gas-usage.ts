import { z } from "zod";
import { callReading } from "../evidence.ts";
import { defineMeter } from "../meter.ts";

/** What transactions to the contract cost in gas. */
export const gasUsage = defineMeter({
  type: "gas_usage",
  title: "Gas used",
  about: "The gas that each transaction to the contract used.",
  unit: "gas",
  families: ["evm"],
  instances: "one",
  config: z.strictObject({}),
  needs: ["transactions", "receipts"],
  aggregation: "p95",

  measure(_config, { calls }) {
    return calls.flatMap((call) => {
      if (call.direction !== "to" || !call.receipt) return [];
      const { gas_used } = call.receipt;
      const value = Number(gas_used);
      if (!Number.isFinite(value)) return [];
      return [callReading(call, value, { gas_used, gas_limit: call.gas_limit, gas_price: call.gas_price })];
    });
  },
});
