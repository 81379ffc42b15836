import { z } from "zod";
import { addressFamilyProblem, anyAddressText } from "../config-fields.ts";
import { defineMeter } from "../meter.ts";
import { readingOrProblem } from "../state-results.ts";
import { numberText } from "../words.ts";
import { feedReadCountOn, feedReadsOn, validRoundOn } from "./price-feed.ts";

/** Measures how far a price feed is from its reference. */
export const oracleDeviation = defineMeter({
  type: "oracle_deviation",
  title: "Oracle deviation",
  example: { reference_value: 1 },
  about:
    "The absolute deviation of a price feed from a reference feed or a fixed reference value, in percent. On Solana the feeds are accounts of Pyth or of Switchboard On-Demand.",
  unit: "%",
  families: ["evm", "solana"],
  instances: "one",
  config: z
    .strictObject({
      feed: anyAddressText.optional().describe("The feed address; defaults to the monitored contract"),
      reference_feed: anyAddressText.optional().describe("The reference feed"),
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

  configProblem({ feed, reference_feed }, kind) {
    return addressFamilyProblem(kind, [feed, reference_feed]);
  },

  reads({ feed, reference_feed }, subject) {
    return [feed ?? subject.address, ...(reference_feed ? [reference_feed] : [])].flatMap((feedAddress) =>
      feedReadsOn(subject, feedAddress),
    );
  },

  interpret({ feed, reference_feed, reference_value }, results, subject) {
    return readingOrProblem(() => {
      const { price, answer, updated_at } = validRoundOn(subject, results);
      const others = results.slice(feedReadCountOn(subject));
      const reference = reference_value ?? validRoundOn(subject, others).price;
      const percent = ((price - reference) / reference) * 100;
      const evidence = {
        feed: feed ?? subject.address,
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
