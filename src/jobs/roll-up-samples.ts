import { type App, inSeconds } from "../app.ts";
import { ensurePartition } from "../store/engine/partitions.ts";
import { listTouchedHours, rollUpHour, touchHour } from "../store/engine/roll-up.ts";
import type { Job } from "./job.ts";

/** The maximum of hours per run; a long catch-up touches many. */
const hoursPerRun = 6;
/** Below the limit of a connection, so that the rest of the transaction goes on. */
const defaultStatementMs = 2_000;
/** An hour of which something cannot be rolled up is tried again for so long, so that it keeps no others waiting. */
const retrySeconds = 3 * 3_600;

/** Rolls samples up to minutes and hours, for the hours whose samples changed since the last run. */
export const rollUp: Job = {
  name: "roll-up-samples",
  everyMs: 60_000,
  run: (app) => rollUpSamples(app),
};

export async function rollUpSamples(app: App, maxStatementMs = defaultStatementMs) {
  const hours = await listTouchedHours(app.db, hoursPerRun);
  let failed = 0;
  for (const hour of hours) {
    await ensurePartition(app.db, "samples_minute", hour.getTime() / 1000);
    await ensurePartition(app.db, "samples_hour", hour.getTime() / 1000);
    const failedNow = await rollUpHour(app.db, hour, maxStatementMs);
    if (failedNow > 0 && hour > inSeconds(app, -retrySeconds)) await touchHour(app.db, hour);
    failed += failedNow;
  }
  if (failed > 0) app.log.warn({ series: failed }, "series have too many samples to roll up");
  return { hasMore: hours.length === hoursPerRun && failed === 0 };
}
