import { isDeepStrictEqual } from "node:util";
import type { App } from "../../app.ts";
import { AppError, InvalidRequest, type Issue } from "../../errors/app-error.ts";
import { meterOf } from "../../meters/index.ts";
import { listRules, missingChannels } from "../../store/alerts/rules.ts";
import { listTargets, type TargetRow, updateTarget } from "../../store/contracts/targets.ts";
import type { Db } from "../../store/open-store.ts";
import { orgViewer } from "../../store/viewer.ts";
import { type Fit, fitTemplate } from "../../templates/fit-template.ts";
import { templatesOf } from "../../templates/index.ts";
import type { Category, Template } from "../../templates/template.ts";
import type { AlertTemplate, TemplatesApplied, TemplatesApply } from "../../wire/alerts/alert-templates.ts";
import type { OrgCaller } from "../caller.ts";
import { updateContractStatus } from "../contracts/contract-status.ts";
import { readConfig } from "../contracts/target-config.ts";
import { addTarget, requireTargetQuota } from "../contracts/targets.ts";
import { type KnownContract, loadFacts } from "../inspection/contract-facts.ts";
import { inTransaction } from "../transaction.ts";
import type { WriteContext } from "../write-context.ts";
import { addRule, remainingRuleQuota } from "./rules.ts";

/** Returns the templates of a category and whether each applies to the contract. */
export async function listTemplates(
  app: App,
  caller: OrgCaller,
  contract_id: string,
  category: Category,
): Promise<AlertTemplate[]> {
  const known = await loadFacts(app.db, caller, contract_id);
  const targets = await listTargets(app.db, caller.org_id, contract_id);
  return templatesOf(category).map((template) => {
    const { config, condition, reason } = fitTemplate(template, { ...known.facts, targets });
    const { check: _, conditionFor: __, ...shown } = template;
    return {
      ...shown,
      target_config: config,
      condition,
      applicable: reason === undefined,
      reason: reason ?? null,
    };
  });
}

/** Creates the rules of templates. Skips, with a reason, those that do not apply, exist already or exceed the quota. */
export async function applyTemplates(
  app: App,
  caller: OrgCaller,
  contract_id: string,
  input: TemplatesApply,
): Promise<TemplatesApplied> {
  const chosen = chosenTemplates(input);
  return inTransaction(app, caller, async (tx, effects) => {
    const quota = await remainingRuleQuota(tx, caller.org_id);
    await requireOwnChannel(tx, caller, input.channel_id);
    const work: Work = {
      app,
      tx,
      caller,
      effects,
      channel_id: input.channel_id,
      known: await loadFacts(tx, caller, contract_id),
      targets: await listTargets(tx, caller.org_id, contract_id),
      existing: await existingRefs(tx, caller, contract_id, input.channel_id),
    };
    const applied: TemplatesApplied = { rule_ids: [], skipped: [] };
    for (const template of chosen) {
      const isFull = applied.rule_ids.length >= quota.remaining;
      const outcome = await applyOne(work, template, isFull ? quota.quotaError.message : undefined);
      if ("rule_id" in outcome) applied.rule_ids.push(outcome.rule_id);
      else applied.skipped.push({ template_id: template.id, reason: outcome.reason });
    }
    if (applied.rule_ids.length > 0) await updateContractStatus(app, tx, caller.org_id, contract_id);
    return applied;
  });
}

type Work = WriteContext & {
  channel_id: string;
  known: KnownContract;
  /** The targets of the contract, including those created for templates. */
  targets: TargetRow[];
  /** External references of the rules that already notify the channel. */
  existing: ReadonlySet<string>;
};

async function applyOne(work: Work, template: Template, quotaProblem: string | undefined) {
  if (work.existing.has(refOf(template)))
    return { reason: "A rule from this template already exists for the channel." };
  const fit = fitTemplate(template, { ...work.known.facts, targets: work.targets });
  const { config, reason = quotaProblem } = fit;
  if (reason !== undefined) return { reason };
  // Without a config, fitTemplate has returned a reason.
  if (!config) throw new Error(`The template ${template.id} has no target config.`);
  const target = await targetFor(work, template, config);
  return "reason" in target ? target : { rule_id: await ruleFor(work, template, fit, target) };
}

/** Returns the target of a template: the existing one, enabled, or a new one if the quota allows. */
async function targetFor(
  work: Work,
  { target_type }: Template,
  given: Record<string, unknown>,
): Promise<TargetRow | { reason: string }> {
  const { tx, caller, effects, targets, known } = work;
  const meter = meterOf(target_type);
  const config = readConfig(meter, given, ["body"]);
  const found = targets.find(
    (one) =>
      one.target_type === target_type &&
      (meter?.instances === "one" || isDeepStrictEqual(one.config, config)),
  );
  if (found?.is_enabled) return found;
  if (found) {
    const [action, subject] = ["target.updated", { type: "target", id: found.id }] as const;
    effects.audit({ org_id: caller.org_id, action, subject, details: { fields: ["is_enabled"] } });
    return (await updateTarget(tx, caller.org_id, found.id, { is_enabled: true })) ?? found;
  }
  const reason = messageOfRejection(() => requireTargetQuota(caller, targets.length));
  if (reason) return { reason };
  const row = await addTarget(work, known.contract_id, { target_type, config }, ["body"]);
  targets.push(row);
  const details = { contract_id: known.contract_id, target_type };
  const subject = { type: "target", id: row.id };
  effects.audit({ org_id: caller.org_id, action: "target.created", subject, details });
  return row;
}

function ruleFor(work: Work, template: Template, { condition }: Fit, target: TargetRow): Promise<string> {
  const { channel_id, known } = work;
  const { name, severity, for_seconds } = template;
  const on = { contract_id: known.contract_id, chain: known.chain, name: target.name };
  const link = { target_id: target.id, channel_id, external_ref: refOf(template) };
  return addRule(work, on, { ...link, name, severity, condition, for_seconds });
}

/** The external reference of rules that come from a template. */
function refOf({ id }: Template): string {
  return `template:${id}`;
}

function chosenTemplates({ category, template_ids }: TemplatesApply): Template[] {
  const all = templatesOf(category);
  const unknown = (template_ids ?? []).flatMap((id, index): Issue[] => {
    if (all.some((template) => template.id === id)) return [];
    return [
      { loc: ["body", "template_ids", index], msg: `is not a template of ${category}`, type: "value_error" },
    ];
  });
  if (unknown.length > 0) throw new InvalidRequest(unknown);
  return all.filter(({ id }) => !template_ids || template_ids.includes(id));
}

async function requireOwnChannel(tx: Db, caller: OrgCaller, channel_id: string): Promise<void> {
  if ((await missingChannels(tx, caller.org_id, [channel_id])).length === 0) return;
  const msg = "is not a channel of the organisation";
  throw new InvalidRequest([{ loc: ["body", "channel_id"], msg, type: "value_error" }]);
}

async function existingRefs(tx: Db, { org_id }: OrgCaller, contract_id: string, channel_id: string) {
  const rules = await listRules(tx, orgViewer(org_id), { contract_id });
  const notifying = rules.filter(
    (rule) => rule.channel_id === channel_id || rule.channel_ids.includes(channel_id),
  );
  return new Set(notifying.map((rule) => rule.external_ref ?? ""));
}

function messageOfRejection(action: () => void): string | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.message;
  }
}
