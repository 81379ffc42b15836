import { z } from "zod";
import { addressText } from "./config-fields.ts";
import { defineMeter } from "./meter.ts";
import { feedReads, roundOf } from "./price-feed.ts";
import { readingOrProblem } from "./reads.ts";

/** The price that a feed gives. */
export const oraclePrice = defineMeter({
  type: "oracle_price",
  title: "Oracle price",
  about: "The newest price of a feed that answers like Chainlink's.",
  unit: "price",
  families: ["evm"],
  instances: "one",
  config: z.strictObject({
    feed: addressText.optional().describe("The feed; the contract itself unless said"),
  }),
  needs: ["state"],
  aggregation: "last",

  reads({ feed }, { address }) {
    return feedReads(feed ?? address);
  },

  interpret({ feed }, results, { address }) {
    return readingOrProblem(() => {
      const { price, ...round } = roundOf(results);
      return { value: price, evidence: { feed: feed ?? address, ...round } };
    });
  },
});
