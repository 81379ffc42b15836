import { InvalidRequest } from "../../../errors/app-error.ts";
import { meterOf } from "../../../meters/index.ts";
import { insertRules } from "../../../store/alerts/rules.ts";
import type { TargetRow } from "../../../store/contracts/targets.ts";
import { recordWatchChange } from "../../../store/engine/watch.ts";
import type { RuleCondition } from "../../../wire/alerts/rule-condition.ts";
import type { ConfigRule } from "../../../wire/imports/configuration.ts";
import { type LoadContract, loadContractsOnce, recipientsOf } from "../../alerts/rule-input.ts";
import { ruleIssues } from "../../alerts/rule-issues.ts";
import { ruleRow } from "../../alerts/rule-row.ts";
import type { RuleSubject } from "../../alerts/rule-subject.ts";
import { changeRuleIn, type remainingRuleQuota, removeRule } from "../../alerts/rules.ts";
import { withWindow } from "../../alerts/unit-issues.ts";
import { updateSavedNames } from "../../contracts/name-status.ts";
import type { About } from "./apply-targets.ts";
import { addError, attempt, type OnContract, pick, recordChange, type Work } from "./change-log.ts";
import { changesOfRule, withWindowOf } from "./compare-rules.ts";
import { type Channels, findChannels } from "./find-channels.ts";
import { contractRef } from "./locate-contracts.ts";
import type { ContractState } from "./org-state.ts";
import { toRuleCondition } from "./other-targets.ts";
import type { RulePlan, TargetPlan } from "./plan-targets.ts";
import { makeRuleDisplay } from "./show-rule.ts";

/** Deletes rules that the document does not contain, on targets whose rules it lists. */
export async function pruneRules(
  work: Work,
  { ref, on }: About,
  targets: TargetPlan[],
  plans: RulePlan[],
): Promise<void> {
  const kept = new Set(plans.map(({ state }) => state));
  const listed = targets.filter(({ wanted }) => wanted.rules).flatMap(({ state }) => state?.rules ?? []);
  for (const row of listed.filter((ruleRow) => !kept.has(ruleRow))) {
    recordChange(work, { action: "delete", kind: "rule", ref: `${ref} / ${row.name}`, on });
    await removeRule(work.app, work.caller, row.id, work);
  }
}

/** Building a longer statement would delay other requests. */
const rowsPerInsert = 1_000;

type Quota = Awaited<ReturnType<typeof remainingRuleQuota>>;

/** Creates and updates the rules of a contract; each new rule reduces the quota. */
export async function applyRules(
  work: Work,
  contract: ContractState,
  plans: RulePlan[],
  { channelIds, quota, on }: { channelIds: Map<string, string>; quota: Quota; on: OnContract },
): Promise<void> {
  const rows: ReturnType<typeof ruleRow>[] = [];
  const show = makeRuleDisplay(work, contract.targets);
  const load = loadContractsOnce();
  const isNew = plans.some(({ state }) => !state);
  const hasOthers = plans.some(({ wanted: { condition } }) => condition.all ?? condition.any);
  const { subject, siblings } =
    isNew || hasOthers ? await load(work, contract.row.id) : { subject: undefined, siblings: [] };
  for (const plan of plans) {
    await work.effort.pause();
    const { loc, target, state } = plan;
    const channels = findChannels(work, plan.wanted, loc, channelIds);
    // A target without an id failed to be created, which is already reported.
    const condition = conditionOf(work, plan, siblings);
    if (!target.id || !channels || !condition) continue;
    const links = { target_id: target.id, condition, ...channels };
    const before = state && show(state);
    if (before)
      await change(work, contract, plan, {
        links,
        fields: changesOfRule(plan.wanted, before),
        before,
        on,
        load,
      });
    else if (quota.remaining-- <= 0) addError(work, loc, quota.quotaError.message, quota.quotaError.code);
    else rows.push(...(await create(work, contract, plan, links, { on, subject, siblings })));
  }
  if (rows.length === 0) return;
  for (let from = 0; from < rows.length; from += rowsPerInsert)
    await insertRules(work.tx, rows.slice(from, from + rowsPerInsert));
  await recordWatchChange(work.tx, contract.row.chain, contract.row.id);
  const about = { id: contract.row.id, org_id: work.caller.org_id };
  await updateSavedNames(work.app, work.tx, about, { rules: plans.map(({ wanted }) => wanted) });
  work.effects.hint({ topic: "watch.changed" });
}

/** What the document refers to by name. */
type Links = Channels & { target_id: string; condition: RuleCondition };

function conditionOf(
  work: Work,
  { wanted, loc }: RulePlan,
  siblings: TargetRow[],
): RuleCondition | undefined {
  const condition = toRuleCondition(wanted.condition, siblings);
  if ("condition" in condition) return condition.condition;
  for (const problem of condition.problems) addError(work, [...loc, ...problem.loc], problem.msg);
  return undefined;
}

/** What differs between a rule and the document. */
type Difference = {
  links: Links;
  fields: (keyof ConfigRule)[];
  before: ConfigRule;
  on: OnContract;
  load: LoadContract;
};

async function change(
  work: Work,
  { row: contract }: ContractState,
  { wanted, loc, state: row }: RulePlan,
  { links, fields, before, on, load }: Difference,
): Promise<void> {
  if (!row) return;
  const { target_id, condition, escalation, ...channels } = links;
  const isMoved = row.target_id !== target_id;
  if (fields.length === 0 && !isMoved) {
    work.unchanged++;
    return;
  }
  const { channels: _, condition: __, escalation: ___, ...plain } = pick(wanted, fields);
  const update = {
    ...plain,
    ...(fields.includes("condition") && { condition: withWindowOf(row, condition) }),
    ...(fields.includes("channels") && channels),
    ...(fields.includes("escalation") && { escalation }),
    ...(isMoved && { target_id }),
  };
  await attempt(work, loc, () => changeRuleIn(work, row.id, update, load));
  const ref = `${contractRef(contract)} / ${row.name}`;
  const changed = [...fields, ...(isMoved ? ["target"] : [])];
  const values = { before, after: wanted };
  recordChange(work, { action: "update", kind: "rule", ref, fields: changed, on, values });
}

async function create(
  work: Work,
  { row: contract }: ContractState,
  { wanted: { channels: _, escalation: __, ...wanted }, loc, target }: RulePlan,
  links: Links,
  { on, subject, siblings }: { on: OnContract; subject: RuleSubject | undefined; siblings: TargetRow[] },
): Promise<ReturnType<typeof ruleRow>[]> {
  const { app, caller, effects } = work;
  const { id: contract_id } = contract;
  const { target_type, config = {} } = target.wanted;
  const rule = { ...wanted, condition: links.condition };
  const row = await attempt(work, loc, () => {
    const { record_only = false, problem } = recipientsOf({ ...links, record_only: wanted.record_only });
    const issues = [
      ...(problem ? [problem] : []),
      ...ruleIssues(rule, { target_type, config, subject, siblings }),
    ];
    if (issues.length > 0) throw new InvalidRequest(issues);
    const condition = withWindow(links.condition, meterOf(target_type), subject);
    return ruleRow(
      app,
      caller,
      { contract_id, name: wanted.name },
      { ...wanted, ...links, condition, record_only },
    );
  });
  if (!row) return [];
  const details = { contract_id, target_id: links.target_id };
  effects.audit({
    org_id: caller.org_id,
    action: "rule.created",
    subject: { type: "rule", id: row.id },
    details,
  });
  const ref = `${contractRef(contract)} / ${row.name}`;
  recordChange(work, { action: "create", kind: "rule", ref, fields: Object.keys(wanted).sort(), on });
  return [row];
}
