import { type App, inSeconds } from "../../../app.ts";
import { AppError } from "../../../errors/app-error.ts";
import {
  acknowledgeEvent,
  findEvent,
  type HistoryFilter,
  listEvents,
} from "../../../store/alerts/history.ts";
import { newNotice } from "../../../store/alerts/new-notice.ts";
import { type EventDelivery, listDeliveriesOf } from "../../../store/delivery/deliveries.ts";
import { type EventRow, insertNotices } from "../../../store/engine/alert-events.ts";
import type { Db } from "../../../store/open-store.ts";
import { findAccess, type Viewer } from "../../../store/viewer.ts";
import { type AlertEvent, type HistoryQuery, maxDeliveries } from "../../../wire/alerts/alert-events.ts";
import { fromCursor } from "../../../wire/page-point.ts";
import type { Page } from "../../../wire/paging.ts";
import { readOnlyMessage } from "../../access.ts";
import type { OrgCaller } from "../../caller.ts";
import { toPage } from "../../page.ts";
import { inTransaction } from "../../transaction.ts";
import { viewerOf } from "../../viewer-of.ts";

export async function listHistory(
  app: App,
  caller: OrgCaller,
  { cursor, ...query }: HistoryQuery,
): Promise<Page<AlertEvent>> {
  // One more than asked for shows whether there is another page.
  const filter = { ...query, limit: query.limit + 1, ...(cursor && { after: fromCursor(cursor) }) };
  const rows = await listPage(app, viewerOf(caller), filter);
  const page = toPage(rows, query.limit, ({ fired_at, id }) => ({ at: fired_at, id }));
  return { ...page, items: await withDeliveries(app.db, page.items) };
}

/** Pages under a `to` that is not older than this do not shift. */
const stableSeconds = 15 * 60;

/**
 * Blocks are processed after their timestamp, so an event can be detected after a client has begun to page and yet belong
 * on an earlier page. With a recent `to`, pages therefore show the history as it was known at `to`. A result that fits on
 * one page has nothing to shift and is complete, as is every result with an older `to`.
 */
async function listPage(app: App, viewer: Viewer, filter: HistoryFilter): Promise<EventRow[]> {
  const to = filter.to ? new Date(filter.to) : undefined;
  if (!to || to < inSeconds(app, -stableSeconds)) return listEvents(app.db, viewer, filter);
  if (filter.offset === 0 && !filter.after) {
    const rows = await listEvents(app.db, viewer, filter);
    if (rows.length < filter.limit) return rows;
  }
  return listEvents(app.db, viewer, { ...filter, detectedBy: to });
}

export async function getEvent(app: App, caller: OrgCaller, event_id: string): Promise<AlertEvent> {
  return loadOwnEvent(app.db, caller, event_id);
}

/** Loads an event that the caller sees, also inside a transaction. */
export async function loadOwnEvent(db: Db, caller: OrgCaller, event_id: string): Promise<AlertEvent> {
  return withOwnDeliveries(db, await loadEvent(db, caller, event_id));
}

/** Acknowledges a firing event. Does nothing if it is already acknowledged or resolved. */
export async function acknowledge(app: App, caller: OrgCaller, event_id: string): Promise<AlertEvent> {
  return inTransaction(app, caller, async (tx, { audit, hint }) => {
    await loadEvent(tx, caller, event_id);
    await requireEditor(tx, caller, event_id);
    const by = { user_id: caller.user_id, at: app.clock.now() };
    if (await acknowledgeEvent(tx, caller.org_id, event_id, by)) {
      audit({
        org_id: caller.org_id,
        action: "event.acknowledged",
        subject: { type: "event", id: event_id },
      });
      // The recipients of the alert are notified of the acknowledgement.
      await insertNotices(tx, [newNotice(app, caller.org_id, event_id, "acknowledged")]);
      hint({ topic: "notice.written" });
    }
    return withOwnDeliveries(tx, await loadEvent(tx, caller, event_id));
  });
}

/** Rejects callers with read-only access to the contract. The events of a deleted contract are visible to admins only. */
async function requireEditor(db: Db, caller: OrgCaller, event_id: string): Promise<void> {
  const access = await findAccess(db, viewerOf(caller), "event", event_id);
  if (access?.isEditable === false) throw new AppError("role_required", readOnlyMessage);
}

async function loadEvent(db: Db, caller: OrgCaller, event_id: string): Promise<EventRow> {
  const row = await findEvent(db, viewerOf(caller), event_id);
  if (!row) throw new AppError("not_found", "There is no such event.");
  return row;
}

async function withOwnDeliveries(db: Db, row: EventRow): Promise<AlertEvent> {
  return toEvent(row, await listDeliveriesOf(db, [row.id], maxDeliveries));
}

/** Converts events to their wire format, with their deliveries. */
export async function withDeliveries(db: Db, rows: EventRow[]): Promise<AlertEvent[]> {
  const ids = rows.map(({ id }) => id);
  const deliveries = await listDeliveriesOf(db, ids, maxDeliveries);
  const byEvent = Map.groupBy(deliveries, ({ event_id }) => event_id);
  return rows.map((row) => toEvent(row, byEvent.get(row.id) ?? []));
}

function toEvent(row: EventRow, deliveries: EventDelivery[]): AlertEvent {
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    rule_id: row.rule_id,
    rule_name: row.rule_name,
    contract_id: row.contract_id,
    agent_id: row.agent_id,
    chain: row.chain,
    chain_id: Number(row.chain_id),
    target_id: row.target_id,
    target_type: row.target_type,
    severity: row.severity,
    title: row.title,
    message: row.message,
    value: row.value,
    threshold: row.threshold,
    // Copied from a validated condition when the event was recorded.
    operator: row.operator as AlertEvent["operator"],
    unit: row.unit,
    window_seconds: row.window_seconds,
    group: row.group_value,
    fired_at: row.fired_at.toISOString(),
    detected_at: row.detected_at.toISOString(),
    resolved_at: row.resolved_at?.toISOString() ?? null,
    acknowledged_at: row.acknowledged_at?.toISOString() ?? null,
    acknowledged_by: row.acknowledged_by,
    block_number: row.block_number === null ? null : Number(row.block_number),
    block_hash: row.block_hash,
    tx_hash: row.tx_hash,
    log_index: row.log_index,
    finality: row.finality,
    // Written by the engine or by a system alert, in this form.
    explanation: row.explanation as AlertEvent["explanation"],
    deliveries: deliveries.map(({ event_id: _, sent_at, ...rest }) => ({
      ...rest,
      sent_at: sent_at?.toISOString() ?? null,
    })),
    created_at: row.created_at.toISOString(),
  };
}
