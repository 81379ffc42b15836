import { isDeepStrictEqual } from "node:util";
import { type App, newId } from "../../app.ts";
import { AppError, InvalidRequest, type Issue } from "../../errors/app-error.ts";
import {
  countRules,
  deleteRule,
  findRule,
  insertRule,
  listRules as listRows,
  missingChannels,
  type RuleRow,
  updateRule,
} from "../../store/alerts/rules.ts";
import { findTarget } from "../../store/contracts/targets.ts";
import { deleteStatesOf } from "../../store/engine/rule-states.ts";
import { recordWatchChange } from "../../store/engine/watch.ts";
import type { Db } from "../../store/open-store.ts";
import { lockOrg } from "../../store/orgs/orgs.ts";
import { findAccess } from "../../store/viewer.ts";
import { tierLimits, tierName } from "../../tiers.ts";
import type { Rule, RuleCreate, RuleUpdate } from "../../wire/alerts/rules.ts";
import { readOnlyMessage } from "../access.ts";
import type { OrgCaller } from "../caller.ts";
import { type TxEffects, write } from "../transaction.ts";
import { viewerOf } from "../viewer-of.ts";
import { resolvingAlerts } from "./end-alerts.ts";
import { conditionIssues } from "./rule-condition.ts";

export async function listRules(
  app: App,
  caller: OrgCaller,
  filter: { contract_id?: string | undefined; agent_id?: string | undefined },
): Promise<Rule[]> {
  const rows = await listRows(app.db, viewerOf(caller), filter);
  return rows.map(toRule);
}

export async function getRule(app: App, caller: OrgCaller, rule_id: string): Promise<Rule> {
  return toRule(await loadRule(app.db, caller, rule_id));
}

/** Creates a rule on a target that the caller may change; it is evaluated from the next block. */
export async function createRule(app: App, caller: OrgCaller, input: RuleCreate): Promise<Rule> {
  return write(app, caller, async (tx, effects) => {
    const { remaining, quotaError } = await remainingRuleQuota(tx, caller.org_id);
    if (remaining === 0) throw quotaError;
    const target = await requireValidTarget(tx, caller, input.target_id, input);
    const id = await addRule(app, tx, caller, target, input, effects);
    return toRule(await loadRule(tx, caller, id));
  });
}

/** Returns the row of a new rule. */
export function ruleRow(
  app: App,
  caller: OrgCaller,
  target: { contract_id: string; name: string },
  input: RuleCreate,
) {
  const now = app.clock.now();
  return {
    ...columnsOf(input),
    id: newId(app),
    org_id: caller.org_id,
    contract_id: target.contract_id,
    target_id: input.target_id,
    name: input.name ?? `${target.name} ${input.condition.operator.replaceAll("_", " ")}`,
    severity: input.severity,
    condition: JSON.stringify(input.condition),
    created_by: caller.user_id,
    created_at: now,
    updated_at: now,
  };
}

/** Inserts a rule on a checked target. The transaction must hold the lock of the org, with quota left. */
export async function addRule(
  app: App,
  tx: Db,
  caller: OrgCaller,
  target: { contract_id: string; chain: string; name: string },
  input: RuleCreate,
  { audit, hint }: TxEffects,
): Promise<string> {
  const row = ruleRow(app, caller, target, input);
  const { id } = row;
  await insertRule(tx, row);
  await recordWatchChange(tx, target.chain, target.contract_id);
  const details = { contract_id: target.contract_id, target_id: input.target_id };
  audit({ org_id: caller.org_id, action: "rule.created", subject: { type: "rule", id }, details });
  hint({ topic: "watch.changed" });
  return id;
}

/** Updates a rule. A change of its meaning starts a new version, which is part of the identity of its events. */
export async function changeRule(
  app: App,
  caller: OrgCaller,
  rule_id: string,
  input: RuleUpdate,
): Promise<Rule> {
  return write(app, caller, async (tx, { audit, hint }) => {
    const before = await loadRule(tx, caller, rule_id);
    const target = await requireValidTarget(tx, caller, input.target_id ?? before.target_id, input);
    // A disabled rule cannot continue from its old state, so disabling starts a new version too.
    const isOther =
      target.id !== before.target_id || isConditionChanged(before, input) || input.is_enabled === false;
    const change = () =>
      updateRule(tx, caller.org_id, rule_id, {
        ...columnsOf(input),
        ...(input.name !== undefined && { name: input.name }),
        ...(input.severity !== undefined && { severity: input.severity }),
        ...(input.condition !== undefined && { condition: JSON.stringify(input.condition) }),
        ...(input.target_id !== undefined && { target_id: input.target_id, contract_id: target.contract_id }),
        isOther,
        updated_at: app.clock.now(),
      });
    // Events of the previous version are resolved.
    const ending = { org_id: caller.org_id, of: { rule_id } };
    await (isOther ? resolvingAlerts(app, tx, { hint }, ending, change) : change());
    if (isOther) await deleteStatesOf(tx, rule_id);
    await recordWatchChange(tx, before.chain, before.contract_id);
    if (target.contract_id !== before.contract_id)
      await recordWatchChange(tx, target.chain, target.contract_id);
    const details = { fields: Object.keys(input) };
    audit({ org_id: caller.org_id, action: "rule.updated", subject: { type: "rule", id: rule_id }, details });
    hint({ topic: "watch.changed" });
    return toRule(await loadRule(tx, caller, rule_id));
  });
}

export async function removeRule(app: App, caller: OrgCaller, rule_id: string): Promise<{ ok: true }> {
  return write(app, caller, async (tx, { audit, hint }) => {
    const row = await loadRule(tx, caller, rule_id);
    const ending = { org_id: caller.org_id, of: { rule_id } };
    const isDeleted = await resolvingAlerts(app, tx, { hint }, ending, () =>
      deleteRule(tx, caller.org_id, rule_id),
    );
    if (!isDeleted) throw noSuchRule();
    await recordWatchChange(tx, row.chain, row.contract_id);
    const details = { name: row.name };
    audit({ org_id: caller.org_id, action: "rule.deleted", subject: { type: "rule", id: rule_id }, details });
    hint({ topic: "watch.changed" });
    return { ok: true };
  });
}

async function loadRule(db: Db, caller: OrgCaller, rule_id: string): Promise<RuleRow> {
  const row = await findRule(db, viewerOf(caller), rule_id);
  if (!row) throw noSuchRule();
  return row;
}

function noSuchRule(): AppError {
  return new AppError("not_found", "There is no such rule.");
}

/** An update with an equal condition is not a change. */
function isConditionChanged(before: RuleRow, { condition }: RuleUpdate): boolean {
  return condition !== undefined && !isDeepStrictEqual(condition, before.condition);
}

/** Validates the input of a rule and returns its target. The caller must have write access to the contract. */
async function requireValidTarget(tx: Db, caller: OrgCaller, target_id: string, input: RuleUpdate) {
  const access = await findAccess(tx, viewerOf(caller), "target", target_id);
  const target = access && (await findTarget(tx, caller.org_id, target_id));
  if (access?.isEditable === false) throw new AppError("role_required", readOnlyMessage);
  const issues = await ruleIssues(tx, caller, input);
  if (!target)
    issues.push({ loc: ["body", "target_id"], msg: "is not a target that you can see", type: "value_error" });
  if (!target || issues.length > 0) throw new InvalidRequest(issues);
  return { ...target, chain: access.chain };
}

async function ruleIssues(tx: Db, caller: OrgCaller, input: RuleUpdate): Promise<Issue[]> {
  const channel_ids = [...(input.channel_id ? [input.channel_id] : []), ...(input.channel_ids ?? [])];
  const missing = await missingChannels(tx, caller.org_id, channel_ids);
  const channelIssues: Issue[] = [
    ...(input.channel_id && missing.includes(input.channel_id)
      ? [{ loc: ["body", "channel_id"], msg: "is not a channel of the organisation", type: "value_error" }]
      : []),
    ...(input.channel_ids ?? []).flatMap((id, index) =>
      missing.includes(id)
        ? [
            {
              loc: ["body", "channel_ids", index],
              msg: "is not a channel of the organisation",
              type: "value_error",
            },
          ]
        : [],
    ),
  ];
  return [...channelIssues, ...(input.condition ? conditionIssues(input.condition) : [])];
}

/** Returns how many more rules the org may have. Locks the org. */
export async function remainingRuleQuota(
  tx: Db,
  org_id: string,
): Promise<{ remaining: number; quotaError: AppError }> {
  const { tier } = await lockOrg(tx, org_id);
  const { rules } = tierLimits[tier];
  const remaining = Math.max(0, rules - (await countRules(tx, org_id)));
  const message = `The ${tierName(tier)} tier allows ${rules} alert rules.`;
  return { remaining, quotaError: new AppError("quota_exceeded", message) };
}

/** Maps input fields to columns; omitted fields keep their value or get the default of the database. */
function columnsOf(input: RuleUpdate) {
  const { confirmations, ...rest } = input;
  const plain = {
    channel_id: rest.channel_id,
    channel_ids: rest.channel_ids,
    agent_id: rest.agent_id,
    for_seconds: rest.for_seconds,
    resolve_after_seconds: rest.resolve_after_seconds,
    cooldown_seconds: rest.cooldown_seconds,
    renotify_seconds: rest.renotify_seconds,
    notify_on_resolve: rest.notify_on_resolve,
    no_data: rest.no_data,
    mode: rest.mode,
    message_template: rest.message_template,
    external_ref: rest.external_ref,
    is_enabled: rest.is_enabled,
    confirmations:
      confirmations === undefined || confirmations === null ? confirmations : String(confirmations),
  };
  type Plain = { [Key in keyof typeof plain]: Exclude<(typeof plain)[Key], undefined> };
  return Object.fromEntries(
    Object.entries(plain).filter(([, value]) => value !== undefined),
  ) as Partial<Plain>;
}

function toRule(row: RuleRow): Rule {
  const { phase, target_status } = row;
  return {
    id: row.id,
    name: row.name,
    contract_id: row.contract_id,
    target_id: row.target_id,
    channel_id: row.channel_id,
    channel_ids: row.channel_ids,
    agent_id: row.agent_id,
    severity: row.severity,
    condition: row.condition as Rule["condition"],
    for_seconds: row.for_seconds,
    resolve_after_seconds: row.resolve_after_seconds,
    cooldown_seconds: row.cooldown_seconds,
    renotify_seconds: row.renotify_seconds,
    notify_on_resolve: row.notify_on_resolve,
    no_data: row.no_data,
    mode: row.mode,
    confirmations: toConfirmations(row.confirmations),
    message_template: row.message_template,
    is_enabled: row.is_enabled,
    state: phase ?? (target_status === "no_data" ? "no_data" : target_status === "ok" ? "ok" : "error"),
    last_value: row.last_value,
    last_evaluated_at: row.last_value_at?.toISOString() ?? null,
    last_fired_at: row.last_fired_at === null ? null : new Date(row.last_fired_at * 1000).toISOString(),
    external_ref: row.external_ref,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function toConfirmations(text: string | null): Rule["confirmations"] {
  return text === null || text === "safe" || text === "finalized" ? text : Number(text);
}
