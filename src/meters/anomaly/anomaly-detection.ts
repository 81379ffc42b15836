import { z } from "zod";
import type { Activity, Subject } from "../../chains/activity.ts";
import { eventFrequency } from "../activity/event-frequency.ts";
import { functionCallRate } from "../activity/function-call-rate.ts";
import { revertRate } from "../activity/revert-rate.ts";
import { txRate } from "../activity/tx-rate.ts";
import { eventText, expressionText, functionText } from "../config-filters.ts";
import { defineMeter, type Reading } from "../meter.ts";
import { readingOrProblem, wordOf } from "../state-results.ts";
import { compareNewestMinute, historySeconds, scoreNewestMinute } from "./anomaly-score.ts";

const shape = z
  .strictObject({
    metric: z
      .enum(["tx_rate", "revert_rate", "event_frequency", "function_call_rate"])
      .default("tx_rate")
      .describe("What is counted by the minute; of revert_rate, the failed transactions"),
    event_signature: eventText.optional().describe("The event, for event_frequency"),
    function_signature: functionText.optional().describe("The function, for function_call_rate"),
    filter: expressionText.optional().describe("Count only what has such arguments"),
    algorithm: z
      .enum(["basic", "robust"])
      .default("basic")
      .describe("basic compares with the day before, robust with the same time of earlier days"),
    bounds: z.number().min(0).max(1000).default(3).describe("Scores up to this count as 0"),
    seasonality: z
      .enum(["none", "hourly", "daily", "weekly"])
      .default("none")
      .describe("robust: what repeats itself"),
    direction: z.enum(["both", "above", "below"]).default("both").describe("Which deviations count"),
  })
  .superRefine(({ metric, event_signature, function_signature, algorithm, seasonality }, context) => {
    const addProblem = (field: string, message: string) =>
      context.addIssue({ code: "custom", path: [field], message });
    if (metric === "event_frequency" && !event_signature) addProblem("event_signature", "Say which event.");
    if (metric === "function_call_rate" && !function_signature)
      addProblem("function_signature", "Say which function.");
    if (algorithm === "basic" && seasonality !== "none")
      addProblem("seasonality", "Only robust knows seasons.");
  });

/** How unusual the number of occurrences in the last minute is. */
export const anomalyDetection = defineMeter({
  type: "anomaly_detection",
  title: "Anomaly",
  about:
    "How many usual deviations the last whole minute is away from the usual, with the aggregation last. Rules on it look back at least a day, three days with seasons of a day and three weeks with those of a week; there is no value before enough was seen: three hours, and as many days or weeks.",
  unit: "deviations",
  families: ["evm", "solana"],
  instances: "many",
  config: shape,
  needs: ["transactions", "receipts", "logs", "state"],
  aggregation: "last",

  configProblem({ metric }, kind) {
    const isEvmOnly = metric === "event_frequency" || metric === "function_call_rate";
    return kind === "solana" && isEvmOnly ? `On Solana ${metric} is not counted.` : undefined;
  },

  measure(config, activity, subject) {
    return occurrences(config, activity, subject);
  },

  // Being polled is what makes silence visible: without readings no minute would ever end.
  reads(_config, { address }) {
    return [{ kind: "balance", address }];
  },

  interpret(_config, [result]) {
    return readingOrProblem(() => {
      wordOf(result, "The balance");
      return { value: 0, evidence: {} };
    });
  },

  windowSeconds: historySeconds,
  baseline: (config, window) => compareNewestMinute(config, window)?.baseline,

  summarise(config, window) {
    return scoreNewestMinute(config, window);
  },
});

function occurrences(config: z.output<typeof shape>, activity: Activity, subject: Subject): Reading[] {
  const { metric, event_signature = "", function_signature = "", filter } = config;
  switch (metric) {
    case "tx_rate":
      return txRate.measure?.({ direction: "to", include_failed: true }, activity, subject, undefined) ?? [];
    case "revert_rate":
      return (
        revertRate
          .measure?.({ min_txs: 1 }, activity, subject, undefined)
          .filter(({ value }) => value === 1) ?? []
      );
    case "event_frequency":
      return eventFrequency.measure?.({ event_signature, filter }, activity, subject, undefined) ?? [];
    case "function_call_rate":
      return (
        functionCallRate.measure?.(
          { function_signature, filter, internal: false },
          activity,
          subject,
          undefined,
        ) ?? []
      );
  }
}
