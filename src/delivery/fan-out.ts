import { type App, newId } from "../app.ts";
import { scheduleSteps } from "../store/alerts/escalations.ts";
import { urgentTransaction } from "../store/connection/urgent-transaction.ts";
import {
  claimNotices,
  countRecipients,
  listOrgsWaiting,
  lockOrgs,
  type OrgWaiting,
  type Share,
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
import { limitMessages, limitReleased } from "./message-limits.ts";
import type { RoundRobin } from "./pick-lanes.ts";
import { planDeliveries, retractedBeforeSending } from "./plan-deliveries.ts";

/** An org with more notices than these is handled by `fanOutMany`. */
const few = 5;
/** The maximum of notices per transaction. */
const batch = 250;
/** The maximum of deliveries per transaction, unless a single notice needs more: an org may have thousands of channels. */
const maxDeliveries = 10_000;

/** The result of a round; `isBusy` when other processes hold the locks of all its orgs. */
export type Round = { isBusy: boolean; hasMore: boolean };

/** Creates the deliveries of orgs with few notices, many orgs together, the longest waiting first. */
export async function fanOutFew(app: App): Promise<Round> {
  const waiting = await listOrgsWaiting(app.db, few);
  const selected = waiting.filter(({ notices }) => notices <= few).slice(0, batch / few);
  return fanOut(app, selected);
}

/** Creates deliveries of orgs with many notices, in round-robin order, up to one batch. */
export async function fanOutMany(app: App, turns: RoundRobin): Promise<Round> {
  const waiting = (await listOrgsWaiting(app.db, batch)).filter(({ notices }) => notices > few);
  waiting.sort((a, b) => turns.lastOf(a.org_id) - turns.lastOf(b.org_id));
  let remaining = batch;
  const selected = waiting.filter(({ notices }, index) => {
    remaining -= notices;
    return index === 0 || remaining >= 0;
  });
  for (const { org_id } of selected) turns.recordTurn(org_id);
  return fanOut(app, selected);
}

/** Releases deliveries whose silence has ended, one org at a time in round-robin order. */
export async function fanOutUnmuted(app: App, turns: RoundRobin): Promise<Round> {
  const orgs = await listOrgsWithEndedSilences(app.db, app.clock.now());
  const [org_id] = orgs.sort((a, b) => turns.lastOf(a) - turns.lastOf(b));
  if (org_id === undefined) return { isBusy: false, hasMore: false };
  turns.recordTurn(org_id);
  return withOrgLocks(app, [org_id], (tx, locked) => releaseWithinLimit(app, tx, locked));
}

async function releaseWithinLimit(app: App, tx: Db, org_ids: string[]): Promise<number> {
  const released = await releaseSilenced(tx, org_ids, app.clock.now());
  await limitReleased(app, tx, released);
  return released.length;
}

/**
 * Turns notices into deliveries and marks the notices as done in the same transaction, so that a crash loses or repeats
 * nothing.
 */
async function fanOut(app: App, orgs: OrgWaiting[]): Promise<Round> {
  if (orgs.length === 0) return { isBusy: false, hasMore: false };
  const org_ids = orgs.map(({ org_id }) => org_id);
  return withOrgLocks(app, org_ids, async (tx, locked) => {
    const selected = orgs.filter(({ org_id }) => locked.includes(org_id));
    const notices = await claimNotices(tx, await shareBatch(tx, selected), app.clock.now());
    return notices.length > 0 ? createDeliveries(app, tx, notices) : 0;
  });
}

/** Divides the maximum of deliveries, in the order of the orgs; those for whom nothing is left wait for the next round. */
async function shareBatch(tx: Db, orgs: OrgWaiting[]): Promise<Share[]> {
  const counts = await countRecipients(
    tx,
    orgs.map(({ org_id }) => org_id),
  );
  let remaining = maxDeliveries;
  return orgs.flatMap(({ org_id, notices }) => {
    if (remaining <= 0) return [];
    const channels = Math.max(1, counts.get(org_id) ?? 0);
    const maxNotices = Math.max(1, Math.min(batch, notices, Math.floor(remaining / channels)));
    remaining -= maxNotices * channels;
    return [{ org_id, maxNotices }];
  });
}

/** Runs work in a transaction on the orgs that no other process has locked. */
async function withOrgLocks(
  app: App,
  org_ids: string[],
  work: (tx: Db, locked: string[]) => Promise<number>,
): Promise<Round> {
  const { locked, created } = await urgentTransaction(app, async (tx) => {
    const locked = await lockOrgs(tx, org_ids);
    return { locked, created: locked.length > 0 ? await work(tx, locked) : 0 };
  });
  if (created > 0) {
    await app.faults.hit("delivery.after_fan_out");
    app.bus.publish({ topic: "delivery.queued" });
  }
  return { isBusy: locked.length === 0, hasMore: true };
}

async function createDeliveries(app: App, tx: Db, notices: WaitingNotice[]): Promise<number> {
  const reminded = notices
    .filter(({ kind }) => kind === "renotified" || kind === "escalated")
    .map(({ org_id }) => org_id);
  // A silenced first notification or step must not arrive after a later one.
  if (reminded.length > 0) await releaseWithinLimit(app, tx, [...new Set(reminded)]);
  const channels = await listRecipients(tx, [...new Set(notices.map(({ org_id }) => org_id))]);
  const eventsOf = (kinds: string[]) =>
    notices.filter(({ kind }) => kinds.includes(kind)).map(({ event_id }) => event_id);
  await cancelDeliveries(tx, eventsOf(["retracted"]), retractedBeforeSending);
  const notified = await listNotified(tx, eventsOf(["acknowledged", "resolved", "retracted"]));
  const deliveries = planDeliveries(notices, channels, notified, () => newId(app));
  await limitMessages(app, tx, deliveries);
  await insertDeliveries(tx, deliveries, app.clock.now());
  await scheduleSteps(tx, { event_ids: eventsOf(["fired"]) }, app.clock.now());
  return deliveries.length;
}
