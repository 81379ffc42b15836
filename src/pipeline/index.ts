/**
 * The public entry of the pipeline: the parts that `src/domain` uses to backtest rules and to show live metrics with the
 * same code that evaluates rules on new blocks. Everything else in this folder is internal to the engine.
 */

export { findNames } from "./commit/add-names.ts";
export { aggregate, percentile } from "./evaluate/aggregate.ts";
export { describe } from "./evaluate/describe-alert.ts";
export { compares } from "./evaluate/evaluate-value.ts";
export { evaluateWindow, isChangePercent } from "./evaluate/evaluate-window.ts";
export { exampleEvaluation } from "./evaluate/example-evaluation.ts";
export { messageVariables, variablesIn } from "./evaluate/message-variables.ts";
export { etaSeconds, proximityOf } from "./evaluate/proximity.ts";
export { replay } from "./evaluate/replay.ts";
export { summariserOf } from "./evaluate/summariser.ts";
export { groupOf, parseGroupBy } from "./measure/group-of.ts";
export { findStoredMatch } from "./measure/match.ts";
export { readingsOf } from "./measure/readings-of.ts";
export { compileContract, compileRule, pollingSecondsOf } from "./watch/compile.ts";
export { downsample } from "./watch/downsample.ts";
export { lookbackSeconds } from "./watch/lookback.ts";
export { toReading } from "./watch/reading-of-sample.ts";
export { Series } from "./watch/series.ts";
export { readRollups, readStoredSeries } from "./watch/stored-series.ts";
export { seriesIdOf, type WatchedRule, type WatchedTarget } from "./watch/watch-list.ts";
