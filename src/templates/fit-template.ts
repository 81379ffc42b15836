import { meterOf } from "../meters/index.ts";
import type { Condition, ContractFacts, MeasuredTarget, Template } from "./template.ts";

/** The target config and condition of a template on one contract. */
export type Fit = {
  /** Distinguishes several rules of one template; undefined if it has one rule per contract. */
  key: string | undefined;
  name: string;
  /** Null if the template needs a target that does not exist. */
  config: Record<string, unknown> | null;
  condition: Condition;
  /** Where the threshold comes from; undefined if it is the same for every contract. */
  source: string | undefined;
  /** The reason why the template does not apply; undefined if it does. */
  reason: string | undefined;
};

/** Adapts a template to a contract, in one rule or several. */
export function fitTemplate(template: Template, facts: ContractFacts): Fit[] {
  const target = onlyTargetOf(template, facts);
  const reason = familyReason(template, facts) ?? template.check(facts, target);
  const variants = reason === undefined ? template.variantsFor?.(facts) : undefined;
  if (!variants) return [{ ...plainFit(template, target, facts), reason }];
  return variants.map(({ key, about, config, condition, source }) => ({
    key,
    name: about ? `${template.name}: ${about}` : template.name,
    config: target?.config ?? config,
    condition: (target && template.conditionFor?.(target.config, facts)) ?? condition,
    source,
    reason,
  }));
}

/** Uses the config of an existing target if the contract can have only one. */
function plainFit(
  template: Template,
  target: MeasuredTarget | undefined,
  facts: ContractFacts,
): Omit<Fit, "reason"> {
  const config = target?.config ?? template.target_config;
  const condition = (config && template.conditionFor?.(config, facts)) ?? template.condition;
  return { key: undefined, name: template.name, config, condition, source: undefined };
}

function onlyTargetOf({ target_type }: Template, { targets }: ContractFacts): MeasuredTarget | undefined {
  if (meterOf(target_type)?.instances !== "one") return undefined;
  return targets.find((target) => target.target_type === target_type);
}

function familyReason({ target_type }: Template, { kind }: ContractFacts): string | undefined {
  if (meterOf(target_type)?.families.includes(kind)) return undefined;
  return `The target type ${target_type} is not available on ${kind} chains.`;
}
