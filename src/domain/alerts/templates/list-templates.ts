import type { App } from "../../../app.ts";
import { listTargets } from "../../../store/contracts/targets.ts";
import type { Fit } from "../../../templates/fit-template.ts";
import type { ContractFacts, Template } from "../../../templates/template.ts";
import type { AlertTemplate } from "../../../wire/alerts/alert-templates.ts";
import type { NoiseEstimate } from "../../../wire/alerts/noise-estimate.ts";
import type { OrgCaller } from "../../caller.ts";
import { examineIfNew } from "../../inspection/background-inspection.ts";
import { loadFacts } from "../../inspection/contract-facts.ts";
import { loadSubject } from "../rule-subject.ts";
import { fitsOf, refOf, type Selection, selectTemplates } from "./select-templates.ts";
import { estimateNoise } from "./template-noise.ts";

/** Returns templates and whether each applies to the contract. */
export async function listTemplates(
  app: App,
  caller: OrgCaller,
  contract_id: string,
  category: Selection,
): Promise<AlertTemplate[]> {
  const inspected = category === "recommended" ? await examineIfNew(app, caller, contract_id) : undefined;
  const knownContract = await loadFacts(app, app.db, caller, contract_id, inspected);
  const targets = await listTargets(app.db, caller.org_id, contract_id);
  const facts = { ...knownContract.facts, targets };
  const subject = await loadSubject(app, app.db, caller.org_id, contract_id, inspected);
  const planned = selectTemplates(category, facts).flatMap((template) =>
    fitsOf(template, facts, subject).map((fit) => ({ template, fit })),
  );
  const noise = await estimateNoise(app, caller, planned, { ...knownContract, targets });
  return planned.map(({ template, fit }) =>
    toWire(template, fit, { category, facts, noise: noise.get(refOf(template, fit)) ?? noEstimate }),
  );
}

/** Of a template that does not apply. */
const noEstimate: NoiseEstimate = { fires_per_day: null, estimated_from: null, estimate_problem: null };

function toWire(
  { id, category, description, target_type, severity, for_seconds, ...template }: Template,
  { key, name, config, condition, source, reason }: Fit,
  on: { category: Selection; facts: ContractFacts; noise: NoiseEstimate },
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
    ...on.noise,
  };
}
