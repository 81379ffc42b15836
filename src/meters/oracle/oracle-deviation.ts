import { z } from "zod";
import { addressText } from "../config-fields.ts";
import { defineMeter } from "../meter.ts";
import { readingOrProblem } from "../state-results.ts";
import { numberText } from "../words.ts";
import { feedReadCount, feedReads, validRoundOf } from "./price-feed.ts";

/** Measures how far a price feed is from its reference. */
export const oracleDeviation = defineMeter({
  type: "oracle_deviation",
  title: "Oracle deviation",
  example: { reference_value: 1 },
  about:
    "The absolute deviation of a price feed from a reference feed or a fixed reference value, in percent.",
  unit: "%",
  families: ["evm"],
  instances: "one",
  config: z
    .strictObject({
      feed: addressText.optional().describe("The feed address; defaults to the monitored contract"),
      reference_feed: addressText.optional().describe("The reference feed"),
      reference_value: z
        .number()
        .positive()
        .max(1e60)
        .optional()
        .describe("The fixed reference price, such as 1 for a stablecoin"),
    })
    .refine(
      ({ reference_feed, reference_value }) =>
        (reference_feed === undefined) !== (reference_value === undefined),
      {
        message: "Exactly one of reference_feed and reference_value is required.",
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
      const { price, answer, updated_at } = validRoundOf(results);
      const reference = reference_value ?? validRoundOf(results.slice(feedReadCount)).price;
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

  describe(_config, { reading, previous, value }) {
    const { price, reference } = reading?.evidence ?? {};
    if (typeof price !== "number" || typeof reference !== "number" || reading?.value !== value)
      return `price is ${numberText(value)} % away from its reference`;
    const side = price < reference ? "below" : "above";
    const away = `${numberText(value)} % ${side} its reference ${numberText(reference)}`;
    const before = previous?.evidence?.price;
    if (typeof before !== "number" || before === price) return `price ${numberText(price)} is ${away}`;
    return `price ${price < before ? "fell" : "rose"} from ${numberText(before)} to ${numberText(price)}, ${away}`;
  },
});
