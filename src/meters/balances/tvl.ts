import { z } from "zod";
import type { Subject } from "../../chains/activity.ts";
import type { Read, ReadResult } from "../../chains/block.ts";
import { addressFamilyProblem, addressText, anyAddressText, decimalsNumber } from "../config-fields.ts";
import { movementText } from "../measured-text.ts";
import { defineMeter } from "../meter.ts";
import { feedReads, validRoundOf } from "../oracle/price-feed.ts";
import { solanaBalanceRead } from "../solana/solana-balance.ts";
import { amountOf } from "../solana/solana-token.ts";
import { integerResult, readCall, readingOrProblem, wordOf } from "../state-results.ts";
import { toUnits } from "../units.ts";
import { balanceOf, decimalsFrom, decimalsReads } from "./token.ts";

const assetShape = z
  .strictObject({
    token: z
      .union([z.literal("native"), anyAddressText])
      .describe("The token address, or native for the native currency"),
    price_feed: addressText.optional().describe("The price feed of the token; EVM chains only"),
    price: z.number().min(0).max(1e15).optional().describe("A fixed price, for tokens without a feed"),
    decimals: decimalsNumber.optional().describe("The decimals of the token; read from the token by default"),
  })
  .refine(({ price_feed, price }) => (price_feed === undefined) !== (price === undefined), {
    message: "Exactly one of price_feed and price is required.",
    path: ["price_feed"],
  });

type Asset = z.output<typeof assetShape>;

/** Measures the value of the tokens that the contract holds. */
export const tvl = defineMeter({
  type: "tvl",
  title: "Total value locked",
  example: { tokens: [{ token: "native", price: 1 }] },
  about:
    "The sum of the balances of the listed tokens multiplied by their prices, in the currency of the prices. There is no reading if any balance or price cannot be read. On Solana, a program holds what is in its vaults, as with token_balance.",
  unit: "value",
  families: ["evm", "solana"],
  instances: "one",
  config: z.strictObject({
    tokens: z.array(assetShape).min(1).max(20).describe("The tokens that are counted, with their prices"),
    holder: anyAddressText
      .optional()
      .describe("The address that holds the tokens; defaults to the monitored contract"),
  }),
  needs: ["state"],
  aggregation: "last",

  configProblem({ tokens, holder }, kind) {
    const hasPriceFeed = tokens.some(({ price_feed }) => price_feed !== undefined);
    if (kind === "solana" && hasPriceFeed)
      return "price_feed is available on EVM chains only; set price instead.";
    return addressFamilyProblem(kind, [
      holder,
      ...tokens.map(({ token }) => (token === "native" ? undefined : token)),
    ]);
  },

  heldTokens({ tokens, holder }, { address }) {
    if ((holder ?? address) !== address) return [];
    return tokens.flatMap(({ token }) => (token === "native" ? [] : [token]));
  },

  reads({ tokens, holder }, subject) {
    return tokens.flatMap((asset) => assetReads(asset, holder ?? subject.address, subject));
  },

  interpret({ tokens, holder }, results, subject) {
    return readingOrProblem(() => {
      let offset = 0;
      const assets = tokens.map((asset) => {
        const assetResults = results.slice(
          offset,
          offset + assetReads(asset, holder ?? subject.address, subject).length,
        );
        offset += assetResults.length;
        return valueOfAsset(asset, assetResults, subject);
      });
      return { value: assets.reduce((total, { worth }) => total + worth, 0), evidence: { assets } };
    });
  },

  describe(_config, occasion) {
    return `total value locked ${movementText(occasion)}`;
  },
});

function assetReads({ token, decimals, price_feed }: Asset, holder: string, subject: Subject): Read[] {
  if (subject.chain.kind === "solana" && token !== "native")
    return [solanaBalanceRead(token, holder, subject)];
  const amount: Read[] =
    token === "native"
      ? [{ kind: "balance", address: holder }]
      : [readCall(token, balanceOf, [holder]), ...decimalsReads(token, decimals)];
  return [...amount, ...(price_feed ? feedReads(price_feed) : [])];
}

function valueOfAsset(asset: Asset, results: readonly ReadResult[], { chain }: Subject) {
  const { token, price_feed } = asset;
  const isNative = token === "native";
  if (chain.kind === "solana" && !isNative) {
    const { amount, decimals } = amountOf(results[0], "The balance", asset.decimals);
    const { price = 0 } = asset;
    return { token, balance: amount, decimals, price, worth: toUnits(amount, decimals) * price };
  }
  const balance = isNative ? wordOf(results[0], "The balance") : integerResult(results[0], balanceOf);
  const configuredDecimals = isNative ? chain.native_currency.decimals : asset.decimals;
  const decimals = decimalsFrom(configuredDecimals, results[1]);
  const round = price_feed
    ? validRoundOf(results.slice(configuredDecimals === undefined ? 2 : 1))
    : undefined;
  const price = round?.price ?? asset.price ?? 0;
  return { token, balance, decimals, price, worth: toUnits(balance, decimals) * price };
}
