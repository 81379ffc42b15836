import { z } from "zod";
import { durationText } from "../../lib/text.ts";
import { defineMeter, type TimedReading } from "../meter.ts";
import { readingOrProblem, wordOf } from "../state-results.ts";

/** Measures the time since the last activity of the contract. */
export const inactivity = defineMeter({
  type: "inactivity",
  title: "Inactivity",
  about:
    "Seconds since the last transaction to or from the contract or the last event it emitted. Before the first activity, seconds since monitoring began.",
  unit: "seconds",
  families: ["evm", "solana"],
  instances: "one",
  config: z.strictObject({}),
  needs: ["state", "logs", "transactions"],
  aggregation: "last",

  measure(_config, { time, calls, events }, { address }) {
    const activity = [...calls, ...events.filter((event) => event.address === address)];
    const newest = activity.toSorted((a, b) => a.tx_index - b.tx_index).at(-1);
    if (!newest) return [];
    return [{ value: 0, tx_hash: newest.tx_hash, position: null, evidence: { last_activity: time } }];
  },

  // The value is not used. A state read makes the target polled, so that it has readings while nothing happens.
  reads(_config, { address }) {
    return [{ kind: "balance", address }];
  },

  dependsOnTime: true,

  interpret(_config, [result], _subject, { time, previous }) {
    return readingOrProblem(() => {
      wordOf(result, "The balance");
      const last_activity = lastActivity(previous) ?? time;
      return { value: Math.max(0, time - last_activity), evidence: { last_activity } };
    });
  },

  describe(_config, { value }) {
    return `no activity for ${durationText(value)}`;
  },
});

/** Each reading copies this timestamp from its predecessor, because only the newest reading is available. */
function lastActivity(previous: TimedReading | undefined): number | undefined {
  const timestamp = previous?.evidence?.last_activity;
  return typeof timestamp === "number" && Number.isFinite(timestamp) ? timestamp : undefined;
}
