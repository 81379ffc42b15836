import { z } from "zod";

/** A type of target that the service can measure. */
export const TargetTypeInfo = z
  .strictObject({
    target_type: z.string().meta({ examples: ["event_value"] }),
    title: z.string().meta({ examples: ["Value in events"] }),
    description: z.string().meta({ examples: ["The value of a numeric argument of one event."] }),
    unit: z
      .string()
      .describe("Unit of the readings, and of thresholds on them.")
      .meta({ examples: ["units"] }),
    families: z
      .array(z.enum(["evm", "solana"]))
      .describe("Chain families on which the type exists.")
      .meta({ examples: [["evm"]] }),
    instances: z
      .enum(["one", "many"])
      .describe("Whether a contract can have several targets of the type.")
      .meta({ examples: ["many"] }),
    default_aggregation: z
      .string()
      .describe("Aggregation of rules that do not set one. `each` for what happens rather than lasts.")
      .meta({ examples: ["each"] }),
    window_aggregation: z
      .string()
      .describe("Default aggregation of operators that need a window, such as `anomaly` or `change_pct_gt`.")
      .meta({ examples: ["sum"] }),
    is_polled: z
      .boolean()
      .describe("Whether the state is read at the polling interval of the organisation.")
      .meta({ examples: [false] }),
    config_schema: z
      .record(z.string(), z.unknown())
      .describe("JSON Schema of `config`.")
      .meta({ examples: [{ type: "object", properties: { arg: { type: "string" } } }] }),
    example: z
      .strictObject({ target_type: z.string(), config: z.record(z.string(), z.unknown()) })
      .describe("A body for `POST /contracts/{contract_id}/targets`.")
      .meta({ examples: [{ target_type: "event_value", config: { arg: "value" } }] }),
  })
  .meta({ id: "TargetTypeInfo", description: "A type of target, its config and its unit." });
export type TargetTypeInfo = z.infer<typeof TargetTypeInfo>;
