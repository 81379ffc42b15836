import { z } from "zod";
import { movementText } from "../measured-text.ts";
import { defineMeter } from "../meter.ts";
import { readingOrProblem, wordOf } from "../state-results.ts";
import { toUnits } from "../units.ts";
import { numberText } from "../words.ts";

/** Measures the native balance of the contract. */
export const nativeBalance = defineMeter({
  type: "native_balance",
  title: "Native balance",
  about: "The balance of the contract in the native currency of the chain, such as ETH or SOL.",
  unit: "native units",
  unitOf: (_config, { chain }) => chain.native_currency.symbol,
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

  describe(_config, occasion, { chain }) {
    const amount = (value: number) => `${numberText(value)} ${chain.native_currency.symbol}`;
    return `balance ${movementText(occasion, amount)}`;
  },
});
