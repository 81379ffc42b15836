import { inSeconds } from "../app.ts";
import { deleteRollupsBefore } from "../store/engine/roll-ups.ts";
import { tierLimits } from "../tiers.ts";
import { Tier } from "../wire/primitives.ts";
import type { Job } from "./job.ts";

const daySeconds = 24 * 60 * 60;
const batch = 5_000;

/** Deletes the sums of minutes and hours that are past the history of their org's tier, and of the one it had then. */
export const deleteOldRollups: Job = {
  name: "forget-old-sums",
  everyMs: 60 * 60 * 1000,
  async run(app) {
    let hasMore = false;
    for (const tier of Tier.options) {
      const before = inSeconds(app, -tierLimits[tier].historyDays * daySeconds);
      const expiry = { tier, before, now: app.clock.now() };
      for (const table of ["samples_minute", "samples_hour"] as const) {
        const deleted = await deleteRollupsBefore(app.db, table, expiry, batch);
        hasMore ||= deleted === batch;
      }
    }
    return { hasMore };
  },
};
