import type { App } from "../app.ts";
import { listHoursInTurn, type OrgHour, recountHours } from "../store/analytics/activity.ts";
import type { Job } from "./job.ts";

const batch = 500;

/** Updates the hourly alert counts of the analytics. */
export const countAlerts: Job = {
  name: "count-alerts",
  everyMs: 60_000,
  async run(app) {
    const hours = await listHoursInTurn(app.db, batch);
    if (hours.length === 0) return { hasMore: false };
    const isCounted = await recountHours(app.db, hours).then(
      () => true,
      () => recountByOrg(app, hours),
    );
    return { hasMore: isCounted && hours.length === batch };
  },
};

/** Hours of an org that cannot be counted, because they have too many alerts, keep no other org from its counts. */
async function recountByOrg(app: App, hours: OrgHour[]): Promise<false> {
  for (const [org_id, own] of Map.groupBy(hours, (hour) => hour.org_id)) {
    await recountHours(app.db, own).catch((error: unknown) => {
      app.log.warn({ err: error, org_id }, "alerts could not be counted, will retry");
    });
  }
  return false;
}
