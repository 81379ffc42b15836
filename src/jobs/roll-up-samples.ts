import { ensurePartition } from "../store/engine/partitions.ts";
import { listTouchedHours, rollUpHours } from "../store/engine/roll-ups.ts";
import type { Job } from "./job.ts";

/** How many hours are summed up in one go; after a long catch-up there are many. */
const hoursAtOnce = 6;

/** Sums up what was measured by the minute and the hour, wherever samples came or went since the last time. */
export const rollUp: Job = {
  name: "roll-up-samples",
  everyMs: 60_000,
  async run(app) {
    const hours = await listTouchedHours(app.db, hoursAtOnce);
    for (const hour of hours) {
      await ensurePartition(app.db, "samples_minute", hour.getTime() / 1000);
      await ensurePartition(app.db, "samples_hour", hour.getTime() / 1000);
    }
    if (hours.length > 0) await rollUpHours(app.db, hours);
    return { hasMore: hours.length === hoursAtOnce };
  },
};
