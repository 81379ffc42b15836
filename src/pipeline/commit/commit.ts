import type { App } from "../../app.ts";
import type { WatchedEvents } from "../../chains/reading-plan.ts";
import { scheduleSteps } from "../../store/alerts/escalations.ts";
import { urgentTransaction } from "../../store/connection/urgent-transaction.ts";
import { rollBackSuspensions } from "../../store/contracts/catch-up.ts";
import { recordReadings } from "../../store/contracts/targets-progress.ts";
import { deleteUnreadAbove, recordUnread } from "../../store/contracts/unread-transactions.ts";
import { orphanEvents } from "../../store/engine/alert-events.ts";
import {
  deleteBlocksAbove,
  deleteBlocksBelow,
  insertBlocks,
  retainedBlocks,
} from "../../store/engine/blocks.ts";
import { compactCode, deleteCodeAbove, recordCode } from "../../store/engine/contract-code.ts";
import { type Cursor, moveCursor, recordFinality } from "../../store/engine/cursors.ts";
import { completeHints, completeOldHints } from "../../store/engine/helius-inbox.ts";
import {
  deleteOldRuleStates,
  deleteQuietGroups,
  deleteStatesAbove,
  insertRuleStates,
  lockRules,
  type RuleStateRow,
} from "../../store/engine/rule-states.ts";
import { deleteSamplesAbove, insertSamples } from "../../store/engine/samples.ts";
import { insertScanFilter } from "../../store/engine/scan-filters.ts";
import type { Db } from "../../store/open-store.ts";
import { ruleKey } from "../watch/rule-groups.ts";
import { addNames } from "./add-names.ts";
import { type ChangeSet, withoutOutdatedVersions } from "./change-set.ts";
import { type FinalityReached, releaseHeldEvents, retract, writeEvents } from "./write-events.ts";

/** Another process holds the lease of the chain, so this batch must not be written. */
export class LeaseLost extends Error {
  override name = "LeaseLost";
}

export type Batch = {
  chain: string;
  changes: ChangeSet;
  /** The last block of the batch. */
  cursor: Cursor;
  lease: { fence: number };
  reached: FinalityReached;
  /** What the blocks were scanned for, unless it is stored already. */
  scanFilter?: ScanFilter | undefined;
  /** Further changes of the same transaction, before all others. */
  alongside?: ((tx: Db) => Promise<void>) | undefined;
};

export type ScanFilter = { filter: string; events: WatchedEvents };

/**
 * Writes the changes of a batch of blocks: samples, states, events, notices and the cursor, in one transaction. Returns the
 * stored id of each fired event by its provisional id.
 */
export async function commit(
  app: App,
  { chain, changes: evaluated, cursor, lease, reached, scanFilter, alongside }: Batch,
): Promise<Map<string, string>> {
  await addNames(app.db, chain, evaluated.fired);
  await app.faults.hit("engine.before_write");
  const ids = await urgentTransaction(app, async (tx) => {
    if (!(await moveCursor(tx, chain, cursor, lease, app.clock.now()))) throw new LeaseLost(chain);
    await alongside?.(tx);
    if (evaluated.rollBackTo !== undefined) await rollBackSuspensions(tx, chain, evaluated.rollBackTo);
    await recordFinality(tx, chain, reached);
    await app.faults.hit("engine.after_cursor");
    // Lock order: contracts, targets, rules, events. Every writer keeps to it, which prevents deadlocks.
    if (evaluated.rollBackTo !== undefined) await deleteCodeAbove(tx, chain, evaluated.rollBackTo);
    await recordCode(tx, chain, evaluated.codes);
    if (evaluated.rollBackTo !== undefined) await deleteUnreadAbove(tx, chain, evaluated.rollBackTo);
    await recordReadings(tx, evaluated.readings, evaluated.activity);
    await recordUnread(tx, evaluated.unread, app.clock.now());
    const changes = withoutOutdatedVersions(evaluated, await lockRules(tx, rulesIn(evaluated)));
    const orphans = await rollBack(app, tx, chain, changes.rollBackTo);
    await insertBlocks(tx, chain, changes.blocks);
    if (scanFilter) await insertScanFilter(tx, chain, scanFilter.filter, scanFilter.events);
    await completeBlockHints(app, tx, changes);
    await insertSamples(tx, chain, changes.samples);
    await app.faults.hit("engine.after_samples");
    const eventIds = await writeEvents(app, tx, changes);
    await retract(app, tx, orphans);
    await releaseHeldEvents(app, tx, chain, reached);
    await app.faults.hit("engine.after_events");
    const states = changes.states.map((row) => ({ ...row, state: withEvent(row.state, eventIds) }));
    await insertRuleStates(tx, chain, newestPerBlock(states));
    if (changes.blocks.some(({ height }) => height % cleanupEveryBlocks === 0))
      await deleteOldState(tx, chain, cursor, changes.blocks[0]?.height ?? cursor.height);
    await app.faults.hit("engine.before_commit");
    return eventIds;
  });
  await app.faults.hit("engine.after_commit");
  for (const { event } of evaluated.fired)
    if (ids.has(event.id)) app.metrics.events.inc({ severity: event.severity });
  for (const topic of ["notice.written", "stream.queued"]) app.bus.publish({ topic });
  return ids;
}

/** Every rule that changed has a state to write. */
function rulesIn({ states }: ChangeSet): string[] {
  return [...new Set(states.map(({ rule_id }) => rule_id))];
}

/** The longest time that an announced transaction may take to appear in listings. */
const hintTimeoutMs = 10 * 60_000;

/** Completes the hints of announced transactions that this batch contains, and the hints that have timed out. */
async function completeBlockHints(app: App, tx: Db, { blocks }: ChangeSet): Promise<void> {
  const withSeen = blocks.filter(({ seen }) => seen);
  if (withSeen.length === 0) return;
  const now = app.clock.now();
  await completeHints(
    tx,
    withSeen.flatMap(({ seen }) => seen?.transactions ?? []),
    now,
  );
  if (withSeen.some(({ seen }) => seen?.added.length))
    await completeOldHints(tx, new Date(now.getTime() - hintTimeoutMs), now);
}

/** The number of blocks between two clean-ups of state that can no longer be rolled back. */
const cleanupEveryBlocks = 64;

async function deleteOldState(
  tx: Db,
  chain: string,
  { height, time }: Cursor,
  firstHeight: number,
): Promise<void> {
  const lastCleanup = Math.floor((firstHeight - 1) / cleanupEveryBlocks) * cleanupEveryBlocks;
  await deleteBlocksBelow(tx, chain, height - retainedBlocks);
  await deleteOldRuleStates(tx, chain, {
    after: lastCleanup - retainedBlocks,
    upTo: height - retainedBlocks,
  });
  await deleteQuietGroups(tx, chain, height - retainedBlocks, time);
  await compactCode(tx, chain, height - retainedBlocks);
}

async function rollBack(app: App, tx: Db, chain: string, to: number | undefined): Promise<string[]> {
  if (to === undefined) return [];
  await deleteBlocksAbove(tx, chain, to);
  await deleteSamplesAbove(tx, chain, to);
  await deleteStatesAbove(tx, chain, to);
  const { orphans, reopened } = await orphanEvents(tx, chain, to);
  // Their escalation has ended if a step came due while they were resolved.
  await scheduleSteps(tx, { event_ids: reopened }, app.clock.now());
  await app.faults.hit("engine.after_rollback");
  return orphans;
}

function withEvent<State extends { event_id: string | null }>(state: State, ids: Map<string, string>): State {
  return state.event_id ? { ...state, event_id: ids.get(state.event_id) ?? state.event_id } : state;
}

/** A rule may change more than once per block; the last state counts. */
function newestPerBlock<Row extends Pick<RuleStateRow, "rule_id" | "group" | "height">>(rows: Row[]): Row[] {
  const byBlock = rows.map((row) => [`${row.height} ${ruleKey(row.rule_id, row.group)}`, row] as const);
  return [...new Map(byBlock).values()];
}
