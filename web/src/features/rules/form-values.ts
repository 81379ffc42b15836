import type { Rule } from "@/queries/alerts.ts";
import {
  type ConditionForm,
  emptyComparison,
  emptyMatch,
  newKey,
  numberAt,
  textOf,
  toCondition,
  toConditionForm,
} from "./condition-values.ts";

/** A step of the escalation; its time is in minutes. */
export type StepForm = { key: number; minutes: string; channel_ids: string[] };

/** The values of the rule editor. Numbers are texts while they are typed. */
export type RuleForm = ConditionForm & {
  name: string;
  target_id: string;
  severity: Rule["severity"];
  channel_ids: string[];
  escalation: StepForm[];
  for_seconds: string;
  resolve_after_seconds: string;
  cooldown_seconds: string;
  renotify_seconds: string;
  notify_on_resolve: boolean;
  no_data: Rule["no_data"];
  mode: Rule["mode"];
  message_template: string;
};

export const emptyForm: RuleForm = {
  ...emptyComparison,
  match: emptyMatch,
  group_by: "",
  combines: "all",
  others: [],
  name: "",
  target_id: "",
  severity: "warning",
  channel_ids: [],
  escalation: [],
  for_seconds: "0",
  resolve_after_seconds: "0",
  cooldown_seconds: "0",
  renotify_seconds: "",
  notify_on_resolve: true,
  no_data: "ignore",
  mode: "live",
  message_template: "",
};

/** What the editor shows of a rule; the rule of a policy has it too. */
type RuleValues = Pick<Rule, Exclude<keyof RuleForm & keyof Rule, "condition">> &
  Pick<Rule, "channel_id" | "condition">;

export function toForm(rule: RuleValues): RuleForm {
  const { channel_id, channel_ids } = rule;
  return {
    ...toConditionForm(rule.condition),
    name: rule.name,
    target_id: rule.target_id,
    severity: rule.severity,
    channel_ids: [...new Set([...(channel_id ? [channel_id] : []), ...channel_ids])],
    escalation: rule.escalation.map((step) => ({
      key: newKey(),
      minutes: String(step.after_seconds / 60),
      channel_ids: step.channel_ids,
    })),
    for_seconds: textOf(rule.for_seconds),
    resolve_after_seconds: textOf(rule.resolve_after_seconds),
    cooldown_seconds: textOf(rule.cooldown_seconds),
    renotify_seconds: textOf(rule.renotify_seconds),
    notify_on_resolve: rule.notify_on_resolve,
    no_data: rule.no_data,
    mode: rule.mode,
    message_template: rule.message_template ?? "",
  };
}

/** The body of a creation or a change. The first channel is the main one; without a channel the rule only records. */
export function toBody(form: RuleForm) {
  const [channel_id = null, ...channel_ids] = form.channel_ids;
  return {
    ...(form.name.trim() && { name: form.name.trim() }),
    target_id: form.target_id,
    severity: form.severity,
    condition: toCondition(form),
    channel_id,
    channel_ids,
    record_only: channel_id === null,
    escalation: form.escalation.map(({ minutes, channel_ids: ids }) => ({
      // What is no number is rejected by the service, at this field.
      after_seconds: Math.round(Number(minutes.trim() || "0") * 60) || 0,
      channel_ids: ids,
    })),
    ...numberAt("for_seconds", form.for_seconds),
    ...numberAt("resolve_after_seconds", form.resolve_after_seconds),
    ...numberAt("cooldown_seconds", form.cooldown_seconds),
    renotify_seconds: form.renotify_seconds.trim() === "" ? null : Number(form.renotify_seconds),
    notify_on_resolve: form.notify_on_resolve,
    no_data: form.no_data,
    mode: form.mode,
    message_template: form.message_template.trim() || null,
  };
}
