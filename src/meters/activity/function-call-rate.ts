import { z } from "zod";
import { callsMatching, expressionText, functionText } from "../config-filters.ts";
import { callReading } from "../evidence.ts";
import { timesText } from "../measured-text.ts";
import { defineMeter } from "../meter.ts";
import { decodedOf, decodedText, nameIn, senderText } from "../words.ts";

/** Counts the calls of one function. */
export const functionCallRate = defineMeter({
  type: "function_call_rate",
  title: "Function calls",
  example: { function_signature: "withdraw(uint256 amount)", filter: "amount > 100e18" },
  about:
    "Counts transactions that call one function of the contract directly, including failed ones. With internal, also counts calls made by other contracts within a transaction.",
  unit: "calls",
  families: ["evm"],
  needsCode: true,
  instances: "many",
  config: z.strictObject({
    function_signature: functionText.describe("The function signature, such as transfer(address,uint256)"),
    filter: expressionText
      .optional()
      .describe("An expression on the call arguments; only matching calls are counted"),
    internal: z
      .boolean()
      .default(false)
      .describe("Also count calls made by other contracts; requires an endpoint that supports traces"),
  }),
  needs: ["transactions", "traces"],
  needsOf: ({ internal }) => (internal ? ["transactions", "traces"] : ["transactions"]),
  aggregation: "count",

  measuresEach: true,
  measure({ function_signature, filter, internal }, activity) {
    const calls = internal ? [...activity.calls, ...(activity.internal ?? [])] : activity.calls;
    return callsMatching(calls, function_signature, filter).map((call) => callReading(call, 1));
  },

  describe({ function_signature }, occasion) {
    const { reading, value, aggregation, words } = occasion;
    const decoded = decodedOf(reading);
    if (value === 1 && aggregation !== "rate" && decoded)
      return `${decodedText(decoded, words)} called${senderText(reading, words)}`;
    return `${nameIn(function_signature)} called ${timesText(occasion)}`;
  },
});
