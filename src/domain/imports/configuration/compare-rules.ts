import type { RuleRow } from "../../../store/alerts/rules.ts";
import type { ConfigRule } from "../../../wire/imports/configuration.ts";
import { changedOf, type Work } from "./change-log.ts";
import { pairUp } from "./match-existing.ts";
import { showRule } from "./to-document.ts";

const fieldNames = [
  "name",
  "severity",
  "condition",
  "channels",
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

/** How rules of the document compare with those that are there. */
export function makeRuleComparison({ state }: Work) {
  const refs = new Map([...state.channels].map(([ref, { id }]) => [id, ref]));
  const shown = (row: RuleRow) => showRule(row, (id) => refs.get(id));
  const changes = (wanted: ConfigRule, row: RuleRow) => changedOf(wanted, shown(row), fieldNames);
  const isAsWanted = (wanted: ConfigRule, row: RuleRow) =>
    mayBeRule(wanted, row) && changes(wanted, row).length === 0;
  return {
    shown,
    /** The fields that the document has otherwise. */
    changes,
    /** Whether rules are all there, just as they are wanted. */
    hasAll: (wanted: readonly ConfigRule[], rows: readonly RuleRow[]) =>
      wanted.length === 0 || pairUp(wanted, rows, isAsWanted, [() => true]).size === wanted.length,
  };
}

/** A rule is known by the reference that it has, or by its name. */
export function mayBeRule({ external_ref, name }: ConfigRule, row: RuleRow): boolean {
  if (typeof external_ref === "string") return row.external_ref === external_ref;
  return row.name === name && (external_ref === undefined || row.external_ref === null);
}
