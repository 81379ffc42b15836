import { z } from "zod";
import { decimalsNumber } from "../config-fields.ts";
import { movementText } from "../measured-text.ts";
import { defineMeter } from "../meter.ts";
import { amountOf } from "../solana/solana-token.ts";
import { integerResult, readCall, readingOrProblem } from "../state-results.ts";
import { toUnits } from "../units.ts";
import { decimalsFrom, decimalsReads, totalSupply } from "./token.ts";

/** Measures the total supply of an ERC-20 token or a Solana mint. */
export const tokenSupply = defineMeter({
  type: "token_supply",
  title: "Token supply",
  about: "The total supply of the monitored token, in token units.",
  unit: "token units",
  families: ["evm", "solana"],
  needsCode: true,
  instances: "one",
  config: z.strictObject({
    decimals: decimalsNumber.optional().describe("The decimals of the token; read from the token by default"),
  }),
  needs: ["state"],
  aggregation: "last",

  reads({ decimals }, { chain, address }) {
    if (chain.kind === "solana") return [{ kind: "token_supply", mint: address }];
    return [readCall(address, totalSupply), ...decimalsReads(address, decimals)];
  },

  interpret({ decimals: configuredDecimals }, [supplyResult, decimalsResult], { chain }) {
    return readingOrProblem(() => {
      const { amount: supply, decimals } =
        chain.kind === "solana"
          ? amountOf(supplyResult, "The supply", configuredDecimals)
          : {
              amount: integerResult(supplyResult, totalSupply),
              decimals: decimalsFrom(configuredDecimals, decimalsResult),
            };
      return { value: toUnits(supply, decimals), evidence: { supply, decimals } };
    });
  },

  describe(_config, occasion) {
    return `supply ${movementText(occasion)}`;
  },
});
