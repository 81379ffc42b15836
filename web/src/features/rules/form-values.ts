import type { Condition, Rule } from "@/queries/alerts.ts";
import { hasTwoThresholds, isWithoutThreshold } from "./sentence.ts";

/** The values of the rule editor. Numbers are texts while they are typed. */
export type RuleForm = {
  name: string;
  target_id: string;
  operator: Condition["operator"];
  threshold: string;
  threshold_high: string;
  aggregation: NonNullable<Condition["aggregation"]> | "";
  window_seconds: string;
  match: Condition["match"];
  severity: Rule["severity"];
  channel_ids: string[];
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
  name: "",
  target_id: "",
  operator: "gte",
  threshold: "1",
  threshold_high: "",
  aggregation: "",
  window_seconds: "300",
  match: undefined,
  severity: "warning",
  channel_ids: [],
  for_seconds: "0",
  resolve_after_seconds: "0",
  cooldown_seconds: "0",
  renotify_seconds: "",
  notify_on_resolve: true,
  no_data: "ignore",
  mode: "live",
  message_template: "",
};

export function toForm(rule: Rule): RuleForm {
  const { condition, channel_id, channel_ids } = rule;
  return {
    name: rule.name,
    target_id: rule.target_id,
    operator: condition.operator,
    threshold: textOf(condition.threshold),
    threshold_high: textOf(condition.threshold_high),
    aggregation: condition.aggregation ?? "",
    window_seconds: textOf(condition.window_seconds),
    match: condition.match,
    severity: rule.severity,
    channel_ids: [...new Set([...(channel_id ? [channel_id] : []), ...channel_ids])],
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

/** The condition as the API expects it. A text that is no number is left out, and the service names the missing field. */
export function toCondition(form: RuleForm): Condition {
  const { operator, aggregation, match } = form;
  return {
    operator,
    ...(!isWithoutThreshold(operator) && numberAt("threshold", form.threshold)),
    ...(hasTwoThresholds(operator) && numberAt("threshold_high", form.threshold_high)),
    ...(aggregation !== "" && { aggregation }),
    ...(aggregation !== "each" && numberAt("window_seconds", form.window_seconds)),
    ...(match && { match }),
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

function numberAt<Name extends string>(name: Name, text: string): { [Key in Name]?: number } {
  const value = Number(text);
  return (text.trim() === "" || Number.isNaN(value) ? {} : { [name]: value }) as { [Key in Name]?: number };
}

function textOf(value: number | null | undefined): string {
  return value === null || value === undefined ? "" : String(value);
}
