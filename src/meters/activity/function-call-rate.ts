import { z } from "zod";
import { callsMatching, expressionText, functionText } from "../config-filters.ts";
import { callReading } from "../evidence.ts";
import { defineMeter } from "../meter.ts";

/** How often one function of the contract is called. */
export const functionCallRate = defineMeter({
  type: "function_call_rate",
  title: "Function calls",
  about:
    "Counts transactions that call one function of the contract directly, failed ones too, and with internal the calls that other contracts make on the way.",
  unit: "calls",
  families: ["evm"],
  instances: "many",
  config: z.strictObject({
    function_signature: functionText.describe("The function, such as transfer(address,uint256)"),
    filter: expressionText.optional().describe("Count only calls whose arguments are so"),
    internal: z
      .boolean()
      .default(false)
      .describe("Also count calls that other contracts make, which takes a node that gives traces"),
  }),
  needs: ["transactions"],
  aggregation: "count",

  needsTraces: ({ internal }) => internal,

  measure({ function_signature, filter, internal }, activity) {
    const calls = internal ? [...activity.calls, ...(activity.internal ?? [])] : activity.calls;
    return callsMatching(calls, function_signature, filter).map((call) => callReading(call, 1));
  },
});
