import { isDeepStrictEqual } from "node:util";
import { InvalidRequest } from "../../../errors/app-error.ts";
import { insertRules, type RuleRow } from "../../../store/alerts/rules.ts";
import { recordWatchChange } from "../../../store/engine/watch.ts";
import type { ConfigRule } from "../../../wire/imports/configuration.ts";
import { conditionIssues } from "../../alerts/rule-condition.ts";
import { ruleRow } from "../../alerts/rule-row.ts";
import { changeRule, type remainingRuleQuota, removeRule } from "../../alerts/rules.ts";
import { attempt, type Loc, note, pick, refuse, type Work } from "./change-log.ts";
import { makeRuleComparison, mayBeRule } from "./compare-rules.ts";
import { pairUp } from "./match-existing.ts";
import type { ContractState } from "./org-state.ts";
import type { TargetPlan } from "./plan-targets.ts";

/** A rule of the document, the target that it is to be on, and the rule that is there. */
export type RulePlan = { wanted: ConfigRule; loc: Loc; target: TargetPlan; state: RuleRow | undefined };

/** Finds the rules of a contract that are there already, on whichever of its targets. */
export function planRules(work: Work, targets: TargetPlan[]): RulePlan[] {
  const { changes, shown } = makeRuleComparison(work);
  const plans = targets.flatMap((target) =>
    (target.wanted.rules ?? []).map((wanted, index) => ({
      wanted,
      loc: [...target.loc, "rules", index],
      target,
      state: undefined,
    })),
  );
  const existing = targets.flatMap(({ state }) => state?.rules ?? []);
  const isOn = ({ target }: RulePlan, row: RuleRow) => target.id === row.target_id;
  const pairs = pairUp<RulePlan, RuleRow>(plans, existing, ({ wanted }, row) => mayBeRule(wanted, row), [
    (plan, row) => isOn(plan, row) && changes(plan.wanted, row).length === 0,
    (plan, row) => isOn(plan, row) && isDeepStrictEqual(plan.wanted.channels, shown(row).channels),
  ]);
  return plans.map((plan) => ({ ...plan, state: pairs.get(plan) }));
}

/** Removes the rules that the document does not have, from targets whose rules it lists. */
export async function pruneRules(
  work: Work,
  ref: string,
  targets: TargetPlan[],
  plans: RulePlan[],
): Promise<void> {
  const kept = new Set(plans.map(({ state }) => state));
  const listed = targets.filter(({ wanted }) => wanted.rules).flatMap(({ state }) => state?.rules ?? []);
  for (const row of listed.filter((one) => !kept.has(one))) {
    await removeRule(work.app, work.caller, row.id);
    note(work, "delete", "rule", `${ref} / ${row.name}`);
  }
}

type Quota = Awaited<ReturnType<typeof remainingRuleQuota>>;

/** Makes and changes the rules of a contract. What is made takes from the quota. */
export async function applyRules(
  work: Work,
  contract: ContractState,
  plans: RulePlan[],
  ref: string,
  channelIds: Map<string, string>,
  quota: Quota,
): Promise<void> {
  const rows: ReturnType<typeof ruleRow>[] = [];
  for (const plan of plans) {
    const { wanted, loc, target, state } = plan;
    const channels = channelsOf(work, plan, channelIds);
    // A target that could not be had is an error by now.
    if (!target.id || !channels) continue;
    if (state) await change(work, plan, state, target.id, channels, ref);
    else if (quota.remaining-- <= 0) refuse(work, loc, quota.quotaError.message, quota.quotaError.code);
    else rows.push(...(await create(work, contract, wanted, target.id, loc, channels, ref)));
  }
  if (rows.length === 0) return;
  await insertRules(work.tx, rows);
  await recordWatchChange(work.tx, contract.row.chain, contract.row.id);
  work.effects.hint({ topic: "watch.changed" });
}

type Channels = { channel_id?: string | null; channel_ids?: string[] };

function channelsOf(work: Work, { wanted, loc }: RulePlan, ids: Map<string, string>): Channels | undefined {
  if (!wanted.channels) return {};
  const found = wanted.channels.flatMap((ref) => ids.get(ref) ?? []);
  for (const [index, ref] of wanted.channels.entries())
    if (!ids.has(ref)) refuse(work, [...loc, "channels", index], "is not a channel of the organisation");
  const [channel_id = null, ...channel_ids] = new Set(found);
  return found.length === wanted.channels.length ? { channel_id, channel_ids } : undefined;
}

async function change(
  work: Work,
  { wanted, loc }: RulePlan,
  row: RuleRow,
  target_id: string,
  channels: Channels,
  ref: string,
): Promise<void> {
  const fields = makeRuleComparison(work).changes(wanted, row);
  const isMoved = row.target_id !== target_id;
  if (fields.length === 0 && !isMoved) {
    work.unchanged++;
    return;
  }
  const { channels: _, ...plain } = pick(wanted, fields);
  const update = {
    ...plain,
    ...(fields.includes("channels") && channels),
    ...(isMoved && { target_id }),
  };
  await attempt(work, loc, () => changeRule(work.app, work.caller, row.id, update));
  note(work, "update", "rule", `${ref} / ${row.name}`, [...fields, ...(isMoved ? ["target"] : [])]);
}

async function create(
  work: Work,
  { row: { id: contract_id } }: ContractState,
  { channels: _, ...wanted }: ConfigRule,
  target_id: string,
  loc: Loc,
  channels: Channels,
  ref: string,
): Promise<ReturnType<typeof ruleRow>[]> {
  const { app, caller, effects } = work;
  const row = await attempt(work, loc, () => {
    const issues = conditionIssues(wanted.condition);
    if (issues.length > 0) throw new InvalidRequest(issues);
    return ruleRow(app, caller, { contract_id, name: wanted.name }, { ...wanted, ...channels, target_id });
  });
  if (!row) return [];
  const details = { contract_id, target_id };
  effects.audit({
    org_id: caller.org_id,
    action: "rule.created",
    subject: { type: "rule", id: row.id },
    details,
  });
  note(work, "create", "rule", `${ref} / ${row.name}`, Object.keys(wanted).sort());
  return [row];
}
