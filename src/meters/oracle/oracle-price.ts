import { z } from "zod";
import type { ReadResult } from "../../chains/block.ts";
import { addressText } from "../config-fields.ts";
import { eventReading } from "../evidence.ts";
import { movementText } from "../measured-text.ts";
import { defineMeter } from "../meter.ts";
import { selectEvents, standardEvents } from "../standard-events.ts";
import { readCall, readingOrProblem, resultOf } from "../state-results.ts";
import { toUnits } from "../units.ts";
import { feedReadCount, feedReads, roundOf } from "./price-feed.ts";

const description = "description() view returns (string)";
const aggregator = "aggregator() view returns (address)";

/** Decodes an optional text: not every feed has description() and aggregator(). */
function optionalText(result: ReadResult | undefined, signature: string): string | null {
  if (!result?.ok || result.data === "0x") return null;
  try {
    const { $0: answer } = resultOf(result, signature);
    return typeof answer === "string" ? answer.slice(0, 100) : null;
  } catch {
    return null;
  }
}

const answerEvents = standardEvents([
  "AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt)",
]);

/** Measures the price of a feed. */
export const oraclePrice = defineMeter({
  type: "oracle_price",
  title: "Oracle price",
  about:
    "The latest price of a feed with the Chainlink interface, from latestRoundData(), scaled by the decimals of the feed.",
  unit: "price",
  families: ["evm"],
  instances: "one",
  config: z.strictObject({
    feed: addressText.optional().describe("The feed address; defaults to the monitored contract"),
    aggregator: addressText
      .optional()
      .describe("The contract behind the feed whose AnswerUpdated events report prices at once"),
  }),
  needs: ["state", "logs"],
  needsOf: ({ aggregator }) => (aggregator ? ["state", "logs"] : ["state"]),
  events: ({ aggregator: address }) => (address ? [{ address, topics: answerEvents.topics() }] : []),
  relatedAddresses: ({ aggregator }) => (aggregator ? [aggregator] : []),
  aggregation: "last",

  // Contracts read the feed, but its updates touch only the aggregator. Decimals are known from an earlier reading.
  measure({ aggregator: source }, { events }, _subject, previous) {
    const decimals = previous?.evidence?.decimals;
    if (!source || typeof decimals !== "number" || previous?.evidence?.aggregator !== source) return [];
    return selectEvents(events, source, answerEvents).flatMap((event) => {
      const { $0: answer, $1: round_id, $2: updated_at } = event.decoded?.args ?? {};
      if (typeof answer !== "bigint" || typeof updated_at !== "bigint") return [];
      const { feed, pair } = previous?.evidence ?? {};
      const round = {
        feed,
        answer,
        decimals,
        round_id,
        updated_at: Number(updated_at),
        pair,
        aggregator: source,
      };
      return [eventReading(event, toUnits(answer, decimals), round)];
    });
  },

  reads({ feed }, { address }) {
    const feedAddress = feed ?? address;
    return [...feedReads(feedAddress), readCall(feedAddress, description), readCall(feedAddress, aggregator)];
  },

  interpret({ feed }, results, { address }) {
    return readingOrProblem(() => {
      const { price, ...round } = roundOf(results);
      const [pair, aggregatorAddress] = [
        optionalText(results[feedReadCount], description),
        optionalText(results[feedReadCount + 1], aggregator),
      ];
      return {
        value: price,
        evidence: { feed: feed ?? address, ...round, pair, aggregator: aggregatorAddress },
      };
    });
  },

  describe(_config, occasion) {
    const { reading, value } = occasion;
    const pair = reading?.evidence?.pair;
    const invalid = value <= 0 ? ", which is not a valid price" : "";
    return `price${typeof pair === "string" ? ` of ${pair}` : ""} ${movementText(occasion)}${invalid}`;
  },
});
