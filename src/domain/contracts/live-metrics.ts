import type { App } from "../../app.ts";
import { chainOf } from "../../chains/index.ts";
import { AppError } from "../../errors/app-error.ts";
import { offloadFor } from "../../lib/concurrency/worker-pool.ts";
import { defaultWindowSeconds } from "../../meters/meter.ts";
import {
  aggregate,
  compileContract,
  etaSeconds,
  evaluateWindow,
  isChangePercent,
  lookbackSeconds,
  proximityOf,
  readStoredSeries,
  Series,
  seriesIdOf,
  summariserOf,
  type WatchedRule,
  type WatchedTarget,
} from "../../pipeline/index.ts";
import { listTargets } from "../../store/contracts/targets.ts";
import { findCursor } from "../../store/engine/cursors.ts";
import { findWatched } from "../../store/engine/watch.ts";
import type { LiveMetric } from "../../wire/contracts/live-metrics.ts";
import type { OrgCaller } from "../caller.ts";

const hourSeconds = 3600;
const minuteSeconds = 60;

/** Returns, per target, the current value, the proximity to firing and the values of the last hour. */
export async function liveMetrics(app: App, caller: OrgCaller, contract_id: string): Promise<LiveMetric[]> {
  const row = await findWatched(app.db, caller.org_id, contract_id);
  const chain = row && chainOf(row.chain);
  if (!chain) throw new AppError("not_found", "There is no such contract.");
  const rows = await listTargets(app.db, caller.org_id, contract_id);
  const contract = await compileContract(chain, row, offloadFor(app.workers, caller.org_id));
  const now = (await findCursor(app.db, chain.chain))?.time ?? Math.floor(app.clock.now().getTime() / 1000);
  const series = await readSeries(app, contract.targets, now);
  return rows.map((target) => {
    const watched = contract.targets.find((watchedTarget) => watchedTarget.id === target.id);
    const measuredAt = target.last_value_at?.toISOString() ?? null;
    const base = {
      target_id: target.id,
      target_type: target.target_type,
      name: target.name,
      value: target.last_value,
      unit: target.unit,
      at: measuredAt,
    };
    return { ...base, ...(watched ? describeTarget(watched, series, now) : unmeasured) };
  });
}

type Proximity = Pick<LiveMetric, "rule_id" | "threshold" | "proximity" | "eta_seconds">;
type Described = Partial<Pick<LiveMetric, "value" | "unit">> & Proximity & Pick<LiveMetric, "sparkline">;

const noRule: Proximity = { rule_id: null, threshold: null, proximity: null, eta_seconds: null };
const unmeasured: Described = { ...noRule, sparkline: Array.from({ length: 60 }, () => null) };

function describeTarget(target: WatchedTarget, series: Map<string, Series>, now: number): Described {
  const readings = series.get(target.series_id) ?? new Series(hourSeconds);
  const sparkline = sparklineOf(target, readings, now);
  const [nearest] = target.rules
    // The value of one group, or of one of several conditions, does not say how near the rule is.
    .filter(({ group_by, others }) => !group_by && others.length === 0)
    .map((rule) => ({ rule, ...proximityToRule(rule, series, now) }))
    .filter((metric) => metric.proximity !== null)
    .sort((a, b) => (b.proximity ?? 0) - (a.proximity ?? 0));
  if (!nearest) return { ...windowValue(target, readings, now), ...noRule, sparkline };
  const { rule, ...near } = nearest;
  const unit = isChangePercent(rule.condition) && { unit: "%" };
  return { ...near, ...unit, eta_seconds: etaOf(rule, series, now), sparkline };
}

/** Counts and sums are aggregated over a window; for a state, the last reading is the value. */
function windowValue(target: WatchedTarget, series: Series, now: number): Partial<Pick<LiveMetric, "value">> {
  const { meter } = target;
  const summarise = summariserOf({ target });
  if (meter.aggregation === "last" && !summarise) return {};
  const seconds = defaultWindowSeconds(target);
  const value = aggregate(meter.aggregation, series.between(now - seconds, now), seconds, summarise);
  return value === null ? {} : { value };
}

/** Computes the proximity of a rule with the live evaluator. */
function proximityToRule(rule: WatchedRule, series: Map<string, Series>, now: number) {
  const value = valueAt(rule, series, now);
  const { threshold } = rule.condition;
  return { value, rule_id: rule.id, threshold, proximity: proximityOf(rule.condition, value) };
}

/** Evaluates a window for each minute of the hour; expensive, so used only for the nearest rule. */
function etaOf(rule: WatchedRule, series: Map<string, Series>, now: number): number | null {
  const points = minutesBefore(now).map((time) => ({ time, value: valueAt(rule, series, time) }));
  return etaSeconds(rule.condition, points);
}

function valueAt(rule: WatchedRule, series: Map<string, Series>, time: number): number | null {
  const readings = series.get(seriesIdOf(rule)) ?? new Series(hourSeconds);
  return evaluateWindow(rule, readings, time, summariserOf(rule)).value;
}

/** Returns the values of the last 60 minutes, aggregated by the meter. */
function sparklineOf(target: WatchedTarget, series: Series, now: number): (number | null)[] {
  const { aggregation, reads } = target.meter;
  const summarise = summariserOf({ target });
  return minutesBefore(now).map((end) => {
    const readings = series.between(end - minuteSeconds, end);
    const value = aggregate(aggregation, readings, minuteSeconds, summarise);
    // A state keeps its value until the next reading.
    return value ?? (reads ? (series.at(end)?.value ?? null) : null);
  });
}

function minutesBefore(now: number): number[] {
  return Array.from({ length: 60 }, (_, index) => now - (59 - index) * minuteSeconds);
}

/** Reads the series of targets and rules, as far back as the longest window. */
async function readSeries(app: App, targets: WatchedTarget[], now: number): Promise<Map<string, Series>> {
  const rules = targets.flatMap((target) => target.rules);
  const windows = [hourSeconds, ...rules.map(lookbackSeconds), ...targets.map(defaultWindowSeconds)];
  const after = now - Math.max(...windows) - hourSeconds;
  const ids = [...new Set([...targets.map((target) => target.series_id), ...rules.map(seriesIdOf)])];
  return readStoredSeries(app.db, ids, { after, now });
}
