import { setImmediate } from "node:timers/promises";
import { chainOf } from "../../chains/index.ts";
import { workerTask } from "../../lib/concurrency/worker-pool.ts";
import type { TimedReading } from "../../meters/meter.ts";
import {
  compileContract,
  compileRule,
  percentile,
  replay,
  summariserOf,
  type WatchedRule,
} from "../../pipeline/index.ts";
import type { WatchRow, WatchRuleRow } from "../../store/engine/watch.ts";

/** The rule of a back-test and the stored readings, as plain data that can be sent to a thread. */
export type BacktestInput = {
  contract: WatchRow;
  rule: WatchRuleRow;
  readings: TimedReading[];
  span: { from: number; to: number; known: number };
  /** The part of the span in which the target was measured. */
  data: { from: number; to: number } | undefined;
};

type Episode = Awaited<ReturnType<typeof replay>>["episodes"][number];
export type BacktestOutcome = { episodes: Episode[]; suggested_threshold: number | null };

const daySeconds = 24 * 60 * 60;

/** The length of a span in days, at least an hour. */
export function daysOf({ from, to }: { from: number; to: number }): number {
  return Math.max(1 / 24, (to - from) / daySeconds);
}

/** Replays a rule over readings and searches a threshold that rarely fires. */
export async function replayBacktest(input: BacktestInput): Promise<BacktestOutcome> {
  const { readings, span, data = span } = input;
  const rule = ruleOf(input);
  const run = async (threshold: number | null) => {
    const candidate = { ...rule, condition: { ...rule.condition, threshold } };
    const { episodes, values } = await replay(
      candidate,
      readings,
      span.known,
      summariserOf(rule),
      setImmediate,
    );
    return { episodes: episodes.filter((one) => one.fired_at >= span.from), values };
  };
  const { episodes, values } = await run(rule.condition.threshold);
  const firesPerDay = async (threshold: number) => (await run(threshold)).episodes.length / daysOf(data);
  return { episodes, suggested_threshold: await suggest(rule, values, firesPerDay) };
}

export const replayBacktestTask = workerTask("src/domain/alerts/replay-backtest.ts", replayBacktest, 15_000);

/** The contract and the rule were compiled before, so that they can be compiled here. */
function ruleOf({ contract, rule }: BacktestInput): WatchedRule {
  const chain = chainOf(contract.chain);
  const target = chain && compileContract(chain, contract).targets.find(({ id }) => id === rule.target_id);
  const compiled = target && compileRule(target, rule);
  if (!compiled) throw new Error("The rule of the back-test cannot be compiled.");
  return compiled;
}

/** Returns the first of a few percentiles of the data with which the rule would fire at most once a day. */
async function suggest(
  rule: WatchedRule,
  values: number[],
  firesPerDay: (threshold: number) => Promise<number>,
): Promise<number | null> {
  const { operator } = rule.condition;
  const isUpper = operator === "gt" || operator === "gte";
  const isLower = operator === "lt" || operator === "lte";
  if (values.length === 0 || (!isUpper && !isLower)) return null;
  const shares = isUpper ? [0.5, 0.9, 0.95, 0.99, 0.999, 1] : [0.5, 0.1, 0.05, 0.01, 0.001];
  for (const share of shares) {
    const threshold = percentile(values, Math.max(share, 1 / values.length));
    if ((await firesPerDay(threshold)) <= 1) return threshold;
  }
  return null;
}
