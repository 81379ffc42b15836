import { z } from "zod";
import { RuleCondition, RuleCreate, Severity } from "../alerts/rules.ts";
import { ChannelCreate } from "../channels/channels.ts";
import { ChainKey, Contract, ContractCreate, LabelCreate, TargetCreate } from "../contracts/contracts.ts";
import { line } from "../primitives.ts";

/** Far above what anybody has, so that a mistake is refused before it is read. */
const most = { channels: 1_000, contracts: 5_000, targets: 200, rules: 1_000 };

const ChannelRef = line(1, 120, "On-call");

const ruleFields = RuleCreate.omit({ target_id: true, channel_id: true, channel_ids: true }).shape;

const ConfigRule = z
  .strictObject({
    ...ruleFields,
    name: line(1, 200, "Large withdrawals"),
    severity: Severity,
    condition: RuleCondition,
    channels: z.array(ChannelRef).max(21).optional().describe("The channels that it tells, by name."),
  })
  .meta({
    id: "ConfigRule",
    description: "Known within its contract by `external_ref`, or by its name where it has none.",
  });
export type ConfigRule = z.infer<typeof ConfigRule>;

const ConfigTarget = z
  .strictObject({
    ...TargetCreate.shape,
    is_enabled: z.boolean().optional(),
    rules: z.array(ConfigRule).max(most.rules).optional(),
  })
  .meta({
    id: "ConfigTarget",
    description: "Known within its contract by its type, and by its name where a contract may have several.",
  });
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
    labels: z.array(LabelCreate).max(20).optional().describe("All labels of the contract."),
    targets: z.array(ConfigTarget).max(most.targets).optional(),
  })
  .meta({ id: "ConfigContract", description: "Known by its chain and address." });
export type ConfigContract = z.infer<typeof ConfigContract>;

const SecretName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,199}$/, "must be letters, digits and _, and not begin with a digit")
  .meta({ examples: ["CHANNEL_ON_CALL_WEBHOOK_URL"] });

const ConfigChannel = z
  .strictObject({
    ref: ChannelRef.optional().describe("What rules call it; its name unless several have the same."),
    name: ChannelCreate.shape.name,
    type: ChannelCreate.shape.type,
    config: z
      .record(z.string().max(100), z.unknown())
      .optional()
      .meta({
        description:
          'As in `POST /channels`. A secret is `{"$secret": "NAME"}`, whose value is given under `secrets`; without one ' +
          "the secret that is there is kept, as it is when the field is left out.",
        examples: [{ webhook_url: { $secret: "CHANNEL_ON_CALL_WEBHOOK_URL" } }],
      }),
    min_severity: Severity.optional(),
    is_enabled: z.boolean().optional(),
  })
  .meta({ id: "ConfigChannel", description: "Known by its name." });
export type ConfigChannel = z.infer<typeof ConfigChannel>;

const sections = {
  version: z.literal(1).meta({ examples: [1] }),
  channels: z.array(ConfigChannel).max(most.channels).optional(),
  contracts: z.array(ConfigContract).max(most.contracts).optional(),
};

export const ConfigDocument = z.strictObject(sections).meta({
  id: "ConfigDocument",
  description: "What an organisation watches and tells, without ids and secrets.",
});
export type ConfigDocument = z.infer<typeof ConfigDocument>;

export const ConfigApply = z
  .strictObject({
    ...sections,
    secrets: z
      .record(SecretName, z.string().min(1).max(5_000))
      .optional()
      .meta({ description: "The values of secrets, by name.", examples: [{}] }),
    prune: z
      .boolean()
      .default(false)
      .describe("Deletes what the document's lists do not have; a list that is left out is left alone."),
  })
  .meta({ id: "ConfigApply" });
export type ConfigApply = z.infer<typeof ConfigApply>;

export const ConfigApplyQuery = z.strictObject({
  dry_run: z.boolean().default(false).describe("Says what would happen and changes nothing."),
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
          kind: z.enum(["channel", "contract", "target", "rule"]),
          ref: z.string().meta({ examples: ["On-call"] }),
          fields: z.array(z.string()).meta({ examples: [["min_severity"]] }),
        }),
      )
      .describe("In the order in which they are made."),
    summary: z.strictObject({ create: count, update: count, delete: count, none: count }),
    errors: z
      .array(
        z.strictObject({
          loc: z.array(z.union([z.string(), z.int()])),
          msg: z.string(),
          type: z.string(),
        }),
      )
      .describe("Why the document cannot be applied. A dry run lists them; without one they are a 422.")
      .meta({ examples: [[]] }),
  })
  .meta({ id: "ConfigPlan", description: "What applying a document comes to." });
export type ConfigPlan = z.infer<typeof ConfigPlan>;
