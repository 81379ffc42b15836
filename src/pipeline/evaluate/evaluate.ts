import type { Pause } from "../../lib/concurrency/pauses.ts";
import type { TimedReading } from "../../meters/meter.ts";
import type { BlockPoint } from "../block-point.ts";
import type { Measured } from "../measure/measure-activity.ts";
import type { EngineState } from "../watch/engine-state.ts";
import type { WatchedRule } from "../watch/watch-list.ts";
import { advanceRule } from "./advance-rule.ts";
import type { Summarise } from "./aggregate.ts";
import { combineParts, evaluateEachPart, evaluateParts, type PartSource } from "./evaluate-parts.ts";
import { compares } from "./evaluate-value.ts";
import { comparedPart, evaluateWindow, type WindowResult } from "./evaluate-window.ts";
import type { Evaluation } from "./evaluation.ts";
import { growingWindow } from "./growing-window.ts";
import { evaluateOverflow, limitGroups } from "./limit-groups.ts";
import { staysOk } from "./next-due.ts";
import { type FreshReading, findOccurrences, type Occurrence } from "./occurrences.ts";
import type { ConditionPart } from "./rule.ts";

/** Evaluates the rules that got samples in a block and those that are due by its time. Returns only changes. */
export async function evaluate(
  engine: EngineState,
  block: BlockPoint,
  { rules: sampled, fresh, samples }: Pick<Measured, "rules" | "fresh" | "samples">,
  pause: Pause,
): Promise<Evaluation[]> {
  const added = new Set(samples.map(({ reading }) => reading));
  const due = engine.due.removeDue(block.time).flatMap((key) => engine.watchList.rule(key) ?? []);
  const rules = [...new Set([...sampled, ...due])].filter((rule) => !isQuietGroup(engine, rule, block.time));
  const evaluations: Evaluation[] = [];
  for (const rule of rules) {
    await pause();
    const evaluation = evaluateRule(engine, block, rule, added);
    if (evaluation) evaluations.push(evaluation);
  }
  for (const rule of rulesOfGroups(engine, rules))
    evaluations.push(...[evaluateOverflow(engine, block, rule) ?? []].flat());
  for (const [rule, readings] of fresh) {
    await pause();
    for (const evaluation of await evaluateEach(engine, block, rule, readings, pause))
      evaluations.push(evaluation);
  }
  return evaluations;
}

/** A group of which nothing is left is forgotten instead of evaluated. */
function isQuietGroup(engine: EngineState, rule: WatchedRule, now: number): boolean {
  return rule.group !== undefined && engine.forgetIfQuiet(rule, now);
}

/** The new readings of a rule that is about each one. Other conditions of the rule must hold at the same time. */
async function evaluateEach(
  engine: EngineState,
  block: BlockPoint,
  rule: WatchedRule,
  readings: readonly FreshReading[],
  pause: Pause,
): Promise<Evaluation[]> {
  engine.states.markEvaluated(rule.key, block.height);
  const before = engine.states.get(rule.key);
  const sources = engine.sourcesOf(rule);
  const otherResults = evaluateEachPart(sources.slice(1), block.time);
  const evaluations: Evaluation[] = [];
  const occurrences = otherResults.every(({ holds }) => holds) ? findOccurrences(rule, before, readings) : [];
  for (const occurrence of occurrences) {
    await pause();
    const windowResult = toResult(rule, occurrence, sources, otherResults);
    const verdict = toVerdict(occurrence);
    evaluations.push({ rule, before, verdict, windowResult, cause: occurrence.reading, occurrence });
  }
  engine.due.set(
    rule.key,
    engine.nextDue(rule, evaluations.at(-1)?.verdict.state ?? before, block.time, sources),
  );
  return evaluations;
}

function toVerdict({ state, notifies }: Occurrence): Evaluation["verdict"] {
  return { state, step: { does: "occur", notifies }, reason: "occurred" };
}

/** The result for one reading, with the clauses of the other conditions if there are any. */
function toResult(
  { combines }: WatchedRule,
  { reading, clause }: Occurrence,
  sources: readonly PartSource[],
  others: readonly WindowResult[],
): WindowResult {
  const result = { holds: true, value: reading.value, clause };
  return {
    ...{ ...result, window: [reading], baseline: undefined, isNoData: false },
    ...(others.length > 0 && combineParts(combines, sources, [result, ...others])),
  };
}

/** Returns the rules, as a whole, of which groups were evaluated. */
function rulesOfGroups(engine: EngineState, rules: readonly WatchedRule[]): Set<WatchedRule> {
  const grouped = rules.filter(({ group_by, isEach }) => group_by !== undefined && !isEach);
  return new Set(grouped.flatMap(({ id }) => engine.watchList.rule(id) ?? []));
}

function evaluateRule(
  engine: EngineState,
  block: BlockPoint,
  rule: WatchedRule,
  added: ReadonlySet<TimedReading>,
): Evaluation | undefined {
  if (rule.group_by && rule.group === undefined) return undefined;
  if (rule.isEach)
    return void engine.due.set(rule.key, engine.nextDue(rule, engine.states.get(rule.key), block.time));
  const before = engine.states.get(rule.key);
  const sources = engine.sourcesOf(rule);
  if (staysOk(before, sources, block.time)) {
    engine.states.markEvaluated(rule.key, block.height);
    return void engine.due.set(rule.key, engine.nextDue(rule, before, block.time, sources));
  }
  const windowResult = evaluateParts(rule, sources, block.time);
  const verdict = limitGroups(engine, rule, before, advanceRule(rule, before, windowResult, block.time));
  engine.states.markEvaluated(rule.key, block.height);
  engine.due.set(rule.key, engine.nextDue(rule, verdict.state, block.time, sources));
  if (verdict.state === before && verdict.step.does === "nothing") return undefined;
  const cause = verdict.step.does === "fire" ? causeIn(sources, rule, block.time, added) : undefined;
  return { rule, before, verdict, windowResult, cause };
}

/** Returns the reading that made the first of the conditions hold that hold because of new readings. */
function causeIn(
  sources: readonly PartSource[],
  { for_seconds }: Pick<WatchedRule, "for_seconds">,
  now: number,
  added: ReadonlySet<TimedReading>,
): TimedReading | undefined {
  if (for_seconds > 0) return undefined;
  for (const { part, series, summarise } of sources) {
    const result = evaluateWindow(part, series, now, summarise);
    const cause = result.holds ? causeOf(part, result, added, summarise) : undefined;
    if (cause) return cause;
  }
  return undefined;
}

/**
 * Of several new readings, of which some may have been read late, the first with which the condition held: the Nth one for "at
 * least N".
 */
function causeOf(
  { condition }: ConditionPart,
  { window }: WindowResult,
  added: ReadonlySet<TimedReading>,
  summarise: Summarise | undefined,
): TimedReading | undefined {
  const fresh = window.filter((reading) => added.has(reading));
  if (fresh.length === 0) return undefined;
  if (condition.operator === "changed") return causeOfChange(window, fresh);
  const olderCount = window.length - fresh.length;
  const parts = { older: window.slice(0, olderCount), added: window.slice(olderCount) };
  const valueAt = growingWindow(condition, parts, summarise);
  const isCause = (_: TimedReading, position: number) => {
    const value = valueAt(position);
    return value !== null && compares(condition, value);
  };
  return fresh.find(isCause) ?? fresh.at(-1);
}

/**
 * The first new reading that differs from the one before it. A poll in the block of a transaction finds the same change, so the
 * reading of the transaction is preferred, because it says who made it.
 */
function causeOfChange(
  window: readonly TimedReading[],
  fresh: readonly TimedReading[],
): TimedReading | undefined {
  const places = new Map(window.map((reading, index) => [reading, index]));
  const changed = fresh.find((reading) => {
    const before = window[(places.get(reading) ?? 0) - 1];
    return before === undefined || comparedPart(before) !== comparedPart(reading);
  });
  if (!changed || changed.tx_hash !== null) return changed ?? fresh.at(-1);
  const isSameChange = ({ time, tx_hash }: TimedReading) => time === changed.time && tx_hash !== null;
  return fresh.find((one) => isSameChange(one) && comparedPart(one) === comparedPart(changed)) ?? changed;
}
