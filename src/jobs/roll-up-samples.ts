import { ensurePartition } from "../store/engine/partitions.ts";
import { listTouchedHours, rollUpHours } from "../store/engine/roll-ups.ts";
import type { Job } from "./job.ts";

/** The maximum of hours per run; a long catch-up touches many. */
const hoursPerRun = 6;

/** Rolls samples up to minutes and hours, for the hours whose samples changed since the last run. */
export const rollUp: Job = {
  name: "roll-up-samples",
  everyMs: 60_000,
  async run(app) {
    const hours = await listTouchedHours(app.db, hoursPerRun);
    for (const hour of hours) {
      await ensurePartition(app.db, "samples_minute", hour.getTime() / 1000);
      await ensurePartition(app.db, "samples_hour", hour.getTime() / 1000);
    }
    if (hours.length > 0) await rollUpHours(app.db, hours);
    return { hasMore: hours.length === hoursPerRun };
  },
};
