import { notifyStaffOfDegradedChains, raiseSystemAlerts } from "../domain/alerts/system-alerts.ts";
import type { Job } from "./job.ts";

/** The dead man's switch: says when the watch itself has failed. */
export const systemAlerts: Job = {
  name: "raise-system-alerts",
  everyMs: 30_000,
  async run(app) {
    await raiseSystemAlerts(app);
    await notifyStaffOfDegradedChains(app);
    return { hasMore: false };
  },
};
