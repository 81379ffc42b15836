import type { App } from "../../app.ts";
import { canonicalEvent, canonicalFunction } from "../../chains/evm/abi/signature.ts";
import type { Issue } from "../../errors/app-error.ts";
import { namesIn, parseExpression } from "../../lib/expression/expression.ts";
import { listRules, type RuleRow } from "../../store/alerts/rules.ts";
import { listContractsWithUnresolvedNames } from "../../store/contracts/target-names.ts";
import { listTargets, setSupport, type TargetRow } from "../../store/contracts/targets.ts";
import { recordWatchChange } from "../../store/engine/watch.ts";
import type { Db } from "../../store/open-store.ts";
import { orgViewer } from "../../store/viewer.ts";
import { argumentNames } from "../alerts/expression-names.ts";
import { conditionIssues } from "../alerts/rule-condition.ts";
import { loadSubject, type RuleSubject } from "../alerts/rule-subject.ts";
import { systemCaller } from "../caller.ts";
import { inTransaction } from "../transaction.ts";
import { targetNameIssues } from "./target-names.ts";

type Status = Pick<TargetRow, "status" | "status_code" | "status_reason">;

/**
 * Says in the status of each target of a contract which names of it and of its rules do not resolve: the interface of the contract is
 * found after they were saved, and changes with an upgrade. The transaction must hold the lock of the contract.
 */
export async function updateNameStatus(
  tx: Db,
  { id, org_id }: { id: string; org_id: string },
): Promise<void> {
  const targets = (await listTargets(tx, org_id, id)).filter(isChecked);
  if (targets.length === 0) return;
  const subject = await loadSubject(tx, org_id, id);
  const rules = await listRules(tx, orgViewer(org_id), { contract_id: id });
  for (const target of targets) {
    const own = rules.filter(({ target_id }) => target_id === target.id);
    const status =
      targetStatus(target, subject) ?? ruleStatus(target, own, subject) ?? resolvedStatus(target);
    if (status) await setSupport(tx, org_id, target.id, status);
  }
}

/** Compares targets again with names that did not resolve: the rule or config with the name may have changed since. */
export async function recheckNames(app: App): Promise<void> {
  for (const contract of await listContractsWithUnresolvedNames(app.db)) {
    await inTransaction(app, systemCaller, async (tx) => {
      await recordWatchChange(tx, contract.chain, contract.id);
      await updateNameStatus(tx, contract);
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

/** Names in rules: the target is measured without them, and the rule never fires. */
function ruleStatus(
  { status }: TargetRow,
  rules: readonly RuleRow[],
  subject: RuleSubject | undefined,
): Status | undefined {
  const [missing] = rules.flatMap(({ name, condition }) => {
    const [issue] = conditionIssues(condition, subject);
    const names = unnamedArguments(
      [
        ...(condition.match?.events ?? []).map((clause) => ({ ...clause, parse: canonicalEvent })),
        ...(condition.match?.functions ?? []).map((clause) => ({ ...clause, parse: canonicalFunction })),
      ],
      subject,
    );
    const reason = issue ? sentence(issue) : names.length > 0 ? unnamedReason(names) : undefined;
    return reason ? [`The rule “${name}” cannot fire: ${reason}`] : [];
  });
  return missing ? { status, status_code: "unresolved_rule_names", status_reason: missing } : undefined;
}

function resolvedStatus({ status_code, last_value_at }: TargetRow): Status | undefined {
  if (!isUnresolved(status_code)) return undefined;
  return { status: last_value_at ? "ok" : "no_data", status_code: null, status_reason: null };
}

type Clause = {
  signature: string;
  expression?: string | undefined;
  parse: typeof canonicalEvent | typeof canonicalFunction;
};

function clausesOf({ event_signature, function_signature, filter, arg }: Record<string, unknown>): Clause[] {
  const expressions = [filter, arg].filter((text) => typeof text === "string");
  const of = (signature: unknown, parse: Clause["parse"]) =>
    typeof signature === "string" ? expressions.map((expression) => ({ signature, expression, parse })) : [];
  return [...of(event_signature, canonicalEvent), ...of(function_signature, canonicalFunction)];
}

/** The names of arguments that neither the signature nor a known ABI has. Positions such as `$0` always resolve. */
function unnamedArguments(clauses: readonly Clause[], subject: RuleSubject | undefined): string[] {
  return clauses.flatMap(({ signature, expression, parse }) => {
    const read = parse(signature);
    const parsed = expression === undefined ? undefined : parseExpression(expression);
    const isEvm = subject?.chain.kind === "evm";
    if (!isEvm || !read.ok || !parsed?.ok || argumentNames(read, subject)) return [];
    return namesIn(parsed.expression).filter((name) => !name.startsWith("$"));
  });
}

function unnamedReason(names: readonly string[]): string {
  return (
    `${[...new Set(names)].join(", ")} never resolved: no ABI of the contract is known, and the signature has no names. ` +
    "Write the names into the signature, use positions such as $0, or upload the ABI."
  );
}

/** An issue as a sentence, with the field that it is about. */
function sentence({ loc, msg }: Issue): string {
  const path = loc.filter((part) => part !== "body").join(".");
  return `${path} ${msg}${msg.endsWith(".") ? "" : "."}`;
}
