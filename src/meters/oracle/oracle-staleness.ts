import { z } from "zod";
import { durationText } from "../../lib/text.ts";
import { addressFamilyProblem, anyAddressText } from "../config-fields.ts";
import { defineMeter } from "../meter.ts";
import { readingOrProblem, UnreadableState } from "../state-results.ts";
import { feedReadsOn, roundOn } from "./price-feed.ts";

/** The clock of a feed may be ahead of the block time by this much. */
const clockToleranceSeconds = 900;

/** Measures the age of the latest price of a feed. */
export const oracleStaleness = defineMeter({
  type: "oracle_staleness",
  title: "Oracle staleness",
  about:
    "Seconds since the last update of a price feed. A feed is stale if this exceeds its heartbeat. On Solana the feed is an account of Pyth or of Switchboard On-Demand.",
  unit: "seconds",
  families: ["evm", "solana"],
  instances: "one",
  config: z.strictObject({
    feed: anyAddressText.optional().describe("The feed address; defaults to the monitored contract"),
    heartbeat_seconds: z
      .int()
      .min(1)
      .max(31_536_000)
      .default(3600)
      .describe("The maximum interval between updates of the feed; shown with each reading"),
  }),
  needs: ["state"],
  aggregation: "last",

  configProblem({ feed }, kind) {
    return addressFamilyProblem(kind, [feed]);
  },

  reads({ feed }, subject, previous) {
    return feedReadsOn(subject, feed ?? subject.address, previous);
  },

  dependsOnTime: true,

  interpret({ feed, heartbeat_seconds }, results, subject, { time }) {
    return readingOrProblem(() => {
      const { price: _, updated_at, ...round } = roundOn(subject, results);
      if (updated_at > time + clockToleranceSeconds) {
        throw new UnreadableState("The feed reports an update time in the future.");
      }
      const age = Math.max(0, time - updated_at);
      const overdue_seconds = Math.max(0, age - heartbeat_seconds);
      const evidence = {
        feed: feed ?? subject.address,
        updated_at,
        heartbeat_seconds,
        overdue_seconds,
        ...round,
      };
      return { value: age, evidence };
    });
  },

  describe({ heartbeat_seconds }, { value }) {
    return `last price update ${durationText(value)} ago, expected every ${durationText(heartbeat_seconds)}`;
  },
});
