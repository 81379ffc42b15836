import { z } from "zod";
import { ChainInfo } from "../contracts/chains.ts";

const count = z.int().min(0);
const used = z.strictObject({
  used: count.meta({ examples: [12] }),
  limit: count.nullable().meta({ description: "Limit of the tier; null if there is none.", examples: [50] }),
});

export const DashboardStats = z
  .strictObject({
    contracts: z.strictObject({
      total: count,
      monitoring: count,
      pending: count,
      paused: count,
      error: count,
    }),
    rules: z.strictObject({ total: count, enabled: count, firing: count }),
    alerts_24h: z.strictObject({ info: count, warning: count, critical: count }),
    deliveries_24h: z.strictObject({ sent: count, failed: count }),
    chains: z.array(ChainInfo.pick({ chain: true, state: true, lag_seconds: true })),
    quota: z.strictObject({ contracts: used, rules: used }),
  })
  .meta({
    id: "DashboardStats",
    description: "Counts over the contracts that the caller can see.",
    examples: [
      {
        contracts: { total: 12, monitoring: 9, pending: 2, paused: 1, error: 0 },
        rules: { total: 30, enabled: 28, firing: 1 },
        alerts_24h: { info: 4, warning: 2, critical: 1 },
        deliveries_24h: { sent: 6, failed: 1 },
        chains: [{ chain: "ethereum", state: "live", lag_seconds: 9 }],
        quota: { contracts: { used: 12, limit: 50 }, rules: { used: 30, limit: 200 } },
      },
    ],
  });
export type DashboardStats = z.infer<typeof DashboardStats>;

export const StreamQuery = z.strictObject({
  last_event_id: z
    .string()
    .max(20)
    .optional()
    .describe("The last `id` that was received, for clients that cannot set the header `Last-Event-ID`.")
    .meta({ examples: ["42"] }),
});
