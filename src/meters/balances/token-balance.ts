import { z } from "zod";
import { addressFamilyProblem, anyAddressText, decimalsNumber } from "../config-fields.ts";
import { movementText } from "../measured-text.ts";
import { defineMeter } from "../meter.ts";
import { solanaBalanceRead } from "../solana/solana-balance.ts";
import { amountOf } from "../solana/solana-token.ts";
import { integerResult, readCall, readingOrProblem } from "../state-results.ts";
import { toUnits } from "../units.ts";
import { balanceOf, decimalsFrom, decimalsReads } from "./token.ts";

/** Measures the token balance of the contract or of another holder. */
export const tokenBalance = defineMeter({
  type: "token_balance",
  title: "Token balance",
  example: { token: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48" },
  about:
    "The balance of a token held by the contract or by another holder, in token units. On Solana, the balance of a program is that of its vaults: the token accounts whose owner is an address that only the program can sign for. They are found every hour in its newest transactions, and within ten minutes where a target reads its transactions; 20 of each token are followed, and the status of the contract says how many are not. The confidential part of a balance of Token-2022 does not count.",
  unit: "token units",
  families: ["evm", "solana"],
  instances: "many",
  config: z.strictObject({
    token: anyAddressText.describe("The token address"),
    holder: anyAddressText
      .optional()
      .describe("The address whose balance is read; defaults to the monitored contract"),
    decimals: decimalsNumber.optional().describe("The decimals of the token; read from the token by default"),
  }),
  needs: ["state"],
  aggregation: "last",

  configProblem({ token, holder }, kind) {
    return addressFamilyProblem(kind, [token, holder]);
  },

  heldTokens({ token, holder }, { address }) {
    return (holder ?? address) === address ? [token] : [];
  },

  reads({ token, holder, decimals }, subject) {
    const { chain, address } = subject;
    if (chain.kind === "solana") return [solanaBalanceRead(token, holder ?? address, subject)];
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

  describe({ token }, occasion) {
    return `balance of the token ${occasion.words.address(token)} ${movementText(occasion)}`;
  },
});
