import { type App, newId } from "../../app.ts";
import type { RuleRow } from "../../store/alerts/rules.ts";
import type { Rule, RuleCreate, RuleUpdate } from "../../wire/alerts/rules.ts";
import type { OrgCaller } from "../caller.ts";
import { defaultRuleName } from "./default-rule-name.ts";

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
    name: input.name ?? defaultRuleName(target.name, input.condition),
    severity: input.severity,
    condition: JSON.stringify(input.condition),
    created_by: caller.user_id,
    created_at: now,
    updated_at: now,
  };
}

/** Maps input fields to columns; omitted fields keep their value or get the default of the database. */
export function columnsOf(input: RuleUpdate) {
  const { confirmations, ...fields } = input;
  const plain = {
    channel_id: fields.channel_id,
    channel_ids: fields.channel_ids,
    escalation: fields.escalation && JSON.stringify(fields.escalation),
    record_only: fields.record_only,
    agent_id: fields.agent_id,
    for_seconds: fields.for_seconds,
    resolve_after_seconds: fields.resolve_after_seconds,
    cooldown_seconds: fields.cooldown_seconds,
    renotify_seconds: fields.renotify_seconds,
    notify_on_resolve: fields.notify_on_resolve,
    no_data: fields.no_data,
    mode: fields.mode,
    message_template: fields.message_template,
    external_ref: fields.external_ref,
    is_enabled: fields.is_enabled,
    confirmations:
      confirmations === undefined || confirmations === null ? confirmations : String(confirmations),
  };
  type Plain = { [Key in keyof typeof plain]: Exclude<(typeof plain)[Key], undefined> };
  return Object.fromEntries(
    Object.entries(plain).filter(([, value]) => value !== undefined),
  ) as Partial<Plain>;
}

/** Converts a row to the wire format. */
export function toRule(row: RuleRow): Rule {
  const { phase, target_status } = row;
  return {
    id: row.id,
    name: row.name,
    contract_id: row.contract_id,
    target_id: row.target_id,
    target_type: row.target_type,
    policy_id: row.policy_id,
    channel_id: row.channel_id,
    channel_ids: row.channel_ids,
    escalation: row.escalation,
    record_only: row.record_only,
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
