import type { App } from "../../../app.ts";
import { listTargets } from "../../../store/contracts/targets.ts";
import type { Fit } from "../../../templates/fit-template.ts";
import type { ContractFacts, Template } from "../../../templates/template.ts";
import type { AlertTemplate } from "../../../wire/alerts/alert-templates.ts";
import type { OrgCaller } from "../../caller.ts";
import { inspectIfNew } from "../../inspection/background-inspection.ts";
import { loadFacts } from "../../inspection/contract-facts.ts";
import { loadSubject } from "../rule-subject.ts";
import { fitsOf, type Selection, selectTemplates } from "./select-templates.ts";
import { estimateNoise } from "./template-noise.ts";

/** Returns templates and whether each applies to the contract. */
export async function listTemplates(
  app: App,
  caller: OrgCaller,
  contract_id: string,
  category: Selection,
): Promise<AlertTemplate[]> {
  if (category === "recommended") await inspectIfNew(app, caller, contract_id);
  const known = await loadFacts(app, app.db, caller, contract_id);
  const targets = await listTargets(app.db, caller.org_id, contract_id);
  const facts = { ...known.facts, targets };
  const subject = await loadSubject(app, app.db, caller.org_id, contract_id);
  const listed: AlertTemplate[] = [];
  for (const template of selectTemplates(category, facts))
    for (const fit of fitsOf(template, facts, subject)) {
      const noise = await estimateNoise(app, caller, template, fit, { ...known, targets });
      listed.push(toWire(template, fit, { category, facts, fires_per_day: noise ?? null }));
    }
  return listed;
}

function toWire(
  { id, category, description, target_type, severity, for_seconds, ...template }: Template,
  { key, name, config, condition, source, reason }: Fit,
  on: { category: Selection; facts: ContractFacts; fires_per_day: number | null },
): AlertTemplate {
  return {
    id,
    category: on.category === "recommended" ? category : on.category,
    ...{ name, description, target_type, target_config: config, condition, severity, for_seconds },
    applicable: reason === undefined,
    reason: reason ?? null,
    recommended: reason === undefined && template.isRecommended?.(on.facts) === true,
    subject: key ?? null,
    threshold_source: source ?? null,
    fires_per_day: on.fires_per_day,
  };
}
