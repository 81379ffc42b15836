import { InvalidRequest, type Issue } from "../../../errors/app-error.ts";
import { meterOf } from "../../../meters/index.ts";
import { type Fit, fitTemplate } from "../../../templates/fit-template.ts";
import { templates, templatesOf } from "../../../templates/index.ts";
import type { ContractFacts, Template } from "../../../templates/template.ts";
import type { TemplatesApply } from "../../../wire/alerts/alert-templates.ts";
import type { RuleSubject } from "../rule-subject.ts";
import { widened } from "../unit-issues.ts";

export type Selection = TemplatesApply["category"];

/** The windows of a template are widened to hold two readings at the interval of the organisation. */
export function fitsOf(template: Template, facts: ContractFacts, subject: RuleSubject | undefined): Fit[] {
  const meter = meterOf(template.target_type);
  return fitTemplate(template, facts).map((fit) => ({
    ...fit,
    condition: widened(fit.condition, meter, subject),
  }));
}

/**
 * The recommended set has only what applies; a category lists all of its templates that exist on the family of the chain, with
 * reasons.
 */
export function selectTemplates(category: Selection, facts: ContractFacts): Template[] {
  if (category !== "recommended")
    return templatesOf(category).filter(({ target_type }) =>
      meterOf(target_type)?.families.includes(facts.kind),
    );
  return templates.filter(
    (template) =>
      template.isRecommended?.(facts) &&
      fitTemplate(template, facts).some(({ reason }) => reason === undefined),
  );
}

/** Returns the templates that a request is about. */
export function chosenTemplates(
  { category, template_ids }: TemplatesApply,
  facts: ContractFacts,
): Template[] {
  const all = template_ids ? named(category) : selectTemplates(category, facts);
  const unknown = (template_ids ?? []).flatMap((id, index): Issue[] => {
    if (all.some((template) => template.id === id)) return [];
    const msg = category === "recommended" ? "is not a template" : `is not a template of ${category}`;
    return [{ loc: ["body", "template_ids", index], msg, type: "value_error" }];
  });
  if (unknown.length > 0) throw new InvalidRequest(unknown);
  return all.filter(({ id }) => !template_ids || template_ids.includes(id));
}

/** The templates that a request may name. */
function named(category: Selection): readonly Template[] {
  return category === "recommended" ? templates : templatesOf(category);
}

/** The external reference of rules that come from a template. */
export function refOf({ id }: Template, { key }: Fit): string {
  return key === undefined ? `template:${id}` : `template:${id}:${key}`;
}
