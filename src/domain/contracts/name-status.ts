import type { App } from "../../app.ts";
import { canonicalEvent, canonicalFunction } from "../../chains/evm/abi/signature.ts";
import { listRules, type RuleRow } from "../../store/alerts/rules.ts";
import { isInspected, listContractsWithUnresolvedNames } from "../../store/contracts/target-names.ts";
import { listTargets, setSupport, type TargetRow } from "../../store/contracts/targets.ts";
import { recordWatchChange } from "../../store/engine/watch.ts";
import type { Db } from "../../store/open-store.ts";
import { orgViewer } from "../../store/viewer.ts";
import { loadSubject, type RuleSubject } from "../alerts/rule-subject.ts";
import { systemCaller } from "../caller.ts";
import { inTransaction } from "../transaction.ts";
import { hasRuleNames, type MaybeNamed, ruleNameProblem } from "./rule-names.ts";
import { hasNames, targetNameIssues } from "./target-names.ts";
import { type Clause, sentence, unnamedArguments, unnamedReason } from "./unnamed-arguments.ts";

type Status = Pick<TargetRow, "status" | "status_code" | "status_reason">;

/**
 * Says in the status of each target of a contract which names of it and of its rules do not resolve: the interface of the
 * contract is found after they were saved, and changes with an upgrade. The transaction must hold the lock of the contract.
 */
export async function updateNameStatus(
  app: App,
  tx: Db,
  { id, org_id }: { id: string; org_id: string },
): Promise<void> {
  const targets = (await listTargets(tx, org_id, id)).filter(isChecked);
  if (targets.length === 0) return;
  const subject = await loadSubject(app, tx, org_id, id);
  const rules = await listRules(tx, orgViewer(org_id), { contract_id: id });
  for (const target of targets) {
    const rulesOfTarget = rules.filter(({ target_id }) => target_id === target.id);
    const status =
      targetStatus(target, subject) ?? ruleStatus(target, rulesOfTarget, subject) ?? resolvedStatus(target);
    if (status) await setSupport(tx, org_id, target.id, status);
  }
}

/** What was saved: the config of a target, or rules before and after. */
type Saved = { config?: Record<string, unknown>; rules?: readonly MaybeNamed[] };

/**
 * Updates the status after a target or rules of a contract were saved. The transaction must hold the lock of the contract.
 * Before the first inspection nothing is known of the names; it looks at them itself.
 */
export async function updateSavedNames(
  app: App,
  tx: Db,
  contract: { id: string; org_id: string },
  saved: Saved | "anything",
): Promise<void> {
  if (saved !== "anything" && !hasNames(saved.config ?? {}) && !saved.rules?.some(hasRuleNames)) return;
  if (await isInspected(tx, contract.id)) await updateNameStatus(app, tx, contract);
}

/** Compares targets again with names that did not resolve: the rule or config with the name may have changed since. */
export async function recheckNames(app: App): Promise<void> {
  for (const contract of await listContractsWithUnresolvedNames(app.db)) {
    await inTransaction(app, systemCaller, async (tx) => {
      await recordWatchChange(tx, contract.chain, contract.id);
      await updateNameStatus(app, tx, contract);
    });
  }
}

/** A problem of another kind is more urgent. */
function isChecked({ status_code }: TargetRow): boolean {
  return status_code === null || isUnresolved(status_code);
}

function isUnresolved(code: string | null): boolean {
  return code === "unresolved_names" || code === "unresolved_rule_names";
}

/** Names in the config: nothing can be measured without them. */
function targetStatus(
  { config, last_value_at }: TargetRow,
  subject: RuleSubject | undefined,
): Status | undefined {
  const [missing] = targetNameIssues(config, subject, []).map(sentence);
  if (missing) return { status: "error", status_code: "unresolved_names", status_reason: missing };
  // With a reading, the name has resolved.
  const names = last_value_at ? [] : unnamedArguments(clausesOf(config), subject);
  if (names.length === 0) return undefined;
  return { status: "no_data", status_code: "unresolved_names", status_reason: unnamedReason(names) };
}

/** Names in rules: the target is measured without them. */
function ruleStatus(
  target: TargetRow,
  rules: readonly RuleRow[],
  subject: RuleSubject | undefined,
): Status | undefined {
  const [missing] = rules.flatMap((rule) => ruleNameProblem(rule, target, subject) ?? []);
  return missing
    ? { status: target.status, status_code: "unresolved_rule_names", status_reason: missing }
    : undefined;
}

function resolvedStatus({ status_code, last_value_at }: TargetRow): Status | undefined {
  if (!isUnresolved(status_code)) return undefined;
  return { status: last_value_at ? "ok" : "no_data", status_code: null, status_reason: null };
}

function clausesOf({ event_signature, function_signature, filter, arg }: Record<string, unknown>): Clause[] {
  const expressions = [filter, arg].filter((text) => typeof text === "string");
  const of = (signature: unknown, parse: Clause["parse"]) =>
    typeof signature === "string" ? expressions.map((expression) => ({ signature, expression, parse })) : [];
  return [...of(event_signature, canonicalEvent), ...of(function_signature, canonicalFunction)];
}
