import type { App } from "../../app.ts";
import { chainOf } from "../../chains/index.ts";
import { AppError, InvalidRequest } from "../../errors/app-error.ts";
import type { TimedReading } from "../../meters/meter.ts";
import {
  compileContract,
  compileRule,
  lookbackSeconds,
  percentile,
  replay,
  summariserOf,
  type WatchedRule,
  type WatchedTarget,
} from "../../pipeline/index.ts";
import { findCursor } from "../../store/engine/cursors.ts";
import { findWatched, type WatchRuleRow } from "../../store/engine/watch.ts";
import { findAccess } from "../../store/viewer.ts";
import { tierLimits, tierName } from "../../tiers.ts";
import type { BacktestRequest, BacktestResult } from "../../wire/contracts/live-metrics.ts";
import type { OrgCaller } from "../caller.ts";
import { viewerOf } from "../viewer-of.ts";
import { readingsFor } from "./backtest-readings.ts";
import { conditionIssues } from "./rule-condition.ts";

const daySeconds = 24 * 60 * 60;

/** Takes a rule through what was measured, before it is switched on: the same evaluator over stored samples. */
export async function backtest(app: App, caller: OrgCaller, input: BacktestRequest): Promise<BacktestResult> {
  const issues = conditionIssues(input.condition);
  if (issues.length > 0) throw new InvalidRequest(issues);
  const { target, chain } = await targetFor(app, caller, input.target_id);
  const known = await knownUntil(app, chain);
  const span = spanOf(app, caller, input, known);
  const rule = compileRule(target, toRow(input, span.from));
  if (!rule) throw noSuchTarget();
  const within = { after: span.from - lookbackSeconds(rule), until: span.to };
  const readings = await readingsFor(app, rule, within);
  if (!readings) throw spanIssue("there is too much to judge; choose a shorter span");
  return toResult(app, rule, readings, { ...span, known: Math.min(known, span.to) });
}

/** Up to when, exclusively, it is known what happened: that nothing came after the last block means nothing. */
async function knownUntil(app: App, chain: string): Promise<number> {
  const cursor = await findCursor(app.db, chain);
  return cursor ? cursor.time + 1 : nowSeconds(app);
}

async function toResult(
  app: App,
  rule: WatchedRule,
  readings: TimedReading[],
  span: { from: number; to: number; known: number },
): Promise<BacktestResult> {
  const days = Math.max(1 / 24, (span.to - span.from) / daySeconds);
  const run = async (threshold: number) => {
    const tried = { ...rule, condition: { ...rule.condition, threshold } };
    // Judging takes a while, and others have requests and blocks to see to.
    const rest = () => app.clock.sleep(0);
    const { episodes, values } = await replay(tried, readings, span.known, summariserOf(rule), rest);
    return { episodes: episodes.filter((one) => one.fired_at >= span.from), values };
  };
  const { episodes, values } = await run(rule.condition.threshold);
  const firesPerDay = async (threshold: number) => (await run(threshold)).episodes.length / days;
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
    suggested_threshold: await suggest(rule, values, firesPerDay),
  };
}

/** The mildest of a few values from the data with which the rule would fire at most once a day. */
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

/** The span asked for, within what the tier allows; what is still to come is no part of it. */
function spanOf(
  app: App,
  caller: OrgCaller,
  input: BacktestRequest,
  known: number,
): { from: number; to: number } {
  const { backtestDays: days, historyDays } = tierLimits[caller.tier];
  const now = nowSeconds(app);
  const asked = input.to ? Date.parse(input.to) / 1000 : Math.floor(now);
  const to = Math.min(asked, Math.max(Math.ceil(now), known));
  const from = input.from ? Date.parse(input.from) / 1000 : to - days * daySeconds;
  if (from >= to) throw spanIssue(asked > to ? "must be in the past" : "must be before to");
  if (to - from > days * daySeconds)
    throw spanIssue(`must be at most ${days} days back on the ${tierName(caller.tier)} tier`);
  if (from < now - historyDays * daySeconds - 60)
    throw spanIssue(`must be within the ${historyDays} days of history of the ${tierName(caller.tier)} tier`);
  return { from: Math.floor(from), to: Math.floor(to) };
}

function spanIssue(msg: string): InvalidRequest {
  return new InvalidRequest([{ loc: ["body", "from"], msg, type: "value_error" }]);
}

async function targetFor(
  app: App,
  caller: OrgCaller,
  target_id: string,
): Promise<{ target: WatchedTarget; chain: string }> {
  const access = await findAccess(app.db, viewerOf(caller), "target", target_id);
  const row = access && (await findWatched(app.db, caller.org_id, access.contract_id));
  const chain = row && chainOf(row.chain);
  const target = chain && compileContract(chain, row).targets.find((one) => one.id === target_id);
  if (!target) throw noSuchTarget();
  return { target, chain: chain.chain };
}

function noSuchTarget(): AppError {
  return new AppError("not_found", "There is no such target, or it measures nothing.");
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

function nowSeconds(app: App): number {
  return app.clock.now().getTime() / 1000;
}

function iso(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
