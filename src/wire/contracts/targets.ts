import { z } from "zod";
import { meters } from "../../meters/index.ts";
import {
  areDefinitionsShort,
  definitionsTooLong,
  definitionTooLong,
  isDefinitionShort,
} from "../definition-length.ts";
import { Id, line, PolicyId, Timestamp } from "../primitives.ts";
import { anyConfigOf, describeAs, withVariants } from "../variants.ts";
import { TargetNeeds } from "./target-types.ts";

export const TargetType = line(1, 100, "tx_rate").meta({
  description: "Target type. An unknown type is stored and reported as `unsupported`.",
  examples: ["tx_rate"],
});

export const TargetConfig = z
  .record(z.string().max(100), z.unknown())
  .refine(isDefinitionShort, definitionTooLong)
  .meta({ description: "Config fields of the target type.", examples: [{ direction: "to" }] });

const AnyTarget = z
  .strictObject({
    id: Id,
    contract_id: Id,
    policy_id: PolicyId,
    target_type: TargetType,
    name: z.string().meta({ examples: ["Transactions"] }),
    config: TargetConfig,
    unit: z
      .string()
      .nullable()
      .meta({ examples: ["transactions"] }),
    needs: TargetNeeds.meta({
      description:
        "What the target makes the engine read of its chain. `transactions`, `receipts` and `traces` need whole blocks, which cost the " +
        "most calls to the nodes",
      examples: [["transactions", "receipts"]],
    }),
    is_enabled: z.boolean(),
    status: z.enum(["ok", "no_data", "error", "unsupported"]),
    status_reason: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    last_value: z
      .number()
      .nullable()
      .meta({ examples: [12] }),
    last_value_exact: z
      .string()
      .nullable()
      .meta({
        description:
          "The last value as a decimal string if it is an integer beyond 2^53, which a number cannot hold exactly; otherwise null.",
        examples: [null],
      }),
    last_value_at: Timestamp.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "Target", description: "A metric measured on a contract." });

/** A target whose type the service does not know. */
const UnknownTarget = AnyTarget.extend({
  target_type: TargetType.meta({ not: { enum: meters.map(({ type }) => type) }, examples: ["no_such_type"] }),
  status: z.literal("unsupported"),
}).meta({ id: "UnknownTarget", description: "A target of a type that does not exist. It is not measured." });

export const Target = withVariants(AnyTarget, "target_type", meters, { isReply: true, other: UnknownTarget });
export type Target = z.infer<typeof Target>;

/** A target of a type, without what only some operations accept. */
export const SelectedTarget = withVariants(
  z.strictObject({ target_type: TargetType, config: TargetConfig.optional() }).meta({ id: "SelectedTarget" }),
  "target_type",
  meters,
);

/** The targets that are created with a contract. */
export function selectedTargets(max: number) {
  return z.array(SelectedTarget).max(max).refine(areDefinitionsShort, definitionsTooLong);
}

export const TargetCreate = withVariants(
  z
    .strictObject({
      target_type: TargetType,
      name: line(1, 100, "Transactions").optional(),
      config: TargetConfig.optional(),
    })
    .meta({
      id: "TargetCreate",
      description:
        "A target of one of the types of `GET /target-types`. Any other type is stored and reported as `unsupported`.",
    }),
  "target_type",
  meters,
);
export type TargetCreate = z.infer<typeof TargetCreate>;

const TargetConfigUpdate = anyConfigOf(meters).meta({
  id: "TargetConfig",
  description: "The whole config of the type of the target.",
});

export const TargetUpdate = z
  .strictObject({
    name: line(1, 100, "Transactions").optional(),
    config: describeAs(TargetConfig.clone(), TargetConfigUpdate).optional(),
    is_enabled: z.boolean().optional(),
  })
  .refine((update) => Object.keys(update).length > 0, "must change at least one field")
  .meta({ id: "TargetUpdate" });
export type TargetUpdate = z.infer<typeof TargetUpdate>;
