import { AppError, InvalidRequest, type Issue } from "../../errors/app-error.ts";
import { meterOf } from "../../meters/index.ts";
import { missingChannels } from "../../store/alerts/rules.ts";
import { findTarget } from "../../store/contracts/targets.ts";
import type { Db } from "../../store/open-store.ts";
import { findAccess } from "../../store/viewer.ts";
import type { RuleUpdate } from "../../wire/alerts/rules.ts";
import { readOnlyMessage } from "../access.ts";
import type { OrgCaller } from "../caller.ts";
import { viewerOf } from "../viewer-of.ts";
import { type NamingContext, namingContext } from "./expression-names.ts";
import { conditionIssues } from "./rule-condition.ts";
import { type Timing, timingIssues } from "./timing-issues.ts";

/**
 * Validates the input of a rule and returns its target. `before` is the rule that the input changes. The caller must have
 * write access to the contract.
 */
export async function requireValidTarget(
  tx: Db,
  caller: OrgCaller,
  target_id: string,
  input: RuleUpdate,
  before?: Timing,
) {
  const access = await findAccess(tx, viewerOf(caller), "target", target_id);
  const target = access && (await findTarget(tx, caller.org_id, target_id));
  if (access?.isEditable === false) throw new AppError("role_required", readOnlyMessage);
  const context =
    target && input.condition?.match && (await namingContext(tx, caller.org_id, target.contract_id));
  const issues = await ruleIssues(tx, caller, input, context);
  if (target) issues.push(...timingIssues({ ...before, ...input }, meterOf(target.target_type)));
  if (!target)
    issues.push({ loc: ["body", "target_id"], msg: "is not a target that you can see", type: "value_error" });
  if (!target || issues.length > 0) throw new InvalidRequest(issues);
  return { ...target, chain: access.chain };
}

async function ruleIssues(
  tx: Db,
  caller: OrgCaller,
  input: RuleUpdate,
  context: NamingContext | undefined,
): Promise<Issue[]> {
  const channel_ids = [...(input.channel_id ? [input.channel_id] : []), ...(input.channel_ids ?? [])];
  const missing = await missingChannels(tx, caller.org_id, channel_ids);
  const channelIssues: Issue[] = [
    ...(input.channel_id && missing.includes(input.channel_id)
      ? [{ loc: ["body", "channel_id"], msg: "is not a channel of the organisation", type: "value_error" }]
      : []),
    ...(input.channel_ids ?? []).flatMap((id, index) =>
      missing.includes(id)
        ? [
            {
              loc: ["body", "channel_ids", index],
              msg: "is not a channel of the organisation",
              type: "value_error",
            },
          ]
        : [],
    ),
  ];
  return [...channelIssues, ...(input.condition ? conditionIssues(input.condition, context) : [])];
}
