import { z } from "zod";
import { anomalyKinds } from "../../lib/anomaly/find-anomalies.ts";
import { Severity } from "../alerts/rules.ts";
import { Id, Timestamp } from "../primitives.ts";

const price = z.number().meta({ examples: [3121.55] });
const pair = z
  .string()
  .nullable()
  .meta({ description: "Description that the feed reports.", examples: ["ETH / USD"] });
const decimals = z
  .int()
  .nullable()
  .meta({ examples: [8] });
const heartbeat = z
  .int()
  .meta({ description: "Maximum seconds between two updates, as the feed specifies.", examples: [3600] });
const round = z
  .string()
  .nullable()
  .meta({
    description: "Round id of the feed, with the phase in its upper bits.",
    examples: ["129127208515966867320"],
  });

export const OracleFeed = z
  .strictObject({
    contract_id: Id,
    chain: z.string().meta({ examples: ["ethereum"] }),
    chain_id: z.int().meta({ examples: [1] }),
    address: z.string().meta({ examples: ["0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419"] }),
    label: z.string().meta({ examples: ["ETH / USD"] }),
    pair,
    decimals,
    heartbeat_seconds: heartbeat,
    price: price.nullable(),
    round_id: round,
    phase_id: z
      .int()
      .nullable()
      .meta({
        description: "Phase; increments when the aggregator behind the feed is replaced.",
        examples: [7],
      }),
    aggregator: z
      .string()
      .nullable()
      .meta({
        description: "Address of the aggregator behind the feed.",
        examples: ["0x7d4E742018fb52E48b08BE73d041C18B21de6Fb5"],
      }),
    updated_at: Timestamp.nullable(),
    status: z.enum(["ok", "stale", "no_data"]),
    target_types: z.array(z.enum(["oracle_price", "oracle_deviation", "oracle_staleness"])),
  })
  .meta({ id: "OracleFeed", description: "A price feed that the organisation monitors." });
export type OracleFeed = z.infer<typeof OracleFeed>;

const time = z.iso.datetime({ offset: true });
export const PricesQuery = z.strictObject({
  from: time.optional().describe("Start of the time range, inclusive; defaults to seven days before `to`."),
  to: time
    .optional()
    .describe(
      "End of the time range, exclusive; defaults to now, or to the newest block if its time is ahead.",
    ),
});
export type PricesQuery = z.output<typeof PricesQuery>;

export const AnomalyType = z.enum(anomalyKinds as ["spike", ...(typeof anomalyKinds)[number][]]);

export const Prices = z
  .strictObject({
    contract_id: Id,
    pair,
    decimals,
    heartbeat_seconds: heartbeat,
    points: z
      .array(z.strictObject({ at: Timestamp, price, round_id: round }))
      .describe(
        "One point per round, oldest first. Beyond the retention of rounds, one per hour without a round id.",
      ),
    anomalies: z.array(
      z.strictObject({ at: Timestamp, kind: AnomalyType, severity: Severity, score: z.number(), price }),
    ),
    stats: z.strictObject({
      min: price.nullable(),
      max: price.nullable(),
      mean: price.nullable(),
      volatility: z
        .number()
        .nullable()
        .meta({
          description: "Standard deviation of the relative change between consecutive points.",
          examples: [0.0021],
        }),
      last: price.nullable(),
      updated_at: Timestamp.nullable(),
    }),
  })
  .meta({ id: "Prices", description: "Price history of a feed." });
export type Prices = z.infer<typeof Prices>;
