import type { App } from "../../app.ts";
import { noteReadings } from "../../store/contracts/targets-progress.ts";
import { orphanEvents } from "../../store/engine/alert-events.ts";
import { deleteBlocksAbove, forgetBlocksBelow, insertBlocks, keptBlocks } from "../../store/engine/blocks.ts";
import { forgetCodeAbove, noteCode, tidyCode } from "../../store/engine/contract-code.ts";
import { type Cursor, moveCursor, noteSettled } from "../../store/engine/cursors.ts";
import { settleHinted, settleOld } from "../../store/engine/helius-inbox.ts";
import {
  deleteStatesAbove,
  forgetRuleStates,
  holdRules,
  insertRuleStates,
} from "../../store/engine/rule-states.ts";
import { deleteSamplesAbove, insertSamples } from "../../store/engine/samples.ts";
import type { Db } from "../../store/open-store.ts";
import { type Outcome, withoutOutdated } from "./change-set.ts";
import { type Reached, release, retract, writeEvents } from "./write-events.ts";

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
  found: Outcome,
  cursor: Cursor,
  lease: { fence: number },
  reached: Reached,
): Promise<Map<string, string>> {
  await app.faults.hit("engine.before_write");
  const ids = await app.db.transaction().execute(async (tx) => {
    if (!(await moveCursor(tx, chain, cursor, lease, app.clock.now()))) throw new LostLease(chain);
    await noteSettled(tx, chain, reached);
    await app.faults.hit("engine.after_cursor");
    // Contracts, targets, rules, events: whoever changes them locks them in this order, so that nobody waits in a circle.
    if (found.rollBackTo !== undefined) await forgetCodeAbove(tx, chain, found.rollBackTo);
    await noteCode(tx, chain, found.codes);
    await noteReadings(tx, found.readings, found.activity);
    const outcome = withoutOutdated(found, await holdRules(tx, rulesIn(found)));
    const orphans = await rollBack(app, tx, chain, outcome.rollBackTo);
    await insertBlocks(tx, chain, outcome.blocks);
    await settleHints(app, tx, outcome);
    await insertSamples(tx, chain, outcome.samples);
    await app.faults.hit("engine.after_samples");
    const eventIds = await writeEvents(app, tx, outcome);
    await retract(app, tx, orphans);
    await release(app, tx, chain, reached);
    await app.faults.hit("engine.after_events");
    const states = outcome.states.map((row) => ({ ...row, state: withEvent(row.state, eventIds) }));
    await insertRuleStates(tx, chain, newestPerBlock(states));
    if (outcome.blocks.some(({ height }) => height % tidyEvery === 0)) await tidy(tx, chain, cursor.height);
    await app.faults.hit("engine.before_commit");
    return eventIds;
  });
  await app.faults.hit("engine.after_commit");
  for (const topic of ["notice.written", "stream.queued"]) app.bus.publish({ topic });
  return ids;
}

/** Every rule that moved has a state to write. */
function rulesIn({ states }: Outcome): string[] {
  return [...new Set(states.map(({ rule_id }) => rule_id))];
}

/** How long an announced transaction may take to be listed. */
const hintMs = 10 * 60_000;

/** Transactions that were announced are looked at when they are taken in, or when they would have been long ago. */
async function settleHints(app: App, tx: Db, { blocks }: Outcome): Promise<void> {
  const found = blocks.filter(({ seen }) => seen);
  if (found.length === 0) return;
  const now = app.clock.now();
  await settleHinted(
    tx,
    found.flatMap(({ seen }) => seen?.transactions ?? []),
    now,
  );
  if (found.some(({ seen }) => seen?.added.length))
    await settleOld(tx, new Date(now.getTime() - hintMs), now);
}

/** How many blocks pass between two times that what cannot be rolled back any more is let go. */
const tidyEvery = 64;

async function tidy(tx: Db, chain: string, height: number): Promise<void> {
  await forgetBlocksBelow(tx, chain, height - keptBlocks);
  await forgetRuleStates(tx, chain, height - keptBlocks);
  await tidyCode(tx, chain, height - keptBlocks);
}

async function rollBack(app: App, tx: Db, chain: string, to: number | undefined): Promise<string[]> {
  if (to === undefined) return [];
  await deleteBlocksAbove(tx, chain, to);
  await deleteSamplesAbove(tx, chain, to);
  await deleteStatesAbove(tx, chain, to);
  const orphans = await orphanEvents(tx, chain, to);
  await app.faults.hit("engine.after_rollback");
  return orphans;
}

function withEvent<State extends { event_id: string | null }>(state: State, ids: Map<string, string>): State {
  return state.event_id ? { ...state, event_id: ids.get(state.event_id) ?? state.event_id } : state;
}

/** A rule may move more than once in a block's evaluation; the last word counts. */
function newestPerBlock<Row extends { rule_id: string; height: number }>(rows: Row[]): Row[] {
  return [...new Map(rows.map((row) => [`${row.rule_id}:${row.height}`, row])).values()];
}
