import { z } from "zod";
import { ChainKey } from "../contracts/chains.ts";
import { Contract } from "../contracts/contracts.ts";
import { SelectedTarget, TargetCreate } from "../contracts/targets.ts";
import { Id, line, Timestamp } from "../primitives.ts";
import { RuleCondition } from "./rule-condition.ts";
import { Rule, RuleCreate } from "./rules.ts";

const contractTypes = [
  ...["wallet", "erc20", "erc721", "erc1155", "proxy", "oracle_feed", "bridge_oapp", "bridge", "governor"],
  ...["timelock", "lending_pool", "dex_pool", "safe", "vault", "access_manager", "program", "unknown"],
];

/** A list of which a contract must have one; an empty list would match nothing. */
function oneOf<Item extends z.ZodType>(item: Item, max: number) {
  return z
    .array(item)
    .max(max)
    .refine((list) => list.length > 0, "must not be empty; leave it out to match every contract")
    .optional();
}

export const PolicySelector = z
  .strictObject({
    labels: oneOf(line(1, 101, "treasury"), 20).describe(
      "Labels that the contract must all have: values, or `key:value`, regardless of case.",
    ),
    chains: oneOf(ChainKey, 100).describe("Chain keys. The contract must be on one of these chains."),
    categories: oneOf(Contract.shape.category, 20).describe(
      "Categories. The contract must have one of them.",
    ),
    contract_types: oneOf(z.enum(contractTypes).meta({ examples: ["erc20"] }), 20).describe(
      "Contract types. The contract must have one of them.",
    ),
  })
  .meta({
    id: "PolicySelector",
    description: "Contracts that match every given field. `{}` matches all contracts.",
    examples: [{ labels: ["treasury"], chains: ["ethereum"] }],
  });
export type PolicySelector = z.infer<typeof PolicySelector>;

/** Says of each condition on other targets why a policy cannot have it. */
function rejectOthers(
  condition: { all?: unknown; any?: unknown },
  context: { addIssue(issue: { code: "custom"; path: string[]; message: string }): void },
): void {
  const message =
    "cannot be used in a policy: its conditions are on targets of one contract; create a rule on that contract";
  for (const field of ["all", "any"] as const)
    if (condition[field] !== undefined) context.addIssue({ code: "custom", path: [field], message });
}

export const PolicyCondition = RuleCondition.superRefine(rejectOthers).meta({
  id: "PolicyCondition",
  description: "A condition of a policy, which cannot have `all` or `any`.",
});

export const PolicyTarget = z
  .strictObject({
    target_type: TargetCreate.shape.target_type,
    config: TargetCreate.shape.config.describe(
      "Config of the target. Without it, a type of which a contract has only one target is used as it is.",
    ),
  })
  .meta({ id: "PolicyTarget", examples: [{ target_type: "tx_rate" }] });
export type PolicyTarget = z.infer<typeof PolicyTarget>;

const perContract = { target_id: true, external_ref: true, is_enabled: true, condition: true } as const;

/** The rule of a policy. What is left out has its default, also in an update. */
export const PolicyRuleInput = z
  .strictObject({ ...RuleCreate.omit(perContract).shape, condition: PolicyCondition })
  .meta({
    id: "PolicyRuleInput",
    examples: [{ severity: "critical", condition: { operator: "gt", threshold: 100 }, record_only: true }],
  });
export type PolicyRuleInput = z.infer<typeof PolicyRuleInput>;

/** The rule of a policy with every field. */
export const PolicyRule = z
  .strictObject({
    name: z
      .string()
      .nullable()
      .describe("Name of the rules; null for the name of the policy.")
      .meta({ examples: [null] }),
    ...Rule.pick({
      ...{ channel_id: true, channel_ids: true, escalation: true, record_only: true, agent_id: true },
      ...{ severity: true, for_seconds: true, resolve_after_seconds: true, cooldown_seconds: true },
      ...{ renotify_seconds: true, notify_on_resolve: true, no_data: true, mode: true },
      ...{ confirmations: true, message_template: true },
    }).shape,
    condition: RuleCondition,
  })
  .meta({ id: "PolicyRule", description: "The rule that a policy keeps on each of its contracts." });
export type PolicyRule = z.infer<typeof PolicyRule>;

const count = z
  .int()
  .min(0)
  .meta({ examples: [12] });

const PolicyFailure = z.strictObject({
  contract_id: Id,
  chain: ChainKey,
  address: Contract.shape.address,
  label: Contract.shape.label,
  code: z
    .enum(["rule_quota_exceeded", "target_quota_exceeded", "target_conflict", "unsupported", "invalid"])
    .meta({ examples: ["rule_quota_exceeded"] }),
  reason: z.string().meta({ examples: ["The Free tier allows 10 alert rules."] }),
});
export type PolicyFailure = z.infer<typeof PolicyFailure>;

const PolicyProgress = z
  .strictObject({
    matched: count.describe("Contracts that the policy is for."),
    applied: count.describe("Contracts that have its rule."),
    failed: count.describe("Contracts that cannot have its rule."),
    pending: count.describe("Contracts on which its rule still has to be added, changed or removed."),
    failures: z.array(PolicyFailure).max(20).describe("The first 20 contracts that failed, and why."),
  })
  .meta({
    id: "PolicyProgress",
    description: "How far the policy is applied, over the contracts that the caller can see.",
    examples: [{ matched: 12, applied: 12, failed: 0, pending: 0, failures: [] }],
  });

export const Policy = z
  .strictObject({
    id: Id,
    name: z.string().meta({ examples: ["Ownership of treasuries"] }),
    selector: PolicySelector,
    target: PolicyTarget,
    rule: PolicyRule,
    is_enabled: z.boolean().describe("A disabled policy has no rules."),
    status: z.enum(["applied", "applying", "incomplete", "disabled"]).meta({
      description:
        "`applying`: contracts are pending; `incomplete`: contracts failed; `applied`: every contract has the rule.",
      examples: ["applied"],
    }),
    status_reason: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    progress: PolicyProgress,
    created_by: Id.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({
    id: "Policy",
    description:
      "A target and a rule that are kept on every contract that a selector matches, now and later.",
  });
export type Policy = z.infer<typeof Policy>;

const name = line(1, 200, "Ownership of treasuries");

export const PolicyCreate = z
  .strictObject({
    name,
    selector: PolicySelector,
    target: SelectedTarget,
    rule: PolicyRuleInput,
    is_enabled: z.boolean().optional(),
  })
  .meta({
    id: "PolicyCreate",
    description:
      "Without a config of the target, a type of which a contract has only one target is used as it is.",
    examples: [
      {
        name: "Ownership of treasuries",
        selector: { labels: ["treasury"] },
        target: { target_type: "ownership_change" },
        rule: { severity: "critical", condition: { operator: "gte", threshold: 1 }, record_only: true },
      },
    ],
  });
export type PolicyCreate = z.infer<typeof PolicyCreate>;

export const PolicyUpdate = z
  .strictObject(PolicyCreate.partial().shape)
  .refine((update) => Object.keys(update).length > 0, "must change at least one field")
  .meta({
    id: "PolicyUpdate",
    description: "The given fields replace those of the policy; `selector`, `target` and `rule` as a whole.",
    examples: [{ is_enabled: false }],
  });
export type PolicyUpdate = z.infer<typeof PolicyUpdate>;
