import { AppError, InvalidRequest, type Issue } from "../../errors/app-error.ts";
import { meterOf } from "../../meters/index.ts";
import { missingChannels } from "../../store/alerts/rules.ts";
import { findTarget, listTargets, type TargetRow } from "../../store/contracts/targets.ts";
import type { Db } from "../../store/open-store.ts";
import { findAccess } from "../../store/viewer.ts";
import type { EscalationStep, RuleUpdate } from "../../wire/alerts/rules.ts";
import { readOnlyMessage } from "../access.ts";
import type { OrgCaller } from "../caller.ts";
import { viewerOf } from "../viewer-of.ts";
import type { CheckContext } from "../write-context.ts";
import { conditionIssues } from "./rule-condition.ts";
import { concernsContract, isMove, type RuleBefore, ruleIssues } from "./rule-issues.ts";
import { loadSubject, type RuleSubject } from "./rule-subject.ts";
import { withWindow } from "./unit-issues.ts";

/**
 * Validates the input of a rule. Returns its target, and the input with the window that it has by default. `before` is the rule
 * that the input changes, and `load` finds its contract. The caller must have write access to the contract.
 */
export async function requireValidTarget<Input extends RuleUpdate>(
  { app, tx, caller }: CheckContext,
  target_id: string,
  requested: Input,
  before?: RuleBefore & Recipients,
  load: LoadContract = loadContract,
) {
  const access = await findAccess(tx, viewerOf(caller), "target", target_id);
  const target = access && (await findTarget(tx, caller.org_id, target_id));
  if (access?.isEditable === false) throw new AppError("role_required", readOnlyMessage);
  const isNeeded = target !== undefined && concernsContract(requested, before);
  const { subject, siblings } = isNeeded
    ? await load({ app, tx, caller }, target.contract_id)
    : { subject: undefined, siblings: [] };
  const issues = await channelIssues(tx, caller, requested);
  const { record_only, problem } = recipientsOf(requested, before);
  if (problem) issues.push(problem);
  const input = { ...requested, ...(record_only !== undefined && { record_only }) };
  if (target) issues.push(...ruleIssues(input, { ...target, subject, siblings }, before));
  else
    issues.push(...(input.condition ? conditionIssues(input.condition, undefined) : []), {
      loc: ["body", "target_id"],
      msg: "is not a target that you can see",
      type: "value_error",
    });
  if (!target || issues.length > 0) throw new InvalidRequest(issues);
  // A rule that needed no window on its old target may need one on the new target.
  const stored = input.condition ?? (isMove(input, before) ? before?.condition : undefined);
  const condition = stored && withWindow(stored, meterOf(target.target_type), subject);
  const checked: Input = { ...input, ...(condition && condition !== before?.condition && { condition }) };
  return { target: { ...target, chain: access.chain }, checked };
}

/** Loads what rules are compared with: the contract that they are about, and its targets. */
export type LoadContract = (
  context: CheckContext,
  contract_id: string,
) => Promise<{ subject: RuleSubject | undefined; siblings: TargetRow[] }>;

async function loadContract({ app, tx, caller }: CheckContext, contract_id: string) {
  const subject = await loadSubject(app, tx, caller.org_id, contract_id);
  return { subject, siblings: await listTargets(tx, caller.org_id, contract_id) };
}

/** Loads each contract once, for many rules of contracts that do not change meanwhile. */
export function loadContractsOnce(): LoadContract {
  const loaded = new Map<string, ReturnType<LoadContract>>();
  return (context, contract_id) => {
    const loading = loaded.get(contract_id) ?? loadContract(context, contract_id);
    loaded.set(contract_id, loading);
    return loading;
  };
}

type Recipients = {
  channel_id: string | null;
  channel_ids: string[];
  escalation: readonly EscalationStep[];
  record_only: boolean;
};

/**
 * A rule notifies a channel or says that it only records. A rule that is given a channel no longer only records. A change of
 * something else does not concern the recipients.
 */
export function recipientsOf(
  input: RuleUpdate,
  before?: Recipients,
): { record_only?: boolean; problem?: Issue } {
  const given = [input.channel_id, input.channel_ids, input.escalation, input.record_only];
  if (before && given.every((field) => field === undefined)) return {};
  const steps = input.escalation ?? before?.escalation ?? [];
  const { channel_id, channel_ids } = { channel_id: null, channel_ids: [], ...before, ...defined(input) };
  const hasChannel = channel_id !== null || channel_ids.length > 0;
  if (hasChannel && input.record_only)
    return { problem: recipientIssue("cannot be true for a rule with a channel") };
  if (hasChannel) return { record_only: false };
  const isRecordOnly = input.record_only ?? before?.record_only;
  if (isRecordOnly && steps.length > 0)
    return { problem: recipientIssue("cannot be true for a rule with an escalation") };
  if (isRecordOnly) return { record_only: true };
  return { problem: recipientIssue("must be true for a rule without a channel, which notifies nobody") };
}

function defined({ channel_id, channel_ids }: RuleUpdate) {
  return { ...(channel_id !== undefined && { channel_id }), ...(channel_ids && { channel_ids }) };
}

function recipientIssue(msg: string): Issue {
  return { loc: ["body", "record_only"], msg, type: "value_error" };
}

/** Finds channels of a rule that do not exist. */
export async function channelIssues(
  tx: Db,
  caller: OrgCaller,
  { channel_id, channel_ids = [], escalation = [] }: RuleUpdate,
): Promise<Issue[]> {
  const steps = escalation.flatMap((step, at) => step.channel_ids.map((id, index) => ({ id, at, index })));
  const missing = await missingChannels(tx, caller.org_id, [
    ...(channel_id ? [channel_id] : []),
    ...channel_ids,
    ...steps.map(({ id }) => id),
  ]);
  const issue = (...loc: (string | number)[]) => ({
    loc: ["body", ...loc],
    msg: "is not a channel of the organisation",
    type: "value_error",
  });
  return [
    ...(channel_id && missing.includes(channel_id) ? [issue("channel_id")] : []),
    ...channel_ids.flatMap((id, index) => (missing.includes(id) ? [issue("channel_ids", index)] : [])),
    ...steps.flatMap(({ id, at, index }) =>
      missing.includes(id) ? [issue("escalation", at, "channel_ids", index)] : [],
    ),
  ];
}
