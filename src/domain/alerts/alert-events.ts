import { type App, inSeconds } from "../../app.ts";
import { AppError } from "../../errors/app-error.ts";
import { acknowledgeEvent, findEvent, type HistoryFilter, listEvents } from "../../store/alerts/history.ts";
import { listLateEvents, pinHistory } from "../../store/alerts/history-pins.ts";
import { newNotice } from "../../store/alerts/new-notice.ts";
import { type EventDelivery, listDeliveriesOf } from "../../store/delivery/deliveries.ts";
import { type EventRow, insertNotices } from "../../store/engine/alert-events.ts";
import type { Db } from "../../store/open-store.ts";
import { findAccess } from "../../store/viewer.ts";
import type { AlertEvent } from "../../wire/alerts/alert-events.ts";
import type { OrgCaller } from "../caller.ts";
import { write } from "../transaction.ts";
import { viewerOf } from "../viewer-of.ts";

export async function listHistory(app: App, caller: OrgCaller, filter: HistoryFilter): Promise<AlertEvent[]> {
  const without = filter.to ? await lateEvents(app, caller.org_id, new Date(filter.to)) : [];
  const rows = await listEvents(app.db, viewerOf(caller), { ...filter, without });
  return withDeliveries(app.db, rows);
}

/** How long the pages of a pinned end stay as they were. */
const pinnedSeconds = 15 * 60;

/** What was found since somebody began to page up to an end: blocks are taken in after their time, so that it would shift pages. */
async function lateEvents(app: App, org_id: string, until: Date): Promise<string[]> {
  const end = { org_id, until };
  const pin = await pinHistory(app.db, end, { now: app.clock.now(), fresh: inSeconds(app, -pinnedSeconds) });
  return listLateEvents(app.db, end, pin);
}

export async function getEvent(app: App, caller: OrgCaller, event_id: string): Promise<AlertEvent> {
  return withOwnDeliveries(app.db, await loadEvent(app.db, caller, event_id));
}

/** Says that somebody sees to it. Doing so twice, or when it is over already, changes nothing. */
export async function acknowledge(app: App, caller: OrgCaller, event_id: string): Promise<AlertEvent> {
  return write(app, caller, async (tx, { audit, hint }) => {
    await loadEvent(tx, caller, event_id);
    await requireEditor(tx, caller, event_id);
    const by = { user_id: caller.user_id, at: app.clock.now() };
    if (await acknowledgeEvent(tx, caller.org_id, event_id, by)) {
      audit({
        org_id: caller.org_id,
        action: "event.acknowledged",
        subject: { type: "event", id: event_id },
      });
      // Whoever was told of the alarm hears that somebody sees to it.
      await insertNotices(tx, [newNotice(app, caller.org_id, event_id, "acknowledged")]);
      hint({ topic: "notice.written" });
    }
    return withOwnDeliveries(tx, await loadEvent(tx, caller, event_id));
  });
}

/** Whoever was let in to look at the contract only looks at its events; of a contract that is gone only admins see any. */
async function requireEditor(db: Db, caller: OrgCaller, event_id: string): Promise<void> {
  const access = await findAccess(db, viewerOf(caller), "event", event_id);
  if (access?.isEditable === false)
    throw new AppError("role_required", "You may only look at this contract.");
}

async function loadEvent(db: Db, caller: OrgCaller, event_id: string): Promise<EventRow> {
  const row = await findEvent(db, viewerOf(caller), event_id);
  if (!row) throw new AppError("not_found", "There is no such event.");
  return row;
}

async function withOwnDeliveries(db: Db, row: EventRow): Promise<AlertEvent> {
  return toEvent(row, await listDeliveriesOf(db, [row.id]));
}

/** Events as they are shown, with who was told of them. */
export async function withDeliveries(db: Db, rows: EventRow[]): Promise<AlertEvent[]> {
  const deliveries = await listDeliveriesOf(
    db,
    rows.map(({ id }) => id),
  );
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
    operator: row.operator,
    unit: row.unit,
    window_seconds: row.window_seconds,
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
    explanation: row.explanation,
    deliveries: deliveries.map(({ event_id: _, sent_at, ...rest }) => ({
      ...rest,
      sent_at: sent_at?.toISOString() ?? null,
    })),
    created_at: row.created_at.toISOString(),
  };
}
