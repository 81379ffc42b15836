import { setImmediate } from "node:timers/promises";
import { chainOf } from "../../../chains/index.ts";
import { runHere, workerTask } from "../../../lib/concurrency/worker-pool.ts";
import type { TimedReading } from "../../../meters/meter.ts";
import {
  compileContract,
  compileRule,
  percentile,
  replay,
  summariserOf,
  type WatchedRule,
} from "../../../pipeline/index.ts";
import type { WatchRow, WatchRuleRow } from "../../../store/engine/watch.ts";

/** The rule of a back-test and the stored readings, as plain data that can be sent to a thread. */
export type BacktestInput = {
  contract: WatchRow;
  rule: WatchRuleRow;
  /** Of the rule's own target; those of a rule with groups name their group. */
  readings: TimedReading[];
  /** Of the targets of further conditions, in their order. */
  others: TimedReading[][];
  span: { from: number; to: number; evaluatedUntil: number };
  /** The part of the span in which the target was measured. */
  data: { from: number; to: number } | undefined;
};

type Episode = Awaited<ReturnType<typeof replay>>["episodes"][number] & { group: string | null };
export type BacktestOutcome = { episodes: Episode[]; suggested_threshold: number | null };

const daySeconds = 24 * 60 * 60;

/** The length of a span in days, at least an hour. */
export function daysOf({ from, to }: { from: number; to: number }): number {
  return Math.max(1 / 24, (to - from) / daySeconds);
}

/** Replays a rule over readings and searches a threshold that rarely fires. */
export async function replayBacktest(input: BacktestInput): Promise<BacktestOutcome> {
  const { span, data = span } = input;
  const rule = await ruleOf(input);
  const run = async (threshold: number | null) => {
    const candidate = { ...rule, condition: { ...rule.condition, threshold } };
    const { episodes, values } = await replayGroups(candidate, input);
    return { episodes: episodes.filter((episode) => episode.fired_at >= span.from), values };
  };
  const { episodes, values } = await run(rule.condition.threshold);
  const firesPerDay = async (threshold: number) => (await run(threshold)).episodes.length / daysOf(data);
  return { episodes, suggested_threshold: await suggest(rule, values, firesPerDay) };
}

export const replayBacktestTask = workerTask("src/domain/alerts/backtest/replay.ts", replayBacktest, 15_000);

/** Replays each group of a rule individually. The episodes of all groups are in the order of their times. */
async function replayGroups(rule: WatchedRule, { readings, others, span }: BacktestInput) {
  const groups = Map.groupBy(readings, ({ group }) => group);
  if (!rule.group_by && groups.size === 0) groups.set(undefined, []);
  const episodes: Episode[] = [];
  const values: number[] = [];
  for (const [group, readingsOfGroup] of groups) {
    const run = await replay(
      rule,
      sourcesOf(rule, readingsOfGroup, others),
      span.evaluatedUntil,
      setImmediate,
    );
    episodes.push(...run.episodes.map((episode) => ({ ...episode, group: group ?? null })));
    for (const value of run.values) values.push(value);
  }
  return { episodes: episodes.sort((a, b) => a.fired_at - b.fired_at), values };
}

function sourcesOf(rule: WatchedRule, readings: TimedReading[], others: TimedReading[][]) {
  const { target } = rule;
  return [
    { part: rule, target, summarise: summariserOf({ target }), readings: readings },
    ...rule.others.map((other, index) => ({
      ...other,
      summarise: summariserOf(other),
      readings: others[index] ?? [],
    })),
  ];
}

/** The contract and the rule were compiled before, so that they can be compiled here. */
async function ruleOf({ contract, rule }: BacktestInput): Promise<WatchedRule> {
  const chain = chainOf(contract.chain);
  const targets = chain ? (await compileContract(chain, contract, runHere)).targets : [];
  const target = targets.find(({ id }) => id === rule.target_id);
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
  const isUpper = ["gt", "gte", "change_pct_gt"].includes(operator);
  const isLower = ["lt", "lte", "change_pct_lt"].includes(operator);
  if (values.length === 0 || (!isUpper && !isLower)) return null;
  const shares = isUpper ? [0.5, 0.9, 0.95, 0.99, 0.999, 1] : [0.5, 0.1, 0.05, 0.01, 0.001];
  for (const share of shares) {
    const threshold = percentile(values, Math.max(share, 1 / values.length));
    if ((await firesPerDay(threshold)) <= 1) return threshold;
  }
  return null;
}
