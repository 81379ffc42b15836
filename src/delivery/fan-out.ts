import { type App, newId } from "../app.ts";
import {
  callOff,
  insertDeliveries,
  listRecipients,
  listTold,
  releaseMuted,
  takeFanOutTurn,
  takeNotices,
  type WaitingNotice,
} from "../store/fan-out.ts";
import type { Db } from "../store/open.ts";
import { neverTrue, planDeliveries } from "./plan.ts";

/** How many notices are taken at once, and of one org at most. */
const batch = 1_000;
const batchPerOrg = 250;

/** What a round came to: `isBusy` when another process was at it. */
export type FanOut = { isBusy: boolean; hasMore: boolean; made: number };

/**
 * Turns notices into deliveries, all in one transaction with the mark that they were: a crash before leaves every notice
 * as it was, a crash after leaves every delivery.
 */
export async function fanOut(app: App): Promise<FanOut> {
  const result = await app.db.transaction().execute(async (tx) => {
    if (!(await takeFanOutTurn(tx))) return { isBusy: true, hasMore: true, made: 0 };
    const now = app.clock.now();
    const released = await releaseMuted(tx, now);
    const notices = await takeNotices(tx, batchPerOrg, batch, now);
    const made = notices.length > 0 ? await tell(app, tx, notices) : 0;
    return { isBusy: false, hasMore: notices.length > 0, made: made + released };
  });
  if (result.made > 0) {
    await app.faults.hit("delivery.after_fan_out");
    app.bus.publish({ topic: "delivery.queued" });
  }
  return result;
}

async function tell(app: App, tx: Db, notices: WaitingNotice[]): Promise<number> {
  const channels = await listRecipients(tx, [...new Set(notices.map(({ org_id }) => org_id))]);
  const eventsOf = (kinds: string[]) =>
    notices.filter(({ kind }) => kinds.includes(kind)).map(({ event_id }) => event_id);
  await callOff(tx, eventsOf(["retracted"]), neverTrue);
  const told = await listTold(tx, eventsOf(["acknowledged", "resolved", "retracted"]));
  const deliveries = planDeliveries(notices, channels, told, () => newId(app));
  await insertDeliveries(tx, deliveries, app.clock.now());
  return deliveries.length;
}
