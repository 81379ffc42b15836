import { z } from "zod";
import { defineMeter, type TimedReading } from "../meter.ts";
import { readingOrProblem, wordOf } from "../state-results.ts";

/** How long nothing has happened on the contract. */
export const inactivity = defineMeter({
  type: "inactivity",
  title: "Inactivity",
  about:
    "Seconds since the last transaction to or from the contract or the last event of it; before the first of them, since watching began.",
  unit: "seconds",
  families: ["evm", "solana"],
  instances: "one",
  config: z.strictObject({}),
  needs: ["transactions", "logs", "state"],
  aggregation: "last",

  measure(_config, { time, calls, events }, { address }) {
    const activity = [...calls, ...events.filter((event) => event.address === address)];
    const newest = activity.toSorted((a, b) => a.tx_index - b.tx_index).at(-1);
    if (!newest) return [];
    return [{ value: 0, tx_hash: newest.tx_hash, position: null, evidence: { last_activity: time } }];
  },

  // What is read does not matter: being polled is what lets silence be measured.
  reads(_config, { address }) {
    return [{ kind: "balance", address }];
  },

  interpret(_config, [result], _subject, { time, previous }) {
    return readingOrProblem(() => {
      wordOf(result, "The balance");
      const last_activity = lastActivity(previous) ?? time;
      return { value: Math.max(0, time - last_activity), evidence: { last_activity } };
    });
  },
});

/** Carried along from reading to reading, since only the newest one is at hand. */
function lastActivity(previous: TimedReading | undefined): number | undefined {
  const timestamp = previous?.evidence?.last_activity;
  return typeof timestamp === "number" && Number.isFinite(timestamp) ? timestamp : undefined;
}
