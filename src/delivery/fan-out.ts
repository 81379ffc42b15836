import { type App, newId } from "../app.ts";
import { holdOrgs, listOrgsWaiting, takeNotices, type WaitingNotice } from "../store/fan-out.ts";
import { listOrgsUnmuted, releaseMuted } from "../store/muted.ts";
import { callOff, insertDeliveries, listRecipients, listTold } from "../store/new-deliveries.ts";
import type { Db } from "../store/open.ts";
import type { Turns } from "./pick-lanes.ts";
import { neverTrue, planDeliveries } from "./plan.ts";

/** An org with more notices than these waits for none but itself. */
const few = 25;
/** How many notices of an org are taken at once, and how many orgs together. */
const batch = 250;
const orgsTogether = 50;

/** What a round came to: `isBusy` when other processes were at it. */
export type Round = { isBusy: boolean; hasMore: boolean };

/** Makes the deliveries of the orgs that have a few notices, all together, those that wait longest first. */
export async function fanOutFew(app: App): Promise<Round> {
  const waiting = await listOrgsWaiting(app.db, few);
  const org_ids = waiting.filter(({ notices }) => notices <= few).map(({ org_id }) => org_id);
  return fanOut(app, org_ids.slice(0, orgsTogether), orgsTogether);
}

/** Makes deliveries of one org that has many notices, or a silence that is over; each has its turn. */
export async function fanOutMany(app: App, turns: Turns): Promise<Round> {
  const waiting = await listOrgsWaiting(app.db, few);
  const unmuted = await listOrgsUnmuted(app.db, app.clock.now());
  const many = waiting.filter(({ notices }) => notices > few).map(({ org_id }) => org_id);
  const org_ids = [...new Set([...many, ...unmuted])];
  org_ids.sort((a, b) => turns.lastOf(a) - turns.lastOf(b));
  return fanOut(app, org_ids, 1, (org_id) => turns.take(org_id));
}

/**
 * Turns notices into deliveries, all in one transaction with the mark that they were: a crash before leaves every notice
 * as it was, a crash after leaves every delivery. Of as many of the orgs as told that nobody else is at.
 */
async function fanOut(
  app: App,
  org_ids: string[],
  most: number,
  onTurn: (org_id: string) => void = () => undefined,
): Promise<Round> {
  if (org_ids.length === 0) return { isBusy: false, hasMore: false };
  const { held, made } = await app.db.transaction().execute(async (tx) => {
    const held = await holdOrgs(tx, org_ids, most);
    const now = app.clock.now();
    // Of one that nobody shares the transaction with: it may be much.
    const released = most === 1 ? await releaseMuted(tx, held, now) : 0;
    const notices = await takeNotices(tx, held, batch, now);
    return { held, made: released + (notices.length > 0 ? await tell(app, tx, notices) : 0) };
  });
  for (const org_id of held) onTurn(org_id);
  if (made > 0) {
    await app.faults.hit("delivery.after_fan_out");
    app.bus.publish({ topic: "delivery.queued" });
  }
  return { isBusy: held.length === 0, hasMore: true };
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
