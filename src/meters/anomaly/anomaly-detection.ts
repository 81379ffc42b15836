import { z } from "zod";
import type { Activity, Subject } from "../../chains/activity.ts";
import { eventFrequency } from "../activity/event-frequency.ts";
import { functionCallRate } from "../activity/function-call-rate.ts";
import { revertRate } from "../activity/revert-rate.ts";
import { txRate } from "../activity/tx-rate.ts";
import { eventFilter, eventText, expressionText, functionText } from "../config-filters.ts";
import { defineMeter, type Need, type Reading } from "../meter.ts";
import { readingOrProblem, wordOf } from "../state-results.ts";
import { nameIn, numberText } from "../words.ts";
import { compareNewestMinute, historySeconds, scoreNewestMinute } from "./anomaly-score.ts";

const shape = z
  .strictObject({
    metric: z
      .enum(["tx_rate", "revert_rate", "event_frequency", "function_call_rate"])
      .default("tx_rate")
      .describe("The events counted per minute; revert_rate counts failed transactions"),
    event_signature: eventText.optional().describe("The event signature; required for event_frequency"),
    function_signature: functionText
      .optional()
      .describe("The function signature; required for function_call_rate"),
    filter: expressionText
      .optional()
      .describe("An expression on the arguments; only matching events or calls are counted"),
    algorithm: z
      .enum(["basic", "robust"])
      .default("basic")
      .describe(
        "basic compares with the previous 24 hours, robust with the same season of the whole history",
      ),
    bounds: z.number().min(0).max(1000).default(3).describe("Scores up to this value are reported as 0"),
    seasonality: z
      .enum(["none", "hourly", "daily", "weekly"])
      .default("none")
      .describe("robust only: the period after which the pattern repeats"),
    direction: z
      .enum(["both", "above", "below"])
      .default("both")
      .describe("Report deviations above the baseline, below it, or both"),
  })
  .superRefine(({ metric, event_signature, function_signature, algorithm, seasonality }, context) => {
    const addProblem = (field: string, message: string) =>
      context.addIssue({ code: "custom", path: [field], message });
    if (metric === "event_frequency" && !event_signature)
      addProblem("event_signature", "event_signature is required for event_frequency.");
    if (metric === "function_call_rate" && !function_signature)
      addProblem("function_signature", "function_signature is required for function_call_rate.");
    if (algorithm === "basic" && seasonality !== "none")
      addProblem("seasonality", "seasonality requires the robust algorithm.");
  });

/** Scores how unusual the number of occurrences in the last complete minute is. */
export const anomalyDetection = defineMeter({
  type: "anomaly_detection",
  title: "Anomaly",
  about:
    "The distance of the last complete minute from the median of its baseline, in median absolute deviations; use the aggregation last. The history covers at least one day, three days with daily and three weeks with weekly seasonality. There is no value until enough history exists: three hours without seasonality or with hourly seasonality, three days with daily or weekly seasonality.",
  unit: "deviations",
  families: ["evm", "solana"],
  instances: "many",
  config: shape,
  needs: ["state", "logs", "transactions", "receipts"],
  needsOf: ({ metric }) => needsOfMetric[metric],
  events: ({ event_signature = "" }, { address }) => eventFilter(address, event_signature),
  aggregation: "last",

  configProblem({ metric }, kind) {
    const isEvmOnly = metric === "event_frequency" || metric === "function_call_rate";
    return kind === "solana" && isEvmOnly ? `The metric ${metric} is not available on Solana.` : undefined;
  },

  measuresEach: true,
  measure(config, activity, subject) {
    return occurrences(config, activity, subject);
  },

  // The value is not used. Polling yields readings without activity, which complete the minutes without occurrences.
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

  describe({ metric, event_signature, function_signature }, { value }) {
    const signature = event_signature ?? function_signature;
    const what = signature
      ? nameIn(signature)
      : metric === "revert_rate"
        ? "failed transactions"
        : "transactions";
    return `unusual number of ${what} in the last minute: ${numberText(value)} deviations from normal`;
  },
});

const needsOfMetric: Record<z.output<typeof shape>["metric"], readonly Need[]> = {
  tx_rate: ["state", "transactions", "receipts"],
  revert_rate: ["state", "transactions", "receipts"],
  event_frequency: ["state", "logs"],
  function_call_rate: ["state", "transactions"],
};

function occurrences(config: z.output<typeof shape>, activity: Activity, subject: Subject): Reading[] {
  const { metric, event_signature = "", function_signature = "", filter } = config;
  switch (metric) {
    case "tx_rate":
      return txRate.measure?.({ direction: "to", include_failed: true }, activity, subject, undefined) ?? [];
    case "revert_rate":
      return (
        revertRate
          .measure?.({ min_txs: 1, direction: "to" }, activity, subject, undefined)
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
