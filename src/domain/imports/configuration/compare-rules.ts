import type { RuleRow } from "../../../store/alerts/rules.ts";
import type { ConfigRule } from "../../../wire/imports/configuration.ts";
import { changedOf, type Work } from "./change-log.ts";
import { matchExisting } from "./match-existing.ts";
import { targetNames } from "./other-targets.ts";
import { toConfigRule } from "./to-document.ts";

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

/** Returns functions that compare rules of the document with existing rules. */
export function makeRuleComparison({ state, effort }: Work) {
  const refs = new Map([...state.channels].map(([ref, { id }]) => [id, ref]));
  const names = targetNames(state);
  const shown = (row: RuleRow) =>
    toConfigRule(
      row,
      (id) => refs.get(id),
      (id) => names.get(id),
    );
  const changes = (wanted: ConfigRule, row: RuleRow) =>
    changedOf({ ...wanted, condition: withWindowOf(row, wanted.condition) }, shown(row), fieldNames);
  const isUnchanged = (wanted: ConfigRule, row: RuleRow) =>
    mayBeRule(wanted, row) && changes(wanted, row).length === 0;
  return {
    shown,
    /** The names of the fields that differ. */
    changes,
    /** True if all rules exist unchanged. */
    async hasAll(wanted: readonly ConfigRule[], rows: readonly RuleRow[]): Promise<boolean> {
      if (wanted.length > rows.length) return false;
      const matching = { keyOf: wantedRuleKey, keysOf: ruleKeys, mayBe: isUnchanged, criteria: [() => true] };
      return (await matchExisting(wanted, rows, matching, effort)).size === wanted.length;
    },
  };
}

/** Rules that `mayBeRule` accepts share one of these keys. */
export function wantedRuleKey({ external_ref, name }: ConfigRule): string {
  return typeof external_ref === "string" ? `ref ${external_ref}` : `name ${name}`;
}

export function ruleKeys({ external_ref, name }: RuleRow): string[] {
  return [`name ${name}`, ...(external_ref === null ? [] : [`ref ${external_ref}`])];
}

/** A condition without a window keeps the one that the rule has. */
export function withWindowOf<Condition extends { window_seconds?: number | undefined }>(
  { condition: { window_seconds } }: RuleRow,
  wanted: Condition,
): Condition {
  if (wanted.window_seconds !== undefined || window_seconds === undefined) return wanted;
  return { ...wanted, window_seconds };
}

/** A rule is identified by its external reference, or by name if it has none. */
export function mayBeRule({ external_ref, name }: ConfigRule, row: RuleRow): boolean {
  if (typeof external_ref === "string") return row.external_ref === external_ref;
  return row.name === name && (external_ref === undefined || row.external_ref === null);
}
