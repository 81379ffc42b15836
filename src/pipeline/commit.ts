import { type App, newId } from "../app.ts";
import {
  countRetractions,
  insertEvents,
  insertNotices,
  listToRetract,
  type NewNotice,
  type NoticeKind,
  orphanEvents,
  releaseHeld,
  resolveEvents,
  settleFinality,
} from "../store/alert-events.ts";
import { deleteBlocksAbove, forgetBlocksBelow, insertBlocks, keptBlocks } from "../store/blocks.ts";
import { type Cursor, moveCursor } from "../store/cursors.ts";
import type { Db } from "../store/open.ts";
import { deleteStatesAbove, forgetRuleStates, insertRuleStates } from "../store/rule-states.ts";
import { deleteSamplesAbove, insertSamples } from "../store/samples.ts";
import { noteReadings } from "../store/targets-progress.ts";
import { forgetUpgradesAbove, noteUpgrades } from "../store/upgrades.ts";
import type { Outcome } from "./outcome.ts";

/** How deep the chain is settled, as its nodes say or its depth implies. */
export type Reached = { head: number; safe: number; finalized: number };

/** Another process follows the chain now; what was worked out here must not be written. */
export class LostLease extends Error {
  override name = "LostLease";
}

/**
 * Writes what a run of blocks changed: samples, states, events, notices and the cursor, in one transaction. A crash before
 * leaves nothing of it, a crash after leaves all of it. Returns the id that each fired event has.
 */
export async function commit(
  app: App,
  chain: string,
  outcome: Outcome,
  cursor: Cursor,
  lease: { fence: number },
  reached: Reached,
): Promise<Map<string, string>> {
  const ids = await app.db.transaction().execute(async (tx) => {
    if (!(await moveCursor(tx, chain, cursor, lease, app.clock.now()))) throw new LostLease(chain);
    const orphans = await rollBack(tx, chain, outcome.rollBackTo);
    await insertBlocks(tx, chain, outcome.blocks);
    await insertSamples(tx, chain, outcome.samples);
    const eventIds = await writeEvents(app, tx, outcome);
    await retract(app, tx, orphans);
    await settle(app, tx, chain, reached);
    const states = outcome.states.map((row) => ({ ...row, state: withEvent(row.state, eventIds) }));
    await insertRuleStates(tx, chain, newestPerBlock(states));
    if (outcome.blocks.some(({ height }) => height % tidyEvery === 0)) await tidy(tx, chain, cursor.height);
    await noteUpgrades(tx, chain, outcome.upgrades);
    await noteReadings(tx, outcome.readings, outcome.activity);
    await app.faults.hit("engine.before_commit");
    return eventIds;
  });
  await app.faults.hit("engine.after_commit");
  return ids;
}

/** How many blocks pass between two times that what cannot be rolled back any more is let go. */
const tidyEvery = 64;

async function tidy(tx: Db, chain: string, height: number): Promise<void> {
  await forgetBlocksBelow(tx, chain, height - keptBlocks);
  await forgetRuleStates(tx, chain, height - keptBlocks);
}

async function rollBack(tx: Db, chain: string, to: number | undefined): Promise<string[]> {
  if (to === undefined) return [];
  await deleteBlocksAbove(tx, chain, to);
  await deleteSamplesAbove(tx, chain, to);
  await deleteStatesAbove(tx, chain, to);
  await forgetUpgradesAbove(tx, chain, to);
  return orphanEvents(tx, chain, to);
}

/** Events that are new or back again, those that are over, and the reminders of those that go on. */
async function writeEvents(app: App, tx: Db, outcome: Outcome): Promise<Map<string, string>> {
  const written = await insertEvents(
    tx,
    outcome.fired.map(({ event }) => event),
  );
  const ids = new Map([...written].map(([given, { id }]) => [given, id]));
  const idOf = (given: string) => ids.get(given) ?? given;
  await resolveEvents(
    tx,
    outcome.resolved.map((one) => ({ ...one, event_id: idOf(one.event_id) })),
  );
  await insertNotices(tx, [
    ...(await firedNotices(app, tx, outcome, written)),
    ...outcome.resolved
      .filter(({ rule }) => rule.notify_on_resolve && rule.mode === "live")
      .map(({ event_id, rule }) => notice(app, rule.target.contract.org_id, idOf(event_id), "resolved")),
    ...outcome.reminders
      .filter(({ rule }) => rule.mode === "live")
      .map((one) =>
        notice(app, one.rule.target.contract.org_id, idOf(one.event_id), "renotified", one.occurrence),
      ),
  ]);
  return ids;
}

/** Once called off, an alarm that comes back is news; one that never was is not. */
async function firedNotices(
  app: App,
  tx: Db,
  outcome: Outcome,
  written: Map<string, { id: string; isNew: boolean }>,
): Promise<NewNotice[]> {
  const told = outcome.fired.filter(
    ({ rule, notifies }) => notifies && rule.mode === "live" && rule.confirmations === null,
  );
  const back = told.flatMap(({ event }) =>
    written.get(event.id)?.isNew ? [] : [written.get(event.id)?.id ?? ""],
  );
  const retractions = await countRetractions(tx, back);
  return told.map(({ event }) => {
    const id = written.get(event.id)?.id ?? event.id;
    return notice(app, event.org_id, id, "fired", retractions.get(id) ?? 0);
  });
}

/** Calls the alarm off where the evidence is gone for good and somebody had been told. */
async function retract(app: App, tx: Db, orphans: string[]): Promise<void> {
  const gone = await listToRetract(tx, orphans);
  const before = await countRetractions(
    tx,
    gone.map(({ id }) => id),
  );
  await insertNotices(
    tx,
    gone.map(({ id, org_id }) => notice(app, org_id, id, "retracted", before.get(id) ?? 0)),
  );
}

async function settle(app: App, tx: Db, chain: string, reached: Reached): Promise<void> {
  const released = await releaseHeld(tx, chain, reached, app.clock.now());
  const told = released.filter(({ is_shadow }) => !is_shadow);
  await insertNotices(
    tx,
    told.map(({ id, org_id }) => notice(app, org_id, id, "fired")),
  );
  await settleFinality(tx, chain, reached);
}

function notice(app: App, org_id: string, event_id: string, kind: NoticeKind, occurrence = 0): NewNotice {
  return { id: newId(app), org_id, event_id, kind, occurrence, created_at: app.clock.now() };
}

function withEvent<State extends { event_id: string | null }>(state: State, ids: Map<string, string>): State {
  return state.event_id ? { ...state, event_id: ids.get(state.event_id) ?? state.event_id } : state;
}

/** A rule may move more than once in a block's evaluation; the last word counts. */
function newestPerBlock<Row extends { rule_id: string; height: number }>(rows: Row[]): Row[] {
  return [...new Map(rows.map((row) => [`${row.rule_id}:${row.height}`, row])).values()];
}
