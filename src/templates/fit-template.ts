import { meterOf } from "../meters/index.ts";
import type { Condition, ContractFacts, MeasuredTarget, Template } from "./template.ts";

/** The target config and condition of a template on one contract. */
export type Fit = {
  /** Null if the template needs a target that does not exist. */
  config: Record<string, unknown> | null;
  condition: Condition;
  /** The reason why the template does not apply; undefined if it does. */
  reason: string | undefined;
};

/** Adapts a template to a contract. Uses the config of an existing target if the contract can have only one. */
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
  return `The target type ${target_type} is not available on ${kind} chains.`;
}
