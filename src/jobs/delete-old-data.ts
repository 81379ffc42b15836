import { type App, inSeconds } from "../app.ts";
import { deleteEventsBefore } from "../store/alerts/history.ts";
import { deleteAnomaliesBefore } from "../store/analytics/anomalies.ts";
import { deleteDeliveriesBefore } from "../store/delivery/deliveries.ts";
import { dropPartitionsBefore, type PartitionedTable } from "../store/engine/partitions.ts";
import { deleteExpiredOverrides } from "../store/orgs/retention-overrides.ts";
import { tierLimits } from "../tiers.ts";
import { Tier } from "../wire/primitives.ts";
import type { Job } from "./job.ts";

const daySeconds = 24 * 60 * 60;

/** Days that samples are kept: raw for the longest back-test, roll-ups for the longest history. */
const retentionDays: Record<PartitionedTable, number> = {
  samples: 92,
  samples_minute: 366,
  samples_hour: 366,
};

/**
 * Drops expired sample partitions, and deletes alerts, deliveries and anomalies past their retention: that of the org's tier
 * or of the tier when they were created, whichever is longer. A downgrade deletes nothing.
 */
export const deleteOldData: Job = {
  name: "delete-old-data",
  everyMs: 60 * 60 * 1000,
  async run(app) {
    for (const [table, days] of Object.entries(retentionDays)) {
      const dropped = await dropPartitionsBefore(
        app.db,
        table as PartitionedTable,
        inSeconds(app, -days * daySeconds),
      );
      if (dropped.length > 0) app.log.info({ dropped }, "old sample partitions dropped");
    }
    const left = await Promise.all(Tier.options.map((tier) => deleteOldEvents(app, tier)));
    await deleteExpiredOverrides(app.db, app.clock.now());
    return { hasMore: left.includes(true) };
  },
};

async function deleteOldEvents(app: App, tier: Tier): Promise<boolean> {
  const expiry = {
    tier,
    before: inSeconds(app, -tierLimits[tier].historyDays * daySeconds),
    now: app.clock.now(),
  };
  const batch = 5_000;
  const deliveries = await deleteDeliveriesBefore(app.db, expiry, batch);
  const events = await deleteEventsBefore(app.db, expiry, batch);
  const anomalies = await deleteAnomaliesBefore(app.db, expiry, batch);
  return [deliveries, events, anomalies].includes(batch);
}
