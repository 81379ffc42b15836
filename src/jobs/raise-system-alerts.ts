import { notifyStaffOfDegradedChains } from "../domain/alerts/problems/degraded-chains.ts";
import { raiseSystemAlerts } from "../domain/alerts/system-alerts.ts";
import type { Job } from "./job.ts";

/** Raises system alerts when the monitoring itself fails. */
export const systemAlerts: Job = {
  name: "raise-system-alerts",
  everyMs: 30_000,
  async run(app) {
    try {
      await notifyStaffOfDegradedChains(app);
    } finally {
      await raiseSystemAlerts(app);
    }
    return { hasMore: false };
  },
};
