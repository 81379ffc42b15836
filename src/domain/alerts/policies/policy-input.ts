import { emptyAbi } from "../../../chains/evm/abi/abi.ts";
import { chainOf, chains } from "../../../chains/index.ts";
import { InvalidRequest, type Issue } from "../../../errors/app-error.ts";
import { suggestNames } from "../../../lib/expression/nearest-name.ts";
import { meterOf } from "../../../meters/index.ts";
import type { Meter } from "../../../meters/meter.ts";
import { pollingSecondsOf } from "../../../pipeline/index.ts";
import type { Db } from "../../../store/open-store.ts";
import type { OrgRow } from "../../../store/orgs/orgs.ts";
import type {
  PolicyCreate,
  PolicyRule,
  PolicyRuleInput,
  PolicyTarget,
} from "../../../wire/alerts/policies.ts";
import type { OrgCaller } from "../../caller.ts";
import { supportOn, targetIssues, unknownTypeReason } from "../../contracts/target-config.ts";
import { targetNameIssues } from "../../contracts/target-names.ts";
import { channelIssues, recipientsOf } from "../rule-input.ts";
import { ruleIssues } from "../rule-issues.ts";
import type { RuleSubject } from "../rule-subject.ts";

type Definition = Pick<PolicyCreate, "selector" | "target" | "rule">;

/**
 * Validates the definition of a policy as far as that is possible without a contract. Returns its target with the defaults of the
 * config, and its rule with every field. `loc` is its location in the request.
 */
export async function checkDefinition(
  tx: Db,
  caller: OrgCaller,
  org: OrgRow,
  { selector, target, rule }: Definition,
  loc: Issue["loc"] = ["body"],
): Promise<{ target: PolicyTarget; rule: PolicyRule }> {
  const meter = meterOf(target.target_type);
  const { record_only, problem } = recipientsOf(rule);
  const subject = subjectFor(org, meter);
  const config = meter?.config.safeParse(target.config ?? {});
  const onTarget = { target_type: target.target_type, config: config?.data ?? {}, subject, siblings: [] };
  const issues = [
    ...chainIssues(selector.chains),
    ...configIssues(target, meter, subject),
    ...[
      ...(await channelIssues(tx, caller, rule)),
      ...(problem ? [problem] : []),
      ...ruleIssues(rule, onTarget),
    ].map((issue) => ({ ...issue, loc: ["body", "rule", ...issue.loc.slice(1)] })),
  ].map((issue) => ({ ...issue, loc: [...loc, ...issue.loc.slice(1)] }));
  if (issues.length > 0) throw new InvalidRequest(issues);
  const { target_type } = target;
  return {
    target: { target_type, ...(target.config && config?.success && { config: config.data }) },
    rule: completeRule(rule, record_only ?? false),
  };
}

/** What is known of every contract: nothing but the interval of its readings, and the family if the type exists on one only. */
function subjectFor(org: OrgRow, meter: Meter | undefined): RuleSubject {
  return {
    chain: { kind: meter?.families.includes("solana") ? "solana" : "evm" },
    abi: emptyAbi,
    events: undefined,
    functions: undefined,
    pollingSeconds: pollingSecondsOf(org),
  };
}

function chainIssues(keys: readonly string[] = []): Issue[] {
  const chainNames = chains.map(({ chain }) => chain);
  return keys.flatMap((key, index) => {
    if (chainOf(key)) return [];
    const msg = `is ${key}, which is not a chain; ${suggestNames(key, chainNames, "chains")}`;
    return [{ loc: ["body", "selector", "chains", index], msg, type: "value_error" }];
  });
}

/** An unknown type would be unsupported on every contract, and so would a config that no chain family supports. */
function configIssues(target: PolicyTarget, meter: Meter | undefined, subject: RuleSubject): Issue[] {
  const issuesAt = (field: string, msg: string): Issue[] => [
    { loc: ["body", "target", field], msg, type: "value_error" },
  ];
  if (!meter) return issuesAt("target_type", unknownTypeReason(target.target_type));
  const issues = targetIssues(target, ["body", "target"]);
  if (issues.length > 0) return issues;
  const config = meter.config.parse(target.config ?? {});
  const support = meter.families.map((kind) => supportOn(kind, target.target_type, config));
  const [first] = support;
  if (first?.status_reason && support.every(({ status }) => status === "unsupported"))
    return issuesAt("config", first.status_reason);
  return targetNameIssues(config, subject, ["body", "target"]);
}

function completeRule(rule: PolicyRuleInput, record_only: boolean): PolicyRule {
  return {
    name: rule.name ?? null,
    severity: rule.severity,
    condition: rule.condition,
    channel_id: rule.channel_id ?? null,
    channel_ids: rule.channel_ids ?? [],
    escalation: rule.escalation ?? [],
    record_only,
    agent_id: rule.agent_id ?? null,
    for_seconds: rule.for_seconds ?? 0,
    resolve_after_seconds: rule.resolve_after_seconds ?? 0,
    cooldown_seconds: rule.cooldown_seconds ?? 300,
    renotify_seconds: rule.renotify_seconds ?? null,
    notify_on_resolve: rule.notify_on_resolve ?? true,
    no_data: rule.no_data ?? "ignore",
    mode: rule.mode ?? "live",
    confirmations: rule.confirmations ?? null,
    message_template: rule.message_template ?? null,
  };
}

/** Returns a stored rule as input. */
export function toRuleInput({ name, ...rule }: PolicyRule): PolicyRuleInput {
  return { ...rule, ...(name !== null && { name }) };
}
