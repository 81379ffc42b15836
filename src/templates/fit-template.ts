import { meterOf } from "../meters/index.ts";
import type { Condition, ContractFacts, MeasuredTarget, Template } from "./template.ts";

/** What a template comes to on a contract. */
export type Fit = {
  /** What would be measured; null while nobody has said it. */
  config: Record<string, unknown> | null;
  condition: Condition;
  /** Why it cannot work there; undefined when it can. */
  reason: string | undefined;
};

/** Lays a template against a contract. Of what a contract has only once, the target that is there counts as it is. */
export function fitTemplate(template: Template, facts: ContractFacts): Fit {
  const target = onlyTargetOf(template, facts);
  const config = target?.config ?? template.target_config;
  const condition = (config && template.conditionFor?.(config)) ?? template.condition;
  return { config, condition, reason: familyReason(template, facts) ?? template.check(facts, target) };
}

function onlyTargetOf({ target_type }: Template, { targets }: ContractFacts): MeasuredTarget | undefined {
  if (meterOf(target_type)?.instances !== "one") return undefined;
  return targets.find((target) => target.target_type === target_type);
}

function familyReason({ target_type }: Template, { kind }: ContractFacts): string | undefined {
  if (meterOf(target_type)?.families.includes(kind)) return undefined;
  return `${target_type} does not exist on ${kind} chains.`;
}
