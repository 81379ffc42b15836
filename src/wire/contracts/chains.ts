import { z } from "zod";
import { Timestamp } from "../primitives.ts";

export const ChainKey = z
  .string()
  .min(1)
  .max(50)
  .meta({ description: "Key of the chain, as listed by `GET /chains`.", examples: ["ethereum"] });

export const ChainInfo = z
  .strictObject({
    chain: ChainKey,
    chain_id: z.int().meta({ examples: [1] }),
    name: z.string().meta({ examples: ["Ethereum"] }),
    kind: z.enum(["evm", "solana"]),
    native_currency: z.strictObject({ name: z.string(), symbol: z.string(), decimals: z.int() }).meta({
      examples: [{ name: "Ether", symbol: "ETH", decimals: 18 }],
    }),
    explorer_url: z
      .string()
      .nullable()
      .meta({ examples: ["https://etherscan.io"] }),
    block_time_ms: z.number().meta({ examples: [12000] }),
    finality_depth: z.int().meta({ examples: [65] }),
    is_testnet: z.boolean().meta({ examples: [false] }),
    state: z.enum(["live", "lagging", "stalled", "off"]),
    head_block: z
      .int()
      .nullable()
      .meta({ examples: [23812345] }),
    lag_seconds: z
      .number()
      .nullable()
      .meta({
        description: "The age of the oldest block that is not processed yet; 0 at the head",
        examples: [3],
      }),
    last_block_at: Timestamp.nullable().meta({
      description: "The time of the last block that was processed",
    }),
    status_reason: z
      .string()
      .nullable()
      .meta({
        description: "What is wrong with the nodes of the chain, as a sentence",
        examples: ["The chain could not be read: a node asks to slow down."],
      }),
    reading: z
      .strictObject({
        plan: z.enum(["nothing", "state", "logs", "blocks"]).meta({
          description:
            "What the targets of all organisations need: only the head, state, some events, or whole blocks",
          examples: ["logs"],
        }),
        poll_seconds: z.number().meta({ examples: [12] }),
        is_slowed: z.boolean().meta({
          description: "True while the interval is longer than the plan needs, to stay within the budget",
          examples: [false],
        }),
        calls_per_day_estimate: z.int().meta({
          description: "The calls a day to one endpoint that the plan costs",
          examples: [16_800],
        }),
        calls_per_day_budget: z
          .int()
          .nullable()
          .meta({ examples: [100_000] }),
        calls: z
          .array(
            z.strictObject({
              endpoint: z.int().meta({ description: "The position of the endpoint in the settings, from 1" }),
              method: z.string(),
              today: z.int(),
              yesterday: z.int(),
            }),
          )
          .meta({
            description: "Calls of the engine by endpoint and method, by days in UTC; updated twice a minute",
            examples: [[{ endpoint: 1, method: "eth_getLogs", today: 4120, yesterday: 7204 }]],
          }),
      })
      .nullable()
      .meta({ description: "What is read of the chain and what that costs; null until it is followed" }),
    gaps: z.array(z.strictObject({ from_block: z.int(), to_block: z.int(), skipped_at: Timestamp })).meta({
      description:
        "Blocks of the last 30 days that were skipped because no node has them any more; nothing in them was counted",
    }),
  })
  .meta({ id: "Chain", description: "A blockchain that this service follows." });
export type ChainInfo = z.infer<typeof ChainInfo>;
