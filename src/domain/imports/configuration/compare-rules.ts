import type { RuleRow } from "../../../store/alerts/rules.ts";
import type { ConfigRule } from "../../../wire/imports/configuration.ts";
import { changedOf, type Work } from "./change-log.ts";
import { matchExisting } from "./match-existing.ts";
import { toConfigRule } from "./to-document.ts";

const fieldNames = [
  "name",
  "severity",
  "condition",
  "channels",
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
export function makeRuleComparison({ state }: Work) {
  const refs = new Map([...state.channels].map(([ref, { id }]) => [id, ref]));
  const shown = (row: RuleRow) => toConfigRule(row, (id) => refs.get(id));
  const changes = (wanted: ConfigRule, row: RuleRow) =>
    changedOf(withWindowOf(row, wanted), shown(row), fieldNames);
  const isUnchanged = (wanted: ConfigRule, row: RuleRow) =>
    mayBeRule(wanted, row) && changes(wanted, row).length === 0;
  return {
    shown,
    /** The names of the fields that differ. */
    changes,
    /** True if all rules exist unchanged. */
    hasAll: (wanted: readonly ConfigRule[], rows: readonly RuleRow[]) =>
      wanted.length === 0 || matchExisting(wanted, rows, isUnchanged, [() => true]).size === wanted.length,
  };
}

/** A condition without a window keeps the one that the rule has. */
export function withWindowOf({ condition: { window_seconds } }: RuleRow, wanted: ConfigRule): ConfigRule {
  if (wanted.condition.window_seconds !== undefined || window_seconds === undefined) return wanted;
  return { ...wanted, condition: { ...wanted.condition, window_seconds } };
}

/** A rule is identified by its external reference, or by name if it has none. */
export function mayBeRule({ external_ref, name }: ConfigRule, row: RuleRow): boolean {
  if (typeof external_ref === "string") return row.external_ref === external_ref;
  return row.name === name && (external_ref === undefined || row.external_ref === null);
}
