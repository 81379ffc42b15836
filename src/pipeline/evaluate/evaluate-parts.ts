import type { Series } from "../watch/series.ts";
import type { Summarise } from "./aggregate.ts";
import { evaluateWindow, type WindowResult } from "./evaluate-window.ts";
import type { ConditionPart, Rule } from "./rule.ts";

/** A condition of a rule with the series that it is evaluated on. The first of a rule is its own, others follow. */
export type PartSource = {
  part: ConditionPart;
  series: Series;
  summarise: Summarise | undefined;
  target: { id: string; target_type: string };
};

/** Evaluates all conditions of a rule at the same block time and combines them. */
export function evaluateParts(
  { combines }: Pick<Rule, "combines">,
  sources: readonly PartSource[],
  now: number,
): WindowResult {
  const results = evaluateEachPart(sources, now);
  const [first] = results;
  if (!first) throw new Error("A rule has at least one condition.");
  return results.length === 1 ? first : { ...first, ...combineParts(combines, sources, results) };
}

export function evaluateEachPart(sources: readonly PartSource[], now: number): WindowResult[] {
  return sources.map(({ part, series, summarise }) => evaluateWindow(part, series, now, summarise));
}

/** Combines the results of several conditions, each with its clause. */
export function combineParts(
  combines: Rule["combines"],
  sources: readonly Pick<PartSource, "target">[],
  results: readonly Pick<WindowResult, "clause" | "value" | "holds">[],
): Required<Pick<WindowResult, "holds" | "clause" | "conditions">> {
  const conditions = results.map(({ clause, value, holds }, index) => ({
    target_id: sources[index]?.target.id ?? "",
    target_type: sources[index]?.target.target_type ?? "",
    clause,
    value,
    holds,
  }));
  return {
    holds: combine(combines, results),
    clause: conditions.map(({ target_type, clause }) => `${target_type}: ${clause}`).join(words[combines]),
    conditions,
  };
}

const words = { all: "; and ", any: "; or " };

/** Null if conditions with too little data to tell decide. */
function combine(
  combines: Rule["combines"],
  results: readonly Pick<WindowResult, "holds">[],
): boolean | null {
  const decisive = combines === "any";
  if (results.some(({ holds }) => holds === decisive)) return decisive;
  return results.some(({ holds }) => holds === null) ? null : !decisive;
}
