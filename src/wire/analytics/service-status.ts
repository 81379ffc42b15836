import { z } from "zod";
import { ChainInfo } from "../contracts/chains.ts";

const milliseconds = z
  .number()
  .nullable()
  .meta({ examples: [1200] });

const Detection = z
  .strictObject({ p50_ms: milliseconds, p95_ms: milliseconds })
  .describe("Latency from the timestamp of a block to the event, over the last hour.");

export const ServiceStatus = z
  .strictObject({
    status: z
      .enum(["ok", "degraded", "down"])
      .describe("`degraded` if a chain lags or has stalled, `down` if all have."),
    version: z.string().meta({ examples: ["0.4.0"] }),
    chains: z.array(
      z.strictObject({
        chain: ChainInfo.shape.chain,
        chain_id: ChainInfo.shape.chain_id,
        state: z.enum(["live", "lagging", "stalled", "off", "degraded"]),
        head_block: ChainInfo.shape.head_block,
        lag_seconds: ChainInfo.shape.lag_seconds,
        detection: Detection,
      }),
    ),
    delivery: z.strictObject({
      pending: z.int().meta({ examples: [0], description: "Number of notices that wait to be delivered." }),
      p95_ms: milliseconds.describe(
        "95th percentile of the latency from event to delivery, in milliseconds, over the last hour.",
      ),
    }),
    detection: Detection,
  })
  .meta({ id: "ServiceStatus", description: "State of the service, its chains and its latencies." });
export type ServiceStatus = z.infer<typeof ServiceStatus>;
