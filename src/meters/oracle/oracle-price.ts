import { z } from "zod";
import type { ReadResult } from "../../chains/block.ts";
import { addressFamilyProblem, addressText, anyAddressText } from "../config-fields.ts";
import { functionText } from "../config-filters.ts";
import { eventReading } from "../evidence.ts";
import { movementText } from "../measured-text.ts";
import { defineMeter } from "../meter.ts";
import { selectEvents, standardEvents } from "../standard-events.ts";
import { integerResult, readCall, readingOrProblem, resultOf } from "../state-results.ts";
import { toUnits } from "../units.ts";
import { feedReadCountOn, feedReadsOn, roundOn } from "./price-feed.ts";

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
    "The latest price of a feed with the Chainlink interface, from latestRoundData(), scaled by the decimals of the feed; or of an oracle without rounds, from the function in `function`. On Solana the price in an account of Pyth or of Switchboard On-Demand.",
  unit: "price",
  families: ["evm", "solana"],
  instances: "one",
  config: z.strictObject({
    feed: anyAddressText.optional().describe("The feed address; defaults to the monitored contract"),
    function: functionText
      .optional()
      .describe("The function of an oracle without rounds that returns the price, with its return type"),
    decimals: z
      .int()
      .min(0)
      .max(77)
      .optional()
      .describe("The decimals of what the function returns; 18 by default"),
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

  configProblem({ feed, aggregator }, kind) {
    return addressFamilyProblem(kind, [feed, aggregator]);
  },

  reads({ feed, function: given }, subject, previous) {
    const address = feed ?? subject.address;
    if (given) return [readCall(address, given), readCall(address, description)];
    const round = feedReadsOn(subject, address, previous);
    if (subject.chain.kind === "solana") return round;
    return [...round, readCall(address, description), readCall(address, aggregator)];
  },

  interpret({ feed, function: functionName, decimals = 18 }, results, subject) {
    return readingOrProblem(() => {
      if (functionName)
        return answerOf(results, { given: functionName, decimals, feed: feed ?? subject.address });
      const { price, ...round } = roundOn(subject, results);
      const [descriptionResult, aggregatorResult] = results.slice(feedReadCountOn(subject));
      const named = {
        pair: optionalText(descriptionResult, description),
        aggregator: optionalText(aggregatorResult, aggregator),
      };
      // An account of Solana names the pair itself.
      return { value: price, evidence: { feed: feed ?? subject.address, ...named, ...round } };
    });
  },

  describe(_config, occasion) {
    const { reading, value } = occasion;
    const pair = reading?.evidence?.pair;
    const invalid = value <= 0 ? ", which is not a valid price" : "";
    return `price${typeof pair === "string" ? ` of ${pair}` : ""} ${movementText(occasion)}${invalid}`;
  },
});

type Source = { given: string; decimals: number; feed: string };

/** The answer of an oracle without rounds. */
function answerOf([result, named]: readonly ReadResult[], { given, decimals, feed }: Source) {
  const answer = integerResult(result, given);
  const pair = optionalText(named, description);
  return { value: toUnits(answer, decimals), evidence: { feed, pair, answer, decimals } };
}
