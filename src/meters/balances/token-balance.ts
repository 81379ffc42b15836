import { z } from "zod";
import { addressFamilyProblem, anyAddressText, decimalsNumber } from "../config-fields.ts";
import { defineMeter } from "../meter.ts";
import { amountOf } from "../solana/solana-token.ts";
import { integerResult, readCall, readingOrProblem } from "../state-results.ts";
import { toUnits } from "../units.ts";
import { balanceOf, decimalsFrom, decimalsReads } from "./token.ts";

/** What someone, by default the contract, holds of a token. */
export const tokenBalance = defineMeter({
  type: "token_balance",
  title: "Token balance",
  about: "What the contract, or another holder, has of a token.",
  unit: "token units",
  families: ["evm", "solana"],
  instances: "many",
  config: z.strictObject({
    token: anyAddressText.describe("The token's address"),
    holder: anyAddressText.optional().describe("Whose balance; the contract's own unless said"),
    decimals: decimalsNumber.optional().describe("The token's decimals; asked of the token unless said"),
  }),
  needs: ["state"],
  aggregation: "last",

  configProblem({ token, holder }, kind) {
    return addressFamilyProblem(kind, [token, holder]);
  },

  reads({ token, holder, decimals }, { chain, address }) {
    if (chain.kind === "solana") return [{ kind: "token_balance", mint: token, holder: holder ?? address }];
    return [readCall(token, balanceOf, [holder ?? address]), ...decimalsReads(token, decimals)];
  },

  interpret(
    { token, holder, decimals: configuredDecimals },
    [balanceResult, decimalsResult],
    { chain, address },
  ) {
    return readingOrProblem(() => {
      const { amount: balance, decimals } =
        chain.kind === "solana"
          ? amountOf(balanceResult, "The balance", configuredDecimals)
          : {
              amount: integerResult(balanceResult, balanceOf),
              decimals: decimalsFrom(configuredDecimals, decimalsResult),
            };
      const evidence = { token, holder: holder ?? address, balance, decimals };
      return { value: toUnits(balance, decimals), evidence };
    });
  },
});
