import { isDeepStrictEqual } from "node:util";
import type { App } from "../../../app.ts";
import { AppError, InvalidRequest } from "../../../errors/app-error.ts";
import { durationText } from "../../../lib/text.ts";
import { meterOf } from "../../../meters/index.ts";
import { listRules, missingChannels } from "../../../store/alerts/rules.ts";
import { listTargets, type TargetRow, updateTarget } from "../../../store/contracts/targets.ts";
import type { Db } from "../../../store/open-store.ts";
import { orgViewer } from "../../../store/viewer.ts";
import type { Fit } from "../../../templates/fit-template.ts";
import type { Template } from "../../../templates/template.ts";
import type { TemplatesApplied, TemplatesApply } from "../../../wire/alerts/alert-templates.ts";
import type { NoiseEstimate } from "../../../wire/alerts/noise-estimate.ts";
import type { OrgCaller } from "../../caller.ts";
import { updateContractStatus } from "../../contracts/contract-status.ts";
import { updateSavedNames } from "../../contracts/name-status.ts";
import { readConfig } from "../../contracts/target-config.ts";
import { addTarget, requireTargetQuota } from "../../contracts/targets.ts";
import { inspectIfNew } from "../../inspection/background-inspection.ts";
import { type KnownContract, loadFacts } from "../../inspection/contract-facts.ts";
import { dryRun, inTransaction, type TxEffects } from "../../transaction.ts";
import type { WriteContext } from "../../write-context.ts";
import { requireValidTarget } from "../rule-input.ts";
import { loadSubject } from "../rule-subject.ts";
import { addRule, remainingRuleQuota } from "../rules.ts";
import { unknownNoise } from "./noise-estimate.ts";
import { chosenTemplates, fitsOf, refOf } from "./select-templates.ts";
import { estimateNoise } from "./template-noise.ts";

/** Creates the rules of templates. Skips, with a reason, those that do not apply, exist already or exceed the quota. */
export async function applyTemplates(
  app: App,
  caller: OrgCaller,
  contract_id: string,
  input: TemplatesApply,
): Promise<TemplatesApplied> {
  if (input.category === "recommended") await inspectIfNew(app, caller, contract_id);
  const noise = await estimateAll(app, caller, contract_id, input);
  const run = async (tx: Db, effects: TxEffects) => {
    const quota = await remainingRuleQuota(tx, caller.org_id);
    await requireOwnChannel(tx, caller, input.channel_id);
    const knownContract = await loadFacts(app, tx, caller, contract_id);
    const targets = await listTargets(tx, caller.org_id, contract_id);
    const subject = await loadSubject(app, tx, caller.org_id, contract_id);
    const chosen = chosenTemplates(input, { ...knownContract.facts, targets });
    const existing = await existingRefs(tx, caller, contract_id, input.channel_id);
    const work: Work = {
      app,
      tx,
      caller,
      effects,
      channel_id: input.channel_id,
      known: knownContract,
      targets,
      existing,
      noise,
    };
    const applied: TemplatesApplied = { rule_ids: [], rules: [], skipped: [] };
    for (const template of chosen)
      for (const fit of fitsOf(template, { ...knownContract.facts, targets }, subject)) {
        const isFull = applied.rules.length >= quota.remaining;
        const outcome = await applyOne(work, template, fit, isFull ? quota.quotaError.message : undefined);
        if ("rule_id" in outcome) applied.rules.push(outcome);
        else applied.skipped.push({ template_id: template.id, reason: outcome.reason });
      }
    applied.rule_ids = applied.rules.map(({ rule_id }) => rule_id);
    if (applied.rules.length > 0) {
      await updateContractStatus(app, tx, caller.org_id, contract_id);
      await updateSavedNames(app, tx, { id: contract_id, org_id: caller.org_id }, "anything");
    }
    return applied;
  };
  return input.dry_run ? dryRun(app, caller, run) : inTransaction(app, caller, run);
}

type Work = WriteContext & {
  channel_id: string;
  known: KnownContract;
  /** The targets of the contract, including those created for templates. */
  targets: TargetRow[];
  /** External references of the rules that already notify the channel. */
  existing: ReadonlySet<string>;
  /** How often per day the rule of an external reference would have fired. */
  noise: ReadonlyMap<string, NoiseEstimate>;
};

/**
 * Estimates the noise of all templates before the transaction: a back-test takes its own connection and may take seconds, in which
 * the transaction would lock the organisation.
 */
async function estimateAll(
  app: App,
  caller: OrgCaller,
  contract_id: string,
  input: TemplatesApply,
): Promise<Map<string, NoiseEstimate>> {
  const knownContract = await loadFacts(app, app.db, caller, contract_id);
  const targets = await listTargets(app.db, caller.org_id, contract_id);
  const subject = await loadSubject(app, app.db, caller.org_id, contract_id);
  const existing = await existingRefs(app.db, caller, contract_id, input.channel_id);
  const facts = { ...knownContract.facts, targets };
  const planned = chosenTemplates(input, facts)
    .flatMap((template) => fitsOf(template, facts, subject).map((fit) => ({ template, fit })))
    .filter(({ template, fit }) => !existing.has(refOf(template, fit)));
  return estimateNoise(app, caller, planned, { ...knownContract, targets });
}

/** More often than this, an alert is rather noise than a warning. */
const maxFiresPerDay = 1;

async function applyOne(
  work: Work,
  template: Template,
  fit: Fit,
  quotaProblem: string | undefined,
): Promise<TemplatesApplied["rules"][number] | { reason: string }> {
  if (work.existing.has(refOf(template, fit)))
    return { reason: "A rule from this template already exists for the channel." };
  const { config, reason = quotaProblem } = fit;
  if (reason !== undefined) return { reason };
  // Without a config, fitTemplate has returned a reason.
  if (!config) throw new Error(`The template ${template.id} has no target config.`);
  const noise = work.noise.get(refOf(template, fit)) ?? unknownNoise(changedMeanwhile);
  const target = await targetFor(work, template, config);
  if ("reason" in target) return target;
  const isNoisy = (noise.fires_per_day ?? 0) > maxFiresPerDay;
  const mode = isNoisy ? ("shadow" as const) : ("live" as const);
  const rule = await ruleFor(work, template, fit, { target, mode });
  if ("reason" in rule) return rule;
  return {
    ...rule,
    template_id: template.id,
    name: fit.name,
    mode,
    reason: isNoisy ? noiseReason(noise) : null,
    ...noise,
    threshold_source: fit.source ?? null,
  };
}

/** Another request may change targets between the estimate and the transaction. */
const changedMeanwhile = "The targets of the contract changed while the rule was created.";

function noiseReason({ fires_per_day, estimated_from }: NoiseEstimate): string {
  const seconds = estimated_from
    ? (Date.parse(estimated_from.to) - Date.parse(estimated_from.from)) / 1000
    : 0;
  return (
    `On the last ${durationText(seconds)} of the contract's past, the rule would have fired ${(fires_per_day ?? 0).toFixed(1)} times a day. ` +
    "It records events and notifies nobody until its mode is set to live; raise its threshold first."
  );
}

/** Returns the target of a template: the existing one, enabled, or a new one if the quota allows. */
async function targetFor(
  work: Work,
  { target_type }: Template,
  configInput: Record<string, unknown>,
): Promise<TargetRow | { reason: string }> {
  const { tx, caller, effects, targets, known: templateContext } = work;
  const meter = meterOf(target_type);
  const config = readConfig(meter, configInput, ["body"]);
  const target = targets.find(
    (target) =>
      target.target_type === target_type &&
      (meter?.instances === "one" || isDeepStrictEqual(target.config, config)),
  );
  if (target?.is_enabled) return target;
  if (target) {
    const [action, subject] = ["target.updated", { type: "target", id: target.id }] as const;
    effects.audit({ org_id: caller.org_id, action, subject, details: { fields: ["is_enabled"] } });
    return (await updateTarget(tx, caller.org_id, target.id, { is_enabled: true })) ?? target;
  }
  const reason = messageOfRejection(() => requireTargetQuota(caller, targets.length));
  if (reason) return { reason };
  const row = await addTarget(work, templateContext.contract_id, { target_type, config }, ["body"]);
  targets.push(row);
  const details = { contract_id: templateContext.contract_id, target_type };
  const subject = { type: "target", id: row.id };
  effects.audit({ org_id: caller.org_id, action: "target.created", subject, details });
  return row;
}

/** Creates the rule of a template, validated like any other; returns why it cannot be. */
async function ruleFor(
  work: Work,
  template: Template,
  fit: Fit,
  { target, mode }: { target: TargetRow; mode: "live" | "shadow" },
): Promise<{ rule_id: string } | { reason: string }> {
  const { app, tx, caller, channel_id } = work;
  const { severity, for_seconds } = template;
  const { name, condition } = fit;
  const link = { target_id: target.id, channel_id, external_ref: refOf(template, fit) };
  const input = { ...link, name, severity, condition, for_seconds, mode };
  try {
    const valid = await requireValidTarget({ app, tx, caller }, target.id, input);
    return { rule_id: await addRule(work, valid.target, valid.checked) };
  } catch (error) {
    if (error instanceof InvalidRequest) return { reason: `The rule does not fit: ${error.message}` };
    throw error;
  }
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
