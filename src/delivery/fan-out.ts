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

const nothing: Round = { isBusy: false, hasMore: false };

/** Makes the deliveries of the orgs that have a few notices, all together, those that wait longest first. */
export async function fanOutFew(app: App): Promise<Round> {
  const waiting = await listOrgsWaiting(app.db, few);
  const unmuted = await listOrgsUnmuted(app.db, app.clock.now());
  const org_ids = waiting.filter(({ notices }) => notices <= few).map(({ org_id }) => org_id);
  const some = [...new Set([...unmuted, ...org_ids])].slice(0, orgsTogether);
  if (some.length === 0) return nothing;
  const held = await fanOut(app, some, { most: some.length, unmuted });
  return { isBusy: held.length === 0, hasMore: true };
}

/** Makes deliveries of one of the orgs that have many notices; each has its turn. */
export async function fanOutMany(app: App, turns: Turns): Promise<Round> {
  const waiting = await listOrgsWaiting(app.db, few);
  const many = waiting.filter(({ notices }) => notices > few).map(({ org_id }) => org_id);
  if (many.length === 0) return nothing;
  many.sort((a, b) => turns.lastOf(a) - turns.lastOf(b));
  const held = await fanOut(app, many, { most: 1, unmuted: [] });
  for (const org_id of held) turns.take(org_id);
  return { isBusy: held.length === 0, hasMore: true };
}

/**
 * Turns notices into deliveries, all in one transaction with the mark that they were: a crash before leaves every notice
 * as it was, a crash after leaves every delivery. Returns the orgs whose turn it was.
 */
async function fanOut(
  app: App,
  org_ids: string[],
  { most, unmuted }: { most: number; unmuted: string[] },
): Promise<string[]> {
  const { held, made } = await app.db.transaction().execute(async (tx) => {
    const held = await holdOrgs(tx, org_ids, most);
    if (held.length === 0) return { held, made: 0 };
    const now = app.clock.now();
    const over = unmuted.filter((org_id) => held.includes(org_id));
    const released = over.length > 0 ? await releaseMuted(tx, over, now) : 0;
    const notices = await takeNotices(tx, held, batch, now);
    return { held, made: released + (notices.length > 0 ? await tell(app, tx, notices) : 0) };
  });
  if (made > 0) {
    await app.faults.hit("delivery.after_fan_out");
    app.bus.publish({ topic: "delivery.queued" });
  }
  return held;
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
