import type { Condition } from "@/queries/alerts.ts";
import { hasTwoThresholds, isWithoutThreshold, shownLimit } from "./sentence.ts";

/** The inputs of one comparison. Numbers are texts while they are typed. */
export type ComparisonForm = {
  operator: Condition["operator"];
  threshold: string;
  threshold_high: string;
  aggregation: NonNullable<Condition["aggregation"]> | "";
  window_seconds: string;
};

/** A further condition, on another target of the same contract. `key` tells the rows of a list apart. */
export type OtherForm = ComparisonForm & { key: number; target_id: string };

/** An event or a function that counts, with a condition on its arguments. */
export type ClauseForm = { key: number; signature: string; expression: string };
export type MatchForm = {
  events: ClauseForm[];
  functions: ClauseForm[];
  status: "" | "any" | "success" | "failed";
  expression: string;
};

export type ConditionForm = ComparisonForm & {
  match: MatchForm;
  group_by: string;
  combines: "all" | "any";
  others: OtherForm[];
};

export const emptyMatch: MatchForm = { events: [], functions: [], status: "", expression: "" };
export const emptyComparison: ComparisonForm = {
  operator: "gte",
  threshold: "1",
  threshold_high: "",
  aggregation: "",
  window_seconds: "300",
};

let lastKey = 0;
/** A key for a new row of a list. */
export function newKey(): number {
  lastKey += 1;
  return lastKey;
}

export function toConditionForm(condition: Condition): ConditionForm {
  const { match, group_by, all, any } = condition;
  const clauses = (list: { signature: string; expression?: string }[] = []) =>
    list.map(({ signature, expression = "" }) => ({ key: newKey(), signature, expression }));
  return {
    ...toComparisonForm(condition),
    match: {
      events: clauses(match?.events),
      functions: clauses(match?.functions),
      status: match?.status ?? "",
      expression: match?.expression ?? "",
    },
    group_by: group_by ?? "",
    combines: any ? "any" : "all",
    others: (all ?? any ?? []).map(({ target_id, ...other }) => ({
      key: newKey(),
      target_id,
      ...toComparisonForm(other),
    })),
  };
}

type Comparison = Omit<Condition, "match" | "group_by" | "all" | "any">;

function toComparisonForm(condition: Comparison): ComparisonForm {
  return {
    operator: condition.operator,
    threshold: textOf(condition.threshold && shownLimit(condition.operator, condition.threshold)),
    threshold_high: textOf(condition.threshold_high),
    aggregation: condition.aggregation ?? "",
    window_seconds: textOf(condition.window_seconds),
  };
}

/** The condition as the API expects it. A text that is no number is left out, and the service names the missing field. */
export function toCondition(form: ConditionForm): Condition {
  const { group_by, combines, others } = form;
  const match = toMatch(form.match);
  return {
    ...toComparison(form),
    ...(match && { match }),
    ...(group_by.trim() && { group_by: group_by.trim() }),
    ...(others.length > 0 && {
      [combines]: others.map((other) => ({ target_id: other.target_id, ...toComparison(other) })),
    }),
  };
}

function toComparison(form: ComparisonForm): Comparison {
  const { operator, aggregation } = form;
  const { threshold } = numberAt("threshold", form.threshold);
  return {
    operator,
    ...(!isWithoutThreshold(operator) &&
      threshold !== undefined && { threshold: shownLimit(operator, threshold) }),
    ...(hasTwoThresholds(operator) && numberAt("threshold_high", form.threshold_high)),
    ...(aggregation !== "" && { aggregation }),
    ...(aggregation !== "each" && numberAt("window_seconds", form.window_seconds)),
  };
}

function toMatch({ events, functions, status, expression }: MatchForm): Condition["match"] {
  const clauses = (list: ClauseForm[]) =>
    list.map((clauseForm) => ({
      signature: clauseForm.signature.trim(),
      ...(clauseForm.expression.trim() && { expression: clauseForm.expression.trim() }),
    }));
  if (events.length === 0 && functions.length === 0 && status === "" && expression.trim() === "")
    return undefined;
  return {
    ...(events.length > 0 && { events: clauses(events) }),
    ...(functions.length > 0 && { functions: clauses(functions) }),
    ...(status !== "" && { status }),
    ...(expression.trim() && { expression: expression.trim() }),
  };
}

export function numberAt<Name extends string>(name: Name, text: string): { [Key in Name]?: number } {
  const value = Number(text);
  return (text.trim() === "" || Number.isNaN(value) ? {} : { [name]: value }) as { [Key in Name]?: number };
}

export function textOf(value: number | null | undefined): string {
  return value === null || value === undefined ? "" : String(value);
}
