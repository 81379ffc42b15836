import { type App, newId } from "../app.ts";
import {
  countRetractions,
  insertEvents,
  insertNotice,
  listToRetract,
  orphanEvents,
  releaseHeld,
  resolveEvent,
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
    await forgetBlocksBelow(tx, chain, cursor.height - keptBlocks);
    await insertSamples(tx, chain, outcome.samples);
    const eventIds = await writeEvents(app, tx, outcome);
    await retract(app, tx, orphans);
    await settle(app, tx, chain, reached);
    const states = outcome.states.map((row) => ({ ...row, state: withEvent(row.state, eventIds) }));
    await insertRuleStates(tx, chain, newestPerBlock(states));
    await forgetRuleStates(tx, chain, cursor.height - keptBlocks);
    await noteUpgrades(tx, chain, outcome.upgrades);
    await noteReadings(tx, outcome.readings, outcome.activity);
    await app.faults.hit("engine.before_commit");
    return eventIds;
  });
  await app.faults.hit("engine.after_commit");
  return ids;
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
  const idOf = (given: string) => written.get(given)?.id ?? given;
  for (const { event, rule, notifies } of outcome.fired) {
    const { id, isNew } = written.get(event.id) ?? { id: event.id, isNew: true };
    if (!notifies || rule.mode === "shadow" || rule.confirmations !== null) continue;
    // Once called off, an alarm that comes back is news; one that never was is not.
    const occurrence = isNew ? 0 : await countRetractions(tx, id);
    await notice(app, tx, { org_id: event.org_id, event_id: id, kind: "fired", occurrence });
  }
  for (const { event_id, rule, time, height } of outcome.resolved) {
    await resolveEvent(tx, idOf(event_id), new Date(time * 1000), height);
    if (rule.notify_on_resolve && rule.mode === "live") {
      await notice(app, tx, {
        org_id: rule.target.contract.org_id,
        event_id: idOf(event_id),
        kind: "resolved",
      });
    }
  }
  for (const { event_id, rule, occurrence } of outcome.reminders) {
    if (rule.mode === "shadow") continue;
    const org_id = rule.target.contract.org_id;
    await notice(app, tx, { org_id, event_id: idOf(event_id), kind: "renotified", occurrence });
  }
  return new Map([...written].map(([given, { id }]) => [given, id]));
}

/** Calls the alarm off where the evidence is gone for good and somebody had been told. */
async function retract(app: App, tx: Db, orphans: string[]): Promise<void> {
  for (const { id, org_id } of await listToRetract(tx, orphans)) {
    const occurrence = await countRetractions(tx, id);
    await notice(app, tx, { org_id, event_id: id, kind: "retracted", occurrence });
  }
}

async function settle(app: App, tx: Db, chain: string, reached: Reached): Promise<void> {
  for (const { id, org_id, is_shadow } of await releaseHeld(tx, chain, reached, app.clock.now())) {
    if (!is_shadow) await notice(app, tx, { org_id, event_id: id, kind: "fired" });
  }
  await settleFinality(tx, chain, reached);
}

type Notice = Parameters<typeof insertNotice>[1];

async function notice(app: App, tx: Db, content: Omit<Notice, "id" | "created_at">): Promise<void> {
  await insertNotice(tx, { id: newId(app), created_at: app.clock.now(), ...content });
}

function withEvent<State extends { event_id: string | null }>(state: State, ids: Map<string, string>): State {
  return state.event_id ? { ...state, event_id: ids.get(state.event_id) ?? state.event_id } : state;
}

/** A rule may move more than once in a block's evaluation; the last word counts. */
function newestPerBlock<Row extends { rule_id: string; height: number }>(rows: Row[]): Row[] {
  return [...new Map(rows.map((row) => [`${row.rule_id}:${row.height}`, row])).values()];
}
