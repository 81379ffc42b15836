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

/** How deep the chain is settled, as its nodes say or its depth implies. */
export type FinalityReached = { head: number; safe: number; finalized: number };

/** Events that are new or back again, those that are over, and the reminders of those that go on. */
export async function writeEvents(app: App, tx: Db, changes: ChangeSet): Promise<Map<string, string>> {
  const written = await insertEvents(
    tx,
    changes.fired.map(({ event }) => event),
  );
  const ids = new Map([...written].map(([given, { id }]) => [given, id]));
  const idOf = (given: string) => ids.get(given) ?? given;
  await resolveEvents(
    tx,
    changes.resolved.map((one) => ({ ...one, event_id: idOf(one.event_id) })),
  );
  await insertNotices(tx, await firedNotices(app, tx, changes, written));
  await insertNotices(tx, await lateNotices(app, tx, changes, idOf));
  await insertNotices(tx, await reminderNotices(app, tx, changes, idOf));
  await insertNotices(tx, await endNotices(app, tx, changes, idOf));
  return ids;
}

/** What began during a cooldown and goes on after it is told then; what nobody may see yet, when it is shown. */
async function lateNotices(app: App, tx: Db, changes: ChangeSet, idOf: (given: string) => string) {
  const late = changes.told
    .filter(({ rule }) => rule.mode === "live")
    .map((one) => ({ ...one, id: idOf(one.event_id) }));
  const ids = late.map(({ id }) => id);
  await clearSilentMark(tx, ids);
  const known = await listNotificationStates(tx, ids);
  const retractions = await countRetractions(tx, ids);
  return late
    .filter(({ id }) => known.get(id)?.isShown)
    .map(({ id, rule }) =>
      newNotice(app, rule.target.contract.org_id, id, "fired", retractions.get(id) ?? 0),
    );
}

/** Of what nobody may see yet, nobody is reminded. */
async function reminderNotices(app: App, tx: Db, changes: ChangeSet, idOf: (given: string) => string) {
  const due = changes.reminders
    .filter(({ rule }) => rule.mode === "live")
    .map((one) => ({ ...one, id: idOf(one.event_id) }));
  const known = await listNotificationStates(
    tx,
    due.map(({ id }) => id),
  );
  return due
    .filter(({ id }) => known.get(id)?.isShown)
    .map(({ id, rule, occurrence }) =>
      newNotice(app, rule.target.contract.org_id, id, "renotified", occurrence),
    );
}

/** Whoever was not told that it began need not hear that it is over. */
async function endNotices(app: App, tx: Db, changes: ChangeSet, idOf: (given: string) => string) {
  const over = changes.resolved
    .filter(({ rule }) => rule.notify_on_resolve && rule.mode === "live")
    .map((one) => ({ ...one, id: idOf(one.event_id) }));
  const known = await listNotificationStates(
    tx,
    over.map(({ id }) => id),
  );
  return over
    .filter(({ id }) => known.get(id)?.isNotified)
    .map(({ id, rule }) => newNotice(app, rule.target.contract.org_id, id, "resolved"));
}

/** Once called off, an alarm that comes back is news; one that never was is not. */
async function firedNotices(
  app: App,
  tx: Db,
  changes: ChangeSet,
  written: Map<string, { id: string; isNew: boolean; isHeld: boolean }>,
): Promise<NewNotice[]> {
  const told = changes.fired.filter(({ event }) => !event.is_silent && !written.get(event.id)?.isHeld);
  const back = told.flatMap(({ event }) =>
    written.get(event.id)?.isNew ? [] : [written.get(event.id)?.id ?? ""],
  );
  const retractions = await countRetractions(tx, back);
  return told.map(({ event }) => {
    const id = written.get(event.id)?.id ?? event.id;
    return newNotice(app, event.org_id, id, "fired", retractions.get(id) ?? 0);
  });
}

/** Calls the alarm off where the evidence is gone for good and somebody had been told. */
export async function retract(app: App, tx: Db, orphans: string[]): Promise<void> {
  const gone = await listToRetract(tx, orphans);
  const before = await countRetractions(
    tx,
    gone.map(({ id }) => id),
  );
  await insertNotices(
    tx,
    gone.map(({ id, org_id }) => newNotice(app, org_id, id, "retracted", before.get(id) ?? 0)),
  );
}

/** Shows what is deep enough now. */
export async function releaseHeldEvents(
  app: App,
  tx: Db,
  chain: string,
  reached: FinalityReached,
): Promise<void> {
  const released = await releaseHeld(tx, chain, reached, app.clock.now());
  const told = released.filter(({ is_silent }) => !is_silent);
  await insertNotices(tx, [
    ...told.map(({ id, org_id }) => newNotice(app, org_id, id, "fired")),
    ...told
      .filter(({ tells_end }) => tells_end)
      .map(({ id, org_id }) => newNotice(app, org_id, id, "resolved")),
  ]);
}
