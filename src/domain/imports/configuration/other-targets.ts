import type { OtherCondition, RuleCondition } from "../../../wire/alerts/rule-condition.ts";
import type { ConfigCondition } from "../../../wire/imports/configuration.ts";
import type { State } from "./org-state.ts";

/** Further conditions of a rule refer to targets by id in the store, and by name in a document. */

type NamedTarget = { id: string; name: string };
type Named = NonNullable<ConfigCondition["all"]>[number];

/** The names of all targets, by id. */
export function targetNames({ contracts }: State): Map<string, string> {
  const rows = contracts.flatMap(({ targets }) => targets.map(({ row }) => row));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export function toConfigCondition(
  { all, any, ...condition }: RuleCondition,
  nameOf: (target_id: string) => string | undefined,
): ConfigCondition {
  const named = (others: OtherCondition[]): Named[] =>
    others.map(({ target_id, ...other }) => ({ target: nameOf(target_id) ?? target_id, ...other }));
  return { ...condition, ...(all && { all: named(all) }), ...(any && { any: named(any) }) };
}

/** Returns the condition with ids, or the targets that do not exist or are ambiguous. */
export function toRuleCondition(
  { all, any, ...condition }: ConfigCondition,
  targets: readonly NamedTarget[],
): { condition: RuleCondition } | { problems: { loc: (string | number)[]; msg: string }[] } {
  const problems: { loc: (string | number)[]; msg: string }[] = [];
  const withIds = (field: "all" | "any", others: Named[]): OtherCondition[] =>
    others.flatMap(({ target, ...other }, index) => {
      const found = find(target, targets);
      if (typeof found !== "string") return [{ target_id: found.id, ...other }];
      problems.push({ loc: ["condition", field, index, "target"], msg: found });
      return [];
    });
  const found = {
    ...condition,
    ...(all && { all: withIds("all", all) }),
    ...(any && { any: withIds("any", any) }),
  };
  return problems.length > 0 ? { problems } : { condition: found };
}

/** Returns the target of a name, or why there is none. */
function find(reference: string, targets: readonly NamedTarget[]): NamedTarget | string {
  const matching = targets.filter(({ name }) => name === reference);
  if (matching.length > 1)
    return `names ${matching.length} targets of the contract; give them different names`;
  const names = targets.map(({ name }) => name).join(", ");
  return matching[0] ?? `is not a target of the contract; its targets are ${names}`;
}
