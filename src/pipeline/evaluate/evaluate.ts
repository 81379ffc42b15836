import type { TimedReading } from "../../meters/meter.ts";
import type { EngineState } from "../watch/engine-state.ts";
import type { WatchedRule } from "../watch/watch-list.ts";
import { aggregate, type Summarise } from "./aggregate.ts";
import { compares } from "./evaluate-value.ts";
import { evaluateWindow, type WindowResult } from "./evaluate-window.ts";
import { nextDue } from "./next-due.ts";
import { advance, type RuleState, type Verdict } from "./rule-state.ts";

/** What became of one rule at one block. */
export type Evaluation = {
  rule: WatchedRule;
  /** Where the rule stood. */
  before: RuleState;
  verdict: Verdict;
  windowResult: WindowResult;
  /** The reading that made the difference; undefined when time alone did. */
  cause: TimedReading | undefined;
};

type Moment = { height: number; time: number };

/** Judges the rules that a block's samples may move, and those that are due by its time. Only changes are returned. */
export function evaluate(engine: EngineState, moment: Moment, moved: ReadonlySet<WatchedRule>): Evaluation[] {
  const due = engine.due.take(moment.time).flatMap((rule_id) => engine.watchList.rule(rule_id) ?? []);
  const rules = new Set([...moved, ...due]);
  return [...rules].flatMap((rule) => evaluateRule(engine, moment, rule) ?? []);
}

function evaluateRule(engine: EngineState, moment: Moment, rule: WatchedRule): Evaluation | undefined {
  const series = engine.prepareSeries(rule);
  const before = engine.state(rule.id);
  const summarise = summariserOf(rule);
  const windowResult = evaluateWindow(rule, series, moment.time, summarise);
  const verdict = advance(rule, before, windowResult, moment.time);
  engine.markEvaluated(rule.id, moment.height);
  engine.due.set(rule.id, nextDue(rule, verdict.state, series, moment.time));
  if (verdict.state === before && verdict.step.does === "nothing") return undefined;
  const cause = verdict.step.does === "fire" ? causeOf(rule, windowResult, moment, summarise) : undefined;
  return { rule, before, verdict, windowResult, cause };
}

/** Of several readings in the block, the first with which the condition came to hold: the N-th of "at least N". */
function causeOf(
  { condition, for_seconds }: WatchedRule,
  { window }: WindowResult,
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
