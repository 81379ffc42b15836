import { z } from "zod";
import { addressText } from "../config-fields.ts";
import { defineMeter } from "../meter.ts";
import { readingOrProblem } from "../state-results.ts";
import { feedReadCount, feedReads, roundOf } from "./price-feed.ts";

/** How far a feed is from what its price should be. */
export const oracleDeviation = defineMeter({
  type: "oracle_deviation",
  title: "Oracle deviation",
  about: "How far the price of a feed is from a second feed or from a fixed value, up or down, in percent.",
  unit: "%",
  families: ["evm"],
  instances: "one",
  config: z
    .strictObject({
      feed: addressText.optional().describe("The feed; the contract itself unless said"),
      reference_feed: addressText.optional().describe("The feed to compare with"),
      reference_value: z
        .number()
        .positive()
        .max(1e60)
        .optional()
        .describe("The price to compare with, such as 1"),
    })
    .refine(
      ({ reference_feed, reference_value }) =>
        (reference_feed === undefined) !== (reference_value === undefined),
      {
        message: "Give either reference_feed or reference_value.",
        path: ["reference_feed"],
      },
    ),
  needs: ["state"],
  aggregation: "last",

  reads({ feed, reference_feed }, { address }) {
    return [...feedReads(feed ?? address), ...(reference_feed ? feedReads(reference_feed) : [])];
  },

  interpret({ feed, reference_feed, reference_value }, results, { address }) {
    return readingOrProblem(() => {
      const { price, answer, updated_at } = roundOf(results);
      const reference = reference_value ?? roundOf(results.slice(feedReadCount)).price;
      const percent = ((price - reference) / reference) * 100;
      const evidence = {
        feed: feed ?? address,
        reference_feed,
        price,
        reference,
        percent,
        answer,
        updated_at,
      };
      return { value: Math.abs(percent), evidence };
    });
  },
});
