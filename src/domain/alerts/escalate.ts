import type { App } from "../../app.ts";
import { claimDueSteps } from "../../store/alerts/escalations.ts";
import { newNotice } from "../../store/alerts/new-notice.ts";
import { insertNotices } from "../../store/engine/alert-events.ts";

const batch = 200;

/** Notifies the next step of alerts that nobody has acknowledged in time. Returns whether more may be due. */
export async function escalateAlerts(app: App): Promise<boolean> {
  const due = await app.db.transaction().execute(async (tx) => {
    const steps = await claimDueSteps(tx, app.clock.now(), batch);
    const open = steps.filter(({ isOpen }) => isOpen);
    await insertNotices(
      tx,
      open.map(({ org_id, event_id, occurrence }) =>
        newNotice(app, org_id, event_id, "escalated", occurrence),
      ),
    );
    return { all: steps.length, open: open.length };
  });
  if (due.open > 0) app.bus.publish({ topic: "notice.written" });
  return due.all > 0;
}
