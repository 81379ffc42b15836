import type { App } from "../../../app.ts";
import { InvalidRequest } from "../../../errors/app-error.ts";
import type { TimedReading } from "../../../meters/meter.ts";
import { compileRule, lookbackSeconds } from "../../../pipeline/index.ts";
import { findTarget, type TargetRow } from "../../../store/contracts/targets.ts";
import { findCursor } from "../../../store/engine/cursors.ts";
import { tierLimits, tierName } from "../../../tiers.ts";
import type { BacktestRequest, BacktestResult } from "../../../wire/contracts/live-metrics.ts";
import type { OrgCaller } from "../../caller.ts";
import { ruleIssues } from "../rule-issues.ts";
import { loadSubject, loadWatchedTarget, noSuchTarget, unstoredRule } from "../rule-subject.ts";
import { withWindow } from "../unit-issues.ts";
import { type BacktestInput, daysOf } from "./replay.ts";
import { runReplay } from "./run-replay.ts";
import { readingsFor, readingsForOthers } from "./stored-readings.ts";

const daySeconds = 24 * 60 * 60;

/** Evaluates a rule on stored samples with the live evaluator. */
export async function backtest(app: App, caller: OrgCaller, input: BacktestRequest): Promise<BacktestResult> {
  const { target, contract } = await loadWatchedTarget(app, caller, input.target_id);
  const subject = await loadSubject(app, app.db, caller.org_id, contract.id);
  const { condition: conditionInput, for_seconds } = input;
  const siblings = contract.targets;
  const issues = ruleIssues({ condition: conditionInput, for_seconds }, { ...target, subject, siblings });
  if (issues.length > 0) throw new InvalidRequest(issues);
  const condition = withWindow(conditionInput, target.meter, subject);
  const processed = await processedUntil(app, contract.chain);
  const span = spanOf(app, caller, input, processed);
  const { target_id, resolve_after_seconds = 0 } = input;
  const row = unstoredRule(
    { target_id, condition, for_seconds: for_seconds ?? 0, resolve_after_seconds },
    iso(span.from),
  );
  const rule = compileRule(target, row);
  if (!rule) throw noSuchTarget();
  const within = { after: span.from - lookbackSeconds(rule), until: span.to };
  const readings = await readingsFor(app, rule, within);
  const otherReadings = await readingsForOthers(app, rule, { from: span.from, until: span.to });
  if (!readings || !otherReadings)
    throw spanIssue("covers too many samples to evaluate; choose a shorter range");
  const evaluatedUntil = Math.min(processed, span.to);
  const measured = [
    { target_id, readings },
    ...rule.others.map((other, index) => ({
      target_id: other.target.id,
      readings: otherReadings[index] ?? [],
    })),
  ];
  const measuredSpan = await dataSpan(app, caller, measured, { from: span.from, evaluatedUntil });
  // Readings are decoded already. An ABI may be large, and would be copied to a thread.
  const plain = { ...contract, abi: null, implementation_abi: null };
  return toResult(app, caller, {
    contract: plain,
    rule: row,
    readings,
    others: otherReadings,
    span: { ...span, evaluatedUntil },
    data: measuredSpan,
  });
}

type Measured = { target_id: string; readings: readonly TimedReading[] };

/**
 * Returns the part of the range in which all targets of the rule were measured, up to the newest processed block. Undefined if
 * there is none.
 */
async function dataSpan(
  app: App,
  { org_id }: OrgCaller,
  measured: readonly Measured[],
  { from, evaluatedUntil }: { from: number; evaluatedUntil: number },
): Promise<BacktestInput["data"]> {
  const starts = await Promise.all(
    measured.map(async ({ target_id, readings }) => {
      const row = await findTarget(app.db, org_id, target_id);
      return Math.min(row ? measuredSince(row) : evaluatedUntil, readings[0]?.time ?? evaluatedUntil);
    }),
  );
  const measuredFrom = Math.max(from, ...starts);
  return measuredFrom < evaluatedUntil ? { from: measuredFrom, to: evaluatedUntil } : undefined;
}

/** A target whose config was changed measures something else since then; earlier readings are not of it. */
function measuredSince({ generation, created_at, updated_at }: TargetRow): number {
  return Math.floor((generation > 1 ? updated_at : created_at).getTime() / 1000);
}

/** Returns the exclusive end of the processed block time; beyond it, missing samples mean nothing. */
async function processedUntil(app: App, chain: string): Promise<number> {
  const cursor = await findCursor(app.db, chain);
  return cursor ? cursor.time + 1 : nowSeconds(app);
}

async function toResult(app: App, { org_id }: OrgCaller, input: BacktestInput): Promise<BacktestResult> {
  const { readings, span, data } = input;
  const { episodes, suggested_threshold } = await runReplay(app, org_id, input);
  return {
    from: iso(span.from),
    to: iso(span.to),
    data_from: data ? iso(data.from) : null,
    data_to: data ? iso(data.to) : null,
    samples: readings.length,
    episodes: episodes.map((episode) => ({
      ...episode,
      fired_at: iso(episode.fired_at),
      resolved_at: episode.resolved_at === null ? null : iso(episode.resolved_at),
    })),
    fires_per_day: episodes.length / daysOf(data ?? span),
    suggested_threshold,
  };
}

/** Returns the requested time range, clamped to the past and checked against the tier. */
function spanOf(
  app: App,
  caller: OrgCaller,
  input: BacktestRequest,
  evaluatedUntil: number,
): { from: number; to: number } {
  const { backtestDays: days, historyDays } = tierLimits[caller.tier];
  const now = nowSeconds(app);
  // The clock of a chain may be ahead of ours.
  const end = Math.max(Math.ceil(now), evaluatedUntil);
  const requestedTo = input.to ? Date.parse(input.to) / 1000 : end;
  const to = Math.min(requestedTo, end);
  const from = input.from ? Date.parse(input.from) / 1000 : to - days * daySeconds;
  if (from >= to) throw spanIssue(requestedTo > to ? "must be in the past" : "must be before `to`");
  if (to - from > days * daySeconds)
    throw spanIssue(`must be at most ${days} days back on the ${tierName(caller.tier)} tier`);
  if (from < now - historyDays * daySeconds - 60)
    throw spanIssue(`must be within the ${historyDays} days of history of the ${tierName(caller.tier)} tier`);
  return { from: Math.floor(from), to: Math.floor(to) };
}

function spanIssue(msg: string): InvalidRequest {
  return new InvalidRequest([{ loc: ["body", "from"], msg, type: "value_error" }]);
}

function nowSeconds(app: App): number {
  return app.clock.now().getTime() / 1000;
}

function iso(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
