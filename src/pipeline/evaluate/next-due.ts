import type { Series } from "../watch/series.ts";
import type { Summarise } from "./aggregate.ts";
import type { PartSource } from "./evaluate-parts.ts";
import { compares, isComparison } from "./evaluate-value.ts";
import { changePercentOf, isChangePercent } from "./evaluate-window.ts";
import { type ConditionPart, type Rule, silenceOf } from "./rule.ts";
import { isUnnotified, type RuleState } from "./rule-state.ts";

type DueSource = Pick<PartSource, "part" | "series"> & Partial<Pick<PartSource, "summarise">>;

/** Returns the next block time at which a rule must be evaluated without new readings; null when there is none. */
export function nextDue(
  rule: Rule,
  state: RuleState,
  sources: readonly DueSource[],
  now: number,
): number | null {
  if (rule.isEach) return null;
  const times = [nextTimer(rule, state), ...sources.map((source) => windowDue(source, state, now))];
  // Times up to now have just been evaluated; evaluating again would give the same result.
  const coming = times.filter((time) => time !== null && time > now) as number[];
  return coming.length > 0 ? Math.min(...coming) : null;
}

/** Returns the block time of the first of a rule's timers: duration, resolution, cooldown and reminder. */
function nextTimer(rule: Rule, state: RuleState): number | null {
  const times = [
    state.phase === "pending" ? state.since + rule.for_seconds : null,
    state.clear_since !== null ? state.clear_since + rule.resolve_after_seconds : null,
    isUnnotified(state) ? (state.last_notified_at ?? 0) + rule.cooldown_seconds : null,
    state.phase === "firing" && rule.renotify_seconds !== null && state.last_notified_at !== null
      ? state.last_notified_at + rule.renotify_seconds
      : null,
  ].filter((time) => time !== null);
  return times.length > 0 ? Math.min(...times) : null;
}

/** Returns when the next reading leaves the window or the window becomes empty. */
function windowDue(
  { part: rule, series, summarise }: DueSource,
  state: RuleState,
  now: number,
): number | null {
  const { operator, window_seconds } = rule.condition;
  if (operator === "absent" || (rule.no_data === "alert" && !series.nextAfter(now - window_seconds))) {
    const silentSince = Math.max(series.newest?.time ?? rule.since, rule.since);
    const silentUntil = silentSince + silenceOf(rule);
    return silentUntil > now ? silentUntil : null;
  }
  if (state.phase === "ok" && staysOkByTime(rule, series, summarise)) return null;
  // A low or zero count is certain only after the rule has observed a whole window.
  const oldest = series.nextAfter(now - window_seconds)?.time ?? rule.since;
  return (rule.since + window_seconds > now ? Math.min(oldest, rule.since) : oldest) + window_seconds;
}

/** Returns whether a condition that does not hold cannot begin to hold because time passes. */
function staysOkByTime(rule: ConditionPart, { newest }: Series, summarise: Summarise | undefined): boolean {
  // The window becomes empty when the target cannot be read any more.
  if (!newest || rule.no_data === "alert") return false;
  // A rule that is newer than the newest state was not evaluated on it.
  return !canFireByTime(rule) || (newest.time >= rule.since && isHeld(rule, summarise));
}

/** Returns whether a condition is on the newest state, which counts until it is read again, however long ago it was read. */
function isHeld({ condition, isPolled }: ConditionPart, summarise: Summarise | undefined): boolean {
  return isPolled && !summarise && condition.aggregation === "last" && isComparison(condition);
}

/**
 * Returns whether a rule that is not firing certainly stays so at a block time, without looking at its whole window. False where
 * only the evaluation tells.
 */
export function staysOk(
  { phase }: RuleState,
  [source, ...others]: readonly PartSource[],
  now: number,
): boolean {
  if (phase !== "ok" || !source || others.length > 0 || source.summarise) return false;
  const { part, series } = source;
  const { condition } = part;
  const newest = series.newest;
  const start = now - condition.window_seconds;
  if (!newest || newest.time <= start || newest.time > now) return false;
  if (isComparison(condition))
    return condition.aggregation === "last" && !series.latest.some(({ value }) => compares(condition, value));
  return isChangePercent(condition) && changePercentOf(condition, series, now)?.holds === false;
}

/**
 * Returns whether a rule that is not firing may fire because readings leave its window. Losing readings cannot raise a count or a
 * maximum.
 */
export function canFireByTime({
  condition,
  isEach,
}: Pick<ConditionPart, "condition"> & { isEach?: boolean }): boolean {
  const { operator, aggregation } = condition;
  const canOnlyFall =
    (operator === "gt" || operator === "gte") && (aggregation === "count" || aggregation === "max");
  return !isEach && !canOnlyFall;
}
