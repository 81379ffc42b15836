import { type App, newId } from "../app.ts";
import {
  claimNotices,
  listOrgsWaiting,
  lockOrgs,
  type OrgWaiting,
  type WaitingNotice,
} from "../store/delivery/fan-out.ts";
import {
  cancelDeliveries,
  insertDeliveries,
  listNotified,
  listRecipients,
} from "../store/delivery/new-deliveries.ts";
import { listOrgsWithEndedSilences, releaseSilenced } from "../store/delivery/silenced-deliveries.ts";
import type { Db } from "../store/open-store.ts";
import type { RoundRobin } from "./pick-lanes.ts";
import { neverTrue, planDeliveries } from "./plan-deliveries.ts";

/** An org with more notices than these waits with its like. */
const few = 5;
/** How many notices are taken at once. */
const batch = 250;

/** What a round came to: `isBusy` when other processes were at it. */
export type Round = { isBusy: boolean; hasMore: boolean };

/** Makes the deliveries of the orgs that have a few notices, all together, those that wait longest first. */
export async function fanOutFew(app: App): Promise<Round> {
  const waiting = await listOrgsWaiting(app.db, few);
  const some = waiting.filter(({ notices }) => notices <= few).slice(0, batch / few);
  return fanOut(app, some);
}

/** Makes deliveries of orgs that have many notices, as many at once as are taken anyway; each has its turn. */
export async function fanOutMany(app: App, turns: RoundRobin): Promise<Round> {
  const waiting = (await listOrgsWaiting(app.db, batch)).filter(({ notices }) => notices > few);
  waiting.sort((a, b) => turns.lastOf(a.org_id) - turns.lastOf(b.org_id));
  let room = batch;
  const some = waiting.filter(({ notices }, at) => {
    room -= notices;
    return at === 0 || room >= 0;
  });
  for (const { org_id } of some) turns.take(org_id);
  return fanOut(app, some);
}

/** Looks again at what silences held back that are over, one org after another; each has its turn. */
export async function fanOutUnmuted(app: App, turns: RoundRobin): Promise<Round> {
  const orgs = await listOrgsWithEndedSilences(app.db, app.clock.now());
  const [org_id] = orgs.sort((a, b) => turns.lastOf(a) - turns.lastOf(b));
  if (org_id === undefined) return { isBusy: false, hasMore: false };
  turns.take(org_id);
  return inTurn(app, [org_id], (tx, held) => releaseSilenced(tx, held, app.clock.now()));
}

/**
 * Turns notices into deliveries, all in one transaction with the mark that they were: a crash before leaves every notice
 * as it was, a crash after leaves every delivery.
 */
async function fanOut(app: App, orgs: OrgWaiting[]): Promise<Round> {
  if (orgs.length === 0) return { isBusy: false, hasMore: false };
  const org_ids = orgs.map(({ org_id }) => org_id);
  return inTurn(app, org_ids, async (tx, held) => {
    const notices = await claimNotices(tx, held, batch, app.clock.now());
    return notices.length > 0 ? notifyWorkers(app, tx, notices) : 0;
  });
}

/** Works on those of the orgs that nobody else is at. */
async function inTurn(
  app: App,
  org_ids: string[],
  work: (tx: Db, held: string[]) => Promise<number>,
): Promise<Round> {
  const { held, made } = await app.db.transaction().execute(async (tx) => {
    const held = await lockOrgs(tx, org_ids);
    return { held, made: held.length > 0 ? await work(tx, held) : 0 };
  });
  if (made > 0) {
    await app.faults.hit("delivery.after_fan_out");
    app.bus.publish({ topic: "delivery.queued" });
  }
  return { isBusy: held.length === 0, hasMore: true };
}

async function notifyWorkers(app: App, tx: Db, notices: WaitingNotice[]): Promise<number> {
  const reminded = notices.filter(({ kind }) => kind === "renotified").map(({ org_id }) => org_id);
  // A reminder must not come before the beginning that a silence held back.
  if (reminded.length > 0) await releaseSilenced(tx, [...new Set(reminded)], app.clock.now());
  const channels = await listRecipients(tx, [...new Set(notices.map(({ org_id }) => org_id))]);
  const eventsOf = (kinds: string[]) =>
    notices.filter(({ kind }) => kinds.includes(kind)).map(({ event_id }) => event_id);
  await cancelDeliveries(tx, eventsOf(["retracted"]), neverTrue);
  const told = await listNotified(tx, eventsOf(["acknowledged", "resolved", "retracted"]));
  const deliveries = planDeliveries(notices, channels, told, () => newId(app));
  await insertDeliveries(tx, deliveries, app.clock.now());
  return deliveries.length;
}
