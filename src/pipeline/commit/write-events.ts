import type { App } from "../../app.ts";
import { newNotice } from "../../store/alerts/new-notice.ts";
import {
  clearSilentMark,
  countRetractions,
  insertEvents,
  insertNotices,
  listNotificationStates,
  listToRetract,
  type NewNotice,
  releaseHeld,
  resolveEvents,
} from "../../store/engine/alert-events.ts";
import type { Db } from "../../store/open-store.ts";
import type { ChangeSet } from "./change-set.ts";

/** The head of a chain and the heights up to which it is safe and final, as reported or derived from its finality depth. */
export type FinalityReached = { head: number; safe: number; finalized: number };

/** Writes fired and resolved events with their notices, and reminders. Returns the stored id by provisional id. */
export async function writeEvents(app: App, tx: Db, changes: ChangeSet): Promise<Map<string, string>> {
  const written = await insertEvents(
    tx,
    changes.fired.map(({ event }) => event),
  );
  const ids = new Map([...written].map(([provisional, { id }]) => [provisional, id]));
  const idOf = (provisional: string) => ids.get(provisional) ?? provisional;
  await resolveEvents(
    tx,
    changes.resolved.map((resolved) => ({ ...resolved, event_id: idOf(resolved.event_id) })),
  );
  await insertNotices(tx, await firedNotices(app, tx, changes, written));
  await insertNotices(tx, await lateNotices(app, tx, changes, idOf));
  await insertNotices(tx, await reminderNotices(app, tx, changes, idOf));
  await insertNotices(tx, await resolvedNotices(app, tx, changes, idOf));
  return ids;
}

/** Notices for events that outlasted a cooldown. An event that awaits confirmations gets its notice when it is released. */
async function lateNotices(app: App, tx: Db, changes: ChangeSet, idOf: (provisional: string) => string) {
  const late = changes.notified
    .filter(({ rule }) => rule.mode === "live")
    .map((change) => ({ ...change, id: idOf(change.event_id) }));
  const ids = late.map(({ id }) => id);
  await clearSilentMark(tx, ids);
  const states = await listNotificationStates(tx, ids);
  const retractions = await countRetractions(tx, ids);
  return late
    .filter(({ id }) => states.get(id)?.isShown)
    .map(({ id, rule }) =>
      newNotice(app, rule.target.contract.org_id, id, "fired", retractions.get(id) ?? 0),
    );
}

/** Notices for reminders, except of events that await confirmations. */
async function reminderNotices(app: App, tx: Db, changes: ChangeSet, idOf: (provisional: string) => string) {
  const due = changes.reminders
    .filter(({ rule }) => rule.mode === "live")
    .map((change) => ({ ...change, id: idOf(change.event_id) }));
  const states = await listNotificationStates(
    tx,
    due.map(({ id }) => id),
  );
  return due
    .filter(({ id }) => states.get(id)?.isShown)
    .map(({ id, rule, occurrence }) =>
      newNotice(app, rule.target.contract.org_id, id, "renotified", occurrence),
    );
}

/** Notices for resolved events of which people were notified. */
async function resolvedNotices(app: App, tx: Db, changes: ChangeSet, idOf: (provisional: string) => string) {
  const resolved = changes.resolved
    .filter(({ rule }) => rule.notify_on_resolve && rule.mode === "live")
    .map((change) => ({ ...change, id: idOf(change.event_id) }));
  const states = await listNotificationStates(
    tx,
    resolved.map(({ id }) => id),
  );
  return resolved
    .filter(({ id }) => states.get(id)?.isNotified)
    .map(({ id, rule }) => newNotice(app, rule.target.contract.org_id, id, "resolved"));
}

/** Notices for fired events. An event that was retracted before and fired again gets another one. */
async function firedNotices(
  app: App,
  tx: Db,
  changes: ChangeSet,
  written: Map<string, { id: string; isNew: boolean; isHeld: boolean }>,
): Promise<NewNotice[]> {
  const notified = changes.fired.filter(({ event }) => !event.is_silent && !written.get(event.id)?.isHeld);
  const refired = notified.flatMap(({ event }) =>
    written.get(event.id)?.isNew ? [] : [written.get(event.id)?.id ?? ""],
  );
  const retractions = await countRetractions(tx, refired);
  return notified.map(({ event }) => {
    const id = written.get(event.id)?.id ?? event.id;
    return newNotice(app, event.org_id, id, "fired", retractions.get(id) ?? 0);
  });
}

/** Adds notices of retraction for orphaned events that people were notified of. */
export async function retract(app: App, tx: Db, orphans: string[]): Promise<void> {
  const retracted = await listToRetract(tx, orphans);
  const before = await countRetractions(
    tx,
    retracted.map(({ id }) => id),
  );
  await insertNotices(
    tx,
    retracted.map(({ id, org_id }) => newNotice(app, org_id, id, "retracted", before.get(id) ?? 0)),
  );
}

/** Releases held events whose block has reached the required depth. */
export async function releaseHeldEvents(
  app: App,
  tx: Db,
  chain: string,
  reached: FinalityReached,
): Promise<void> {
  const released = await releaseHeld(tx, chain, reached, app.clock.now());
  const notified = released.filter(({ is_silent }) => !is_silent);
  await insertNotices(tx, [
    ...notified.map(({ id, org_id }) => newNotice(app, org_id, id, "fired")),
    ...notified
      .filter(({ notifiesEnd }) => notifiesEnd)
      .map(({ id, org_id }) => newNotice(app, org_id, id, "resolved")),
  ]);
}
