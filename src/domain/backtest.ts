import type { App } from "../app.ts";
import { chainOf } from "../chains/index.ts";
import { AppError, InvalidRequest } from "../lib/errors.ts";
import type { TimedReading } from "../meters/meter.ts";
import { percentile } from "../pipeline/aggregate.ts";
import { compileContract, compileRule } from "../pipeline/compile.ts";
import { summariserOf } from "../pipeline/evaluate.ts";
import { toReading } from "../pipeline/load.ts";
import { findStoredMatch } from "../pipeline/match.ts";
import { lookBackSeconds } from "../pipeline/memory.ts";
import { replay } from "../pipeline/replay.ts";
import { readSums } from "../pipeline/stored-series.ts";
import type { WatchedRule } from "../pipeline/watch-list.ts";
import { findOldestSample, listSamplesOf } from "../store/samples.ts";
import { findAccess } from "../store/viewer.ts";
import { findWatched, type WatchRuleRow } from "../store/watch.ts";
import { tierLimits, tierName } from "../tiers.ts";
import type { BacktestRequest, BacktestResult } from "../wire/metrics.ts";
import type { OrgCaller } from "./caller.ts";
import { conditionIssues } from "./rule-condition.ts";
import { viewerOf } from "./viewing.ts";

const daySeconds = 24 * 60 * 60;
/** More would take too long to judge while somebody waits. */
const mostSamples = 200_000;

/** Takes a rule through what was measured, before it is switched on: the same evaluator over stored samples. */
export async function backtest(app: App, caller: OrgCaller, input: BacktestRequest): Promise<BacktestResult> {
  const issues = conditionIssues(input.condition);
  if (issues.length > 0) throw new InvalidRequest(issues);
  const span = spanOf(app, caller, input);
  const rule = await ruleFor(app, caller, input, span.from);
  const readings = await readingsOf(app, rule, { after: span.from - lookBackSeconds(rule), until: span.to });
  return toResult(rule, readings, span);
}

/** What was measured, oldest first; where it is kept only as sums, or is too much to judge one by one, as sums. */
async function readingsOf(
  app: App,
  rule: WatchedRule,
  { after, until }: { after: number; until: number },
): Promise<TimedReading[]> {
  const { series_id } = rule.target;
  const rows = await listSamplesOf(app.db, series_id, { after, until, limit: mostSamples + 1 });
  const canUseSums = !rule.matcher && !(rule.condition.aggregation === "last" && rule.target.meter.summarise);
  if (rows.length > mostSamples && !canUseSums) throw tooMany();
  const isTooMuch = rows.length > mostSamples;
  const readings = isTooMuch ? [] : rows.map(toReading);
  const oldest = isTooMuch ? until : ((await findOldestSample(app.db, series_id)) ?? until);
  // Sums end with a whole minute.
  const rawFrom = Math.min(until, Math.floor(oldest / 60) * 60);
  const older = canUseSums ? await readSums(app.db, [series_id], { after, until: rawFrom }) : [];
  if (older.length > mostSamples) throw tooMany();
  const { matcher } = rule;
  return [...older, ...readings].filter((reading) => !matcher || findStoredMatch(matcher, reading));
}

function tooMany(): InvalidRequest {
  return spanIssue(`there are more than ${mostSamples} samples; choose a shorter span`);
}

function toResult(
  rule: WatchedRule,
  readings: TimedReading[],
  span: { from: number; to: number },
): BacktestResult {
  const days = Math.max(1 / 24, (span.to - span.from) / daySeconds);
  const run = (threshold: number) => {
    const tried = { ...rule, condition: { ...rule.condition, threshold } };
    const { episodes, values } = replay(tried, readings, span.to, summariserOf(rule));
    return { episodes: episodes.filter((one) => one.fired_at >= span.from), values };
  };
  const { episodes, values } = run(rule.condition.threshold);
  return {
    from: iso(span.from),
    to: iso(span.to),
    samples: readings.length,
    episodes: episodes.map((one) => ({
      ...one,
      fired_at: iso(one.fired_at),
      resolved_at: one.resolved_at === null ? null : iso(one.resolved_at),
    })),
    fires_per_day: episodes.length / days,
    suggested_threshold: suggest(rule, values, (threshold) => run(threshold).episodes.length / days),
  };
}

/** The mildest of a few values from the data with which the rule would fire at most once a day. */
function suggest(
  rule: WatchedRule,
  values: number[],
  firesPerDay: (threshold: number) => number,
): number | null {
  const { operator } = rule.condition;
  const isUpper = operator === "gt" || operator === "gte";
  const isLower = operator === "lt" || operator === "lte";
  if (values.length === 0 || (!isUpper && !isLower)) return null;
  const shares = isUpper ? [0.5, 0.9, 0.95, 0.99, 0.999, 1] : [0.5, 0.1, 0.05, 0.01, 0.001];
  const candidates = shares.map((share) => percentile(values, Math.max(share, 1 / values.length)));
  return candidates.find((threshold) => firesPerDay(threshold) <= 1) ?? null;
}

/** The span asked for, within what the tier allows. */
function spanOf(app: App, caller: OrgCaller, input: BacktestRequest): { from: number; to: number } {
  const { backtestDays: days, historyDays } = tierLimits[caller.tier];
  const now = app.clock.now().getTime() / 1000;
  const to = input.to ? Date.parse(input.to) / 1000 : Math.floor(now);
  const from = input.from ? Date.parse(input.from) / 1000 : to - days * daySeconds;
  if (from >= to) throw spanIssue("must be before to");
  if (to - from > days * daySeconds)
    throw spanIssue(`must be at most ${days} days back on the ${tierName(caller.tier)} tier`);
  if (from < now - historyDays * daySeconds - 60)
    throw spanIssue(`must be within the ${historyDays} days of history of the ${tierName(caller.tier)} tier`);
  return { from: Math.floor(from), to: Math.floor(to) };
}

function spanIssue(msg: string): InvalidRequest {
  return new InvalidRequest([{ loc: ["body", "from"], msg, type: "value_error" }]);
}

async function ruleFor(
  app: App,
  caller: OrgCaller,
  input: BacktestRequest,
  since: number,
): Promise<WatchedRule> {
  const access = await findAccess(app.db, viewerOf(caller), "target", input.target_id);
  const row = access && (await findWatched(app.db, caller.org_id, access.contract_id));
  const chain = row && chainOf(row.chain);
  const target = chain && compileContract(chain, row).targets.find((one) => one.id === input.target_id);
  const rule = target && compileRule(target, toRow(input, since));
  if (!rule) throw new AppError("not_found", "There is no such target, or it measures nothing.");
  return rule;
}

/** The rule as it would be stored. */
function toRow(input: BacktestRequest, since: number): WatchRuleRow {
  return {
    id: input.target_id,
    target_id: input.target_id,
    version: 1,
    name: "Back-test",
    severity: "info",
    condition: input.condition,
    for_seconds: input.for_seconds ?? 0,
    resolve_after_seconds: input.resolve_after_seconds ?? 0,
    cooldown_seconds: 0,
    renotify_seconds: null,
    notify_on_resolve: false,
    no_data: "ignore",
    mode: "shadow",
    confirmations: null,
    message_template: null,
    agent_id: null,
    created_at: iso(since),
  };
}

function iso(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
