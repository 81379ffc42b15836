import type { TimedReading } from "../meters/meter.ts";
import { aggregate, type Summarise } from "./aggregate.ts";
import { compares, type Judgement, judge } from "./judge.ts";
import type { Memory } from "./memory.ts";
import type { Rule } from "./rule.ts";
import { advance, dueAt, type RuleState, type Verdict } from "./rule-state.ts";
import type { Series } from "./series.ts";
import type { WatchedRule } from "./watch-list.ts";

/** What became of one rule at one block. */
export type Evaluation = {
  rule: WatchedRule;
  /** Where the rule stood. */
  before: RuleState;
  verdict: Verdict;
  judgement: Judgement;
  /** The reading that made the difference; undefined when time alone did. */
  cause: TimedReading | undefined;
};

type Moment = { height: number; time: number };

/** Judges the rules that a block's samples may move, and those that are due by its time. Only changes are returned. */
export function evaluate(memory: Memory, moment: Moment, moved: ReadonlySet<WatchedRule>): Evaluation[] {
  const due = memory.due.take(moment.time).flatMap((rule_id) => memory.watchList.rule(rule_id) ?? []);
  const rules = new Set([...moved, ...due]);
  return [...rules].flatMap((rule) => evaluateRule(memory, moment, rule) ?? []);
}

function evaluateRule(memory: Memory, moment: Moment, rule: WatchedRule): Evaluation | undefined {
  const series = memory.prepareSeries(rule);
  const before = memory.state(rule.id);
  const summarise = summariserOf(rule);
  const judgement = judge(rule, series, moment.time, summarise);
  const verdict = advance(rule, before, judgement, moment.time);
  memory.noteJudged(rule.id, moment.height);
  memory.due.set(rule.id, nextDue(rule, verdict.state, series, moment.time));
  if (verdict.state === before && verdict.step.does === "nothing") return undefined;
  const cause = verdict.step.does === "fire" ? causeOf(rule, judgement, moment, summarise) : undefined;
  return { rule, before, verdict, judgement, cause };
}

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
  // Where nothing was ever read, nothing may be too little: that is known once the rule has listened for a whole window.
  return (series.nextAfter(now - window_seconds)?.time ?? rule.since) + window_seconds;
}

/** Of several readings in the block, the first with which the condition came to hold: the N-th of "at least N". */
function causeOf(
  { condition, for_seconds }: WatchedRule,
  { window }: Judgement,
  { height }: Moment,
  summarise: Summarise | undefined,
): TimedReading | undefined {
  const fresh = window.filter((reading) => reading.height === height);
  if (for_seconds > 0 || fresh.length === 0) return undefined;
  const older = window.length - fresh.length;
  for (let taken = 1; taken < fresh.length; taken++) {
    const part = window.slice(0, older + taken);
    const value = aggregate(condition.aggregation, part, condition.window_seconds, summarise);
    if (value !== null && compares(condition, value)) return fresh[taken - 1];
  }
  return fresh.at(-1);
}

/** How a rule's target reads a window of its own accord. */
export function summariserOf({ target }: Pick<WatchedRule, "target">): Summarise | undefined {
  const { meter, config } = target;
  return meter.summarise && ((window) => meter.summarise?.(config, window) ?? null);
}
