import type { Series } from "../watch/series.ts";
import type { Rule } from "./rule.ts";
import { dueAt, type RuleState } from "./rule-state.ts";

/** When the rule must be looked at although nothing happens: its own timers, and readings that leave its window. */
export function nextDue(rule: Rule, state: RuleState, series: Series, now: number): number | null {
  const times = [dueAt(rule, state), windowDue(rule, state, series, now)];
  // What was due by now has just been looked at; looking again would find the same.
  const coming = times.filter((time) => time !== null && time > now) as number[];
  return coming.length > 0 ? Math.min(...coming) : null;
}

function windowDue(rule: Rule, state: RuleState, series: Series, now: number): number | null {
  const { operator, aggregation, window_seconds } = rule.condition;
  if (operator === "absent" || (rule.no_data === "alert" && !series.nextAfter(now - window_seconds))) {
    const silentSince = Math.max(series.newest?.time ?? rule.since, rule.since);
    return silentSince + window_seconds > now ? silentSince + window_seconds : null;
  }
  // Losing readings cannot raise a count or a maximum, so a quiet rule on one need not be woken for it.
  const isOneWay =
    (operator === "gt" || operator === "gte") && (aggregation === "count" || aggregation === "max");
  if (state.phase === "ok" && isOneWay && series.newest) return null;
  // Few may be too few, and nothing too: that is known once the rule has listened for a whole window.
  const oldest = series.nextAfter(now - window_seconds)?.time ?? rule.since;
  return (rule.since + window_seconds > now ? Math.min(oldest, rule.since) : oldest) + window_seconds;
}
