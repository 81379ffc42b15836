import { z } from "zod";
import { meters } from "../../meters/index.ts";
import { PolicyCondition, PolicyRuleInput, PolicySelector, PolicyTarget } from "../alerts/policies.ts";
import { conditionWith } from "../alerts/rule-condition.ts";
import { EscalationStep, RuleCreate, Severity } from "../alerts/rules.ts";
import { documentChannels, SecretName } from "../channels/channel-configs.ts";
import { ChannelCreate } from "../channels/channels.ts";
import { ChainKey } from "../contracts/chains.ts";
import { Contract, ContractCreate, LabelCreate } from "../contracts/contracts.ts";
import { TargetCreate } from "../contracts/targets.ts";
import { line } from "../primitives.ts";
import { withVariants } from "../variants.ts";

/** Far above any realistic organisation; rejects oversized input before it is processed. */
const maxItems = { channels: 1_000, contracts: 5_000, targets: 200, rules: 1_000, policies: 1_000 };

const ChannelRef = line(1, 120, "On-call");

const ruleFields = RuleCreate.omit({
  target_id: true,
  channel_id: true,
  channel_ids: true,
  escalation: true,
}).shape;

const ConfigStep = z.strictObject({
  after_seconds: EscalationStep.shape.after_seconds,
  channels: z.array(ChannelRef).min(1).max(20).describe("Channels to notify then, by reference."),
});

const ConfigCondition = conditionWith({
  target: line(1, 200, "Utilisation").describe("Another target of the contract, by its name."),
}).meta({
  id: "ConfigCondition",
  description: "A condition whose further conditions refer to targets by name.",
});
export type ConfigCondition = z.infer<typeof ConfigCondition>;

const recipients = {
  escalation: z
    .array(ConfigStep)
    .max(10)
    .optional()
    .describe("Steps until a person acknowledges, in ascending order."),
  channels: z.array(ChannelRef).max(21).optional().describe("Channels to notify, by reference."),
};

const ConfigRule = z
  .strictObject({
    ...ruleFields,
    name: line(1, 200, "Large withdrawals"),
    severity: Severity,
    condition: ConfigCondition,
    ...recipients,
  })
  .meta({
    id: "ConfigRule",
    description: "A rule, identified within its contract by `external_ref`, or by name if it has none.",
  });
export type ConfigRule = z.infer<typeof ConfigRule>;

const ConfigTarget = withVariants(
  z
    .strictObject({
      ...TargetCreate.shape,
      is_enabled: z.boolean().optional(),
      rules: z.array(ConfigRule).max(maxItems.rules).optional(),
    })
    .meta({
      id: "ConfigTarget",
      description:
        "A target, identified within its contract by type, and also by name if the contract can have several.",
    }),
  "target_type",
  meters,
);
export type ConfigTarget = z.infer<typeof ConfigTarget>;

const ConfigContract = z
  .strictObject({
    chain: ChainKey,
    address: ContractCreate.shape.address,
    label: ContractCreate.shape.label,
    category: Contract.shape.category.optional(),
    is_paused: z
      .boolean()
      .optional()
      .meta({ examples: [false] }),
    labels: z.array(LabelCreate).max(20).optional().describe("The complete set of labels."),
    targets: z.array(ConfigTarget).max(maxItems.targets).optional(),
  })
  .meta({ id: "ConfigContract", description: "A contract, identified by chain and address." });
export type ConfigContract = z.infer<typeof ConfigContract>;

const ConfigPolicy = z
  .strictObject({
    name: line(1, 200, "Ownership of treasuries"),
    selector: PolicySelector,
    target: PolicyTarget,
    rule: z.strictObject({
      ...PolicyRuleInput.omit({ channel_id: true, channel_ids: true, escalation: true }).shape,
      severity: Severity,
      condition: PolicyCondition,
      ...recipients,
    }),
    is_enabled: z.boolean().optional(),
  })
  .meta({
    id: "ConfigPolicy",
    description: "A policy, identified by name. What its rule leaves out has the default.",
  });
export type ConfigPolicy = z.infer<typeof ConfigPolicy>;

const AnyConfigChannel = z
  .strictObject({
    ref: ChannelRef.optional().describe(
      "Reference that rules use; the name, unless several channels share it.",
    ),
    name: ChannelCreate.shape.name,
    type: ChannelCreate.shape.type,
    config: z
      .record(z.string().max(100), z.unknown())
      .optional()
      .meta({
        description:
          'Config as in `POST /channels`. A secret is `{"$secret": "NAME"}` with its value under `secrets`. Without a value, ' +
          "or if the field is omitted, the stored secret is kept.",
        examples: [{ webhook_url: { $secret: "CHANNEL_ON_CALL_WEBHOOK_URL" } }],
      }),
    min_severity: Severity.optional(),
    is_enabled: z.boolean().optional(),
  })
  .meta({ id: "ConfigChannel", description: "A channel, identified by name." });
const ConfigChannel = withVariants(AnyConfigChannel, "type", documentChannels);
export type ConfigChannel = z.infer<typeof ConfigChannel>;

const sections = {
  version: z.literal(1).meta({ examples: [1] }),
  channels: z.array(ConfigChannel).max(maxItems.channels).optional(),
  contracts: z
    .array(ConfigContract)
    .max(maxItems.contracts)
    .optional()
    .describe("Contracts without the targets and rules that policies manage."),
  policies: z.array(ConfigPolicy).max(maxItems.policies).optional(),
};

export const ConfigDocument = z.strictObject(sections).meta({
  id: "ConfigDocument",
  description:
    "Contracts, targets, rules, channels and policies of an organisation, without ids and secrets.",
});
export type ConfigDocument = z.infer<typeof ConfigDocument>;

export const ConfigApply = z
  .strictObject({
    ...sections,
    secrets: z
      .record(SecretName, z.string().min(1).max(5_000))
      .optional()
      .meta({ description: "Values of the secrets, by name.", examples: [{}] }),
    prune: z
      .boolean()
      .default(false)
      .describe(
        "If true, deletes items that are missing from the lists in the document. Omitted lists are not pruned.",
      ),
  })
  .meta({ id: "ConfigApply" });
export type ConfigApply = z.infer<typeof ConfigApply>;

export const ConfigApplyQuery = z.strictObject({
  dry_run: z.boolean().default(false).describe("If true, returns the plan without changing anything."),
});

const count = z
  .int()
  .min(0)
  .meta({ examples: [0] });

export const ConfigPlan = z
  .strictObject({
    dry_run: z.boolean(),
    changes: z
      .array(
        z.strictObject({
          action: z.enum(["create", "update", "delete"]),
          kind: z.enum(["channel", "contract", "target", "rule", "policy"]),
          ref: z.string().meta({ examples: ["On-call"] }),
          fields: z.array(z.string()).meta({ examples: [["min_severity"]] }),
          values: z
            .array(
              z.strictObject({
                field: z.string().meta({ examples: ["min_severity"] }),
                before: z.unknown().describe("The stored value."),
                after: z.unknown().describe("The value that the document gives."),
              }),
            )
            .describe("Old and new values of an update; a changed secret is in `fields` only."),
        }),
      )
      .describe("Changes in the order of execution."),
    summary: z.strictObject({ create: count, update: count, delete: count, none: count }),
    errors: z
      .array(
        z.strictObject({
          loc: z.array(z.union([z.string(), z.int()])),
          msg: z.string(),
          type: z.string(),
        }),
      )
      .describe(
        "Reasons why the document cannot be applied. Only a dry run lists them; otherwise the response is a 422, or a 403 if the " +
          "only reason is read-only access to contracts.",
      )
      .meta({ examples: [[]] }),
    warnings: z
      .array(
        z.strictObject({
          loc: z.array(z.union([z.string(), z.int()])),
          msg: z.string(),
          type: z.string(),
        }),
      )
      .describe("Parts of the document that are applied and cannot work, such as an unknown target type.")
      .meta({ examples: [[]] }),
  })
  .meta({ id: "ConfigPlan", description: "Changes that applying a document makes." });
export type ConfigPlan = z.infer<typeof ConfigPlan>;
