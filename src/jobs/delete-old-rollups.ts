import { inSeconds } from "../app.ts";
import { deleteRollupsBefore } from "../store/engine/roll-ups.ts";
import { tierLimits } from "../tiers.ts";
import { Tier } from "../wire/primitives.ts";
import type { Job } from "./job.ts";

const daySeconds = 24 * 60 * 60;
const batch = 5_000;

/** Deletes minute and hour roll-ups past their retention: that of the org's tier or of the tier when they were created. */
export const deleteOldRollups: Job = {
  name: "delete-old-rollups",
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
