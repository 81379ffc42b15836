import type { TimedReading } from "../../meters/meter.ts";
import type { BlockPoint } from "../block-point.ts";
import type { Measured } from "../measure/measure-activity.ts";
import type { EngineState } from "../watch/engine-state.ts";
import type { WatchedRule } from "../watch/watch-list.ts";
import { advanceRule, type Verdict } from "./advance-rule.ts";
import { aggregate, type Summarise } from "./aggregate.ts";
import { compares } from "./evaluate-value.ts";
import { evaluateWindow, type WindowResult } from "./evaluate-window.ts";
import { nextDue } from "./next-due.ts";
import { findOccurrences, type Occurrence } from "./occurrences.ts";
import type { RuleState } from "./rule-state.ts";

/** The result of evaluating one rule at one block. */
export type Evaluation = {
  rule: WatchedRule;
  /** The state before this block. */
  before: RuleState;
  verdict: Verdict;
  windowResult: WindowResult;
  /** The reading that made the condition hold; undefined when only time passed. */
  cause: TimedReading | undefined;
  /** Present for an event of an `each` rule. */
  occurrence?: Occurrence;
};

/** Evaluates the rules that got samples in a block and those that are due by its time. Returns only changes. */
export function evaluate(
  engine: EngineState,
  block: BlockPoint,
  { rules: sampled, fresh, samples }: Pick<Measured, "rules" | "fresh" | "samples">,
): Evaluation[] {
  const added = new Set(samples.map(({ reading }) => reading));
  const due = engine.due.take(block.time).flatMap((rule_id) => engine.watchList.rule(rule_id) ?? []);
  const rules = new Set([...sampled, ...due]);
  const evaluations = [...rules].flatMap((rule) => evaluateRule(engine, block, rule, added) ?? []);
  for (const [rule, readings] of fresh) {
    engine.markEvaluated(rule.id, block.height);
    const before = engine.state(rule.id);
    for (const one of findOccurrences(rule, before, readings))
      evaluations.push(toEvaluation(rule, before, one));
  }
  return evaluations;
}

function toEvaluation(rule: WatchedRule, before: RuleState, occurrence: Occurrence): Evaluation {
  const { reading, state, notifies, clause } = occurrence;
  const found = { holds: true, value: reading.value, clause, window: [reading] };
  return {
    rule,
    before,
    verdict: { state, step: { does: "occur", notifies }, reason: "occurred" },
    windowResult: { ...found, baseline: undefined, isNoData: false },
    cause: reading,
    occurrence,
  };
}

function evaluateRule(
  engine: EngineState,
  block: BlockPoint,
  rule: WatchedRule,
  added: ReadonlySet<TimedReading>,
): Evaluation | undefined {
  const series = engine.prepareSeries(rule);
  const before = engine.state(rule.id);
  const summarise = summariserOf(rule);
  const windowResult = evaluateWindow(rule, series, block.time, summarise);
  const verdict = advanceRule(rule, before, windowResult, block.time);
  engine.markEvaluated(rule.id, block.height);
  engine.due.set(rule.id, nextDue(rule, verdict.state, series, block.time));
  if (verdict.state === before && verdict.step.does === "nothing") return undefined;
  const cause = verdict.step.does === "fire" ? causeOf(rule, windowResult, added, summarise) : undefined;
  return { rule, before, verdict, windowResult, cause };
}

/** Of several new readings, of which some may have been read late, the first with which the condition held: the Nth one for "at least N". */
function causeOf(
  { condition, for_seconds }: WatchedRule,
  { window }: WindowResult,
  added: ReadonlySet<TimedReading>,
  summarise: Summarise | undefined,
): TimedReading | undefined {
  const fresh = window.filter((reading) => added.has(reading));
  if (for_seconds > 0 || fresh.length === 0) return undefined;
  const older = window.length - fresh.length;
  for (let included = 1; included < fresh.length; included++) {
    const part = window.slice(0, older + included);
    const value = aggregate(condition.aggregation, part, condition.window_seconds, summarise);
    if (value !== null && compares(condition, value)) return fresh[included - 1];
  }
  return fresh.at(-1);
}

/** Returns the function with which a target's meter summarises a window; undefined when it has none. */
export function summariserOf({ target }: Pick<WatchedRule, "target">): Summarise | undefined {
  const { meter, config } = target;
  return meter.summarise && ((window) => meter.summarise?.(config, window) ?? null);
}
