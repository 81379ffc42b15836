import { z } from "zod";

/** What a target makes the engine read of its chain. */
export const TargetNeeds = z.array(z.enum(["state", "logs", "transactions", "receipts", "traces"]));

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
    counts_occurrences: z
      .boolean()
      .describe(
        "Whether the readings are single occurrences, such as events. A rule with a threshold above 1 then counts them over its window.",
      )
      .meta({ examples: [false] }),
    needs_code: z
      .boolean()
      .describe(
        "Whether only an address with code has what the type measures. A wallet cannot have such targets.",
      )
      .meta({ examples: [false] }),
    is_polled: z
      .boolean()
      .describe("Whether the state is read at the polling interval of the organisation.")
      .meta({ examples: [false] }),
    needs: TargetNeeds.describe(
      "What targets of the type make the engine read of their chain. Some configs need less, which the target shows.",
    ).meta({ examples: [["logs"]] }),
    cost: z
      .strictObject({
        reads: z
          .string()
          .describe("What is read, in words.")
          .meta({ examples: ["Events of the contract, by filtered range queries."] }),
        calls_per_day: z
          .record(z.string(), z.int())
          .describe(
            "Estimated calls a day to one endpoint if nothing else is watched on the chain, for chains with blocks of 12, 2 and " +
              "0.25 seconds. Targets share what is read: another target of the same kind costs little or nothing. State is " +
              "counted at an interval of 60 seconds. Empty where it depends on the activity of the addresses, as on Solana.",
          )
          .meta({ examples: [{ ethereum: 14_976, base: 54_576, arbitrum: 32_976 }] }),
      })
      .describe("What a target of the type costs in calls to the nodes."),
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
