import { recountHours } from "../store/analytics/activity.ts";
import type { Job } from "./job.ts";

const batch = 500;

/** Updates the hourly alert counts of the analytics. */
export const countAlerts: Job = {
  name: "count-alerts",
  everyMs: 60_000,
  async run(app) {
    return { hasMore: (await recountHours(app.db, batch)) === batch };
  },
};
