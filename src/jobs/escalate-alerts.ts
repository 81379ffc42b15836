import { escalateAlerts } from "../domain/alerts/escalate.ts";
import type { Job } from "./job.ts";

/** Notifies further people of alerts that nobody acknowledges. */
export const escalate: Job = {
  name: "escalate-alerts",
  everyMs: 1_000,
  async run(app) {
    return { hasMore: await escalateAlerts(app) };
  },
};
