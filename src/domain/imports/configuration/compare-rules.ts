import type { ConfigRule } from "../../../wire/imports/configuration.ts";
import { changedOf } from "./changed-fields.ts";

/** A stored rule in the form of a document, with all fields. */
export type ShownRule = Required<ConfigRule>;

const fieldNames = [
  "name",
  "severity",
  "condition",
  "channels",
  "escalation",
  "record_only",
  "agent_id",
  "for_seconds",
  "resolve_after_seconds",
  "cooldown_seconds",
  "renotify_seconds",
  "notify_on_resolve",
  "no_data",
  "mode",
  "confirmations",
  "message_template",
  "is_enabled",
] as const;

/** Returns the names of the fields in which a rule of the document differs from a stored one. */
export function changesOfRule(wanted: ConfigRule, shown: ShownRule): (typeof fieldNames)[number][] {
  return changedOf({ ...wanted, condition: withWindowOf(shown, wanted.condition) }, shown, fieldNames);
}

/** Rules that `mayBeRule` accepts share one of these keys. */
export function wantedRuleKey({ external_ref, name }: ConfigRule): string {
  return typeof external_ref === "string" ? `ref ${external_ref}` : `name ${name}`;
}

export function ruleKeys({ external_ref, name }: Pick<ShownRule, "external_ref" | "name">): string[] {
  return [`name ${name}`, ...(external_ref === null ? [] : [`ref ${external_ref}`])];
}

type Windowed = { window_seconds?: number | undefined };

/** A condition without a window keeps the one that the rule has. */
export function withWindowOf<Condition extends Windowed>(
  { condition: { window_seconds } }: { condition: Windowed },
  wanted: Condition,
): Condition {
  if (wanted.window_seconds !== undefined || window_seconds === undefined) return wanted;
  return { ...wanted, window_seconds };
}

/** A rule is identified by its external reference, or by name if it has none. */
export function mayBeRule({ external_ref, name }: ConfigRule, shown: ShownRule): boolean {
  if (typeof external_ref === "string") return shown.external_ref === external_ref;
  return shown.name === name && (external_ref === undefined || shown.external_ref === null);
}
