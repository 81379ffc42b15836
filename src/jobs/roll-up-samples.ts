import { inSeconds } from "../app.ts";
import { ensurePartition } from "../store/partitions.ts";
import { findNewestSample, rollUpSamples } from "../store/roll-ups.ts";
import type { Job } from "./job.ts";

/** Far enough back that a reorganisation or a run that failed is made good by the next one. */
const lookBackSeconds = 3 * 60 * 60;

/** Sums up what was measured by the minute and the hour. */
export const rollUp: Job = {
  name: "roll-up-samples",
  everyMs: 60_000,
  async run(app) {
    const from = inSeconds(app, -lookBackSeconds);
    const now = app.clock.now();
    const newest = (await findNewestSample(app.db, from)) ?? now;
    const to = newest > now ? newest : now;
    for (const time of [from, to]) {
      await ensurePartition(app.db, "samples_minute", time.getTime() / 1000);
      await ensurePartition(app.db, "samples_hour", time.getTime() / 1000);
    }
    await rollUpSamples(app.db, from, new Date(to.getTime() + 1));
    return { hasMore: false };
  },
};
