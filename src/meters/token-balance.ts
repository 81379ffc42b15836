import { z } from "zod";
import { addressText, decimalsNumber } from "./config-fields.ts";
import { defineMeter } from "./meter.ts";
import { integerAnswer, readCall, readingOrProblem } from "./reads.ts";
import { balanceOf, decimalsFrom, decimalsReads } from "./token.ts";
import { toUnits } from "./units.ts";

/** What someone, by default the contract, holds of a token. */
export const tokenBalance = defineMeter({
  type: "token_balance",
  title: "Token balance",
  about: "What the contract, or another holder, has of a token.",
  unit: "token units",
  families: ["evm"],
  instances: "many",
  config: z.strictObject({
    token: addressText.describe("The token's address"),
    holder: addressText.optional().describe("Whose balance; the contract's own unless said"),
    decimals: decimalsNumber.optional().describe("The token's decimals; asked of the token unless said"),
  }),
  needs: ["state"],
  aggregation: "last",

  reads({ token, holder, decimals }, { address }) {
    return [readCall(token, balanceOf, [holder ?? address]), ...decimalsReads(token, decimals)];
  },

  interpret({ token, holder, decimals: said }, [balanceResult, decimalsResult], { address }) {
    return readingOrProblem(() => {
      const balance = integerAnswer(balanceResult, balanceOf);
      const decimals = decimalsFrom(said, decimalsResult);
      const evidence = { token, holder: holder ?? address, balance, decimals };
      return { value: toUnits(balance, decimals), evidence };
    });
  },
});
