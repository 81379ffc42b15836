import { z } from "zod";
import { addressText } from "../config-fields.ts";
import { defineMeter } from "../meter.ts";
import { readingOrProblem, UnreadableState } from "../state-results.ts";
import { feedReads, roundOf } from "./price-feed.ts";

/** A feed may be written by a clock that is a little ahead of the block's. */
const clockToleranceSeconds = 900;

/** How long ago a feed was last updated. */
export const oracleStaleness = defineMeter({
  type: "oracle_staleness",
  title: "Oracle age",
  about: "Seconds since a feed was last updated. A feed is late once this is above its heartbeat.",
  unit: "seconds",
  families: ["evm"],
  instances: "one",
  config: z.strictObject({
    feed: addressText.optional().describe("The feed; the contract itself unless said"),
    heartbeat_seconds: z
      .int()
      .min(1)
      .max(31_536_000)
      .default(3600)
      .describe("How often the feed promises to be updated; shown with each reading"),
  }),
  needs: ["state"],
  aggregation: "last",

  reads({ feed }, { address }) {
    return feedReads(feed ?? address);
  },

  interpret({ feed, heartbeat_seconds }, results, { address }, { time }) {
    return readingOrProblem(() => {
      const { updated_at, answer, round_id } = roundOf(results);
      if (updated_at > time + clockToleranceSeconds) {
        throw new UnreadableState("The feed claims to have been updated in the future.");
      }
      const age = Math.max(0, time - updated_at);
      const overdue_seconds = Math.max(0, age - heartbeat_seconds);
      const evidence = {
        feed: feed ?? address,
        updated_at,
        heartbeat_seconds,
        overdue_seconds,
        answer,
        round_id,
      };
      return { value: age, evidence };
    });
  },
});
