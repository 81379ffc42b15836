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

/** Days that samples are kept: raw as far back as a rule can be tried out, rolled up as far as any history goes. */
const keptDays: Record<PartitionedTable, number> = { samples: 92, samples_minute: 366, samples_hour: 366 };

/**
 * Drops what is older than anybody may look at, and deletes alerts, deliveries and anomalies past the history of their org's
 * tier, and of the tier it had when they were made: a downgrade deletes nothing.
 */
export const deleteOldData: Job = {
  name: "forget-old-data",
  everyMs: 60 * 60 * 1000,
  async run(app) {
    for (const [table, days] of Object.entries(keptDays)) {
      const dropped = await dropPartitionsBefore(
        app.db,
        table as PartitionedTable,
        inSeconds(app, -days * daySeconds),
      );
      if (dropped.length > 0) app.log.info({ dropped }, "old samples were dropped");
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
