import { z } from "zod";
import { defineMeter } from "../meter.ts";
import { readingOrProblem, wordOf } from "../state-results.ts";
import { toUnits } from "../units.ts";

/** What the contract holds of the chain's own currency. */
export const nativeBalance = defineMeter({
  type: "native_balance",
  title: "Native balance",
  about: "What the contract holds of the chain's own currency.",
  unit: "native units",
  families: ["evm", "solana"],
  instances: "one",
  config: z.strictObject({}),
  needs: ["state"],
  aggregation: "last",

  reads(_config, { address }) {
    return [{ kind: "balance", address }];
  },

  interpret(_config, [result], { chain }) {
    return readingOrProblem(() => {
      const amount = wordOf(result, "The balance");
      const evidence = chain.kind === "evm" ? { wei: amount } : { lamports: amount };
      return { value: toUnits(amount, chain.native_currency.decimals), evidence };
    });
  },
});
