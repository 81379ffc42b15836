import type { App } from "../../app.ts";
import { AppError } from "../../errors/app-error.ts";
import { findChannel } from "../../store/channels/channels.ts";
import {
  type AttemptRow,
  type DeliveryRow,
  findDelivery,
  listAttempts,
  listDeliveries as listRows,
  requeue,
} from "../../store/delivery/deliveries.ts";
import type { Db } from "../../store/open-store.ts";
import { findAccess } from "../../store/viewer.ts";
import { type Delivery, type DeliveryQuery, maxAttempts } from "../../wire/channels/deliveries.ts";
import { fromCursor } from "../../wire/page-point.ts";
import type { Page } from "../../wire/paging.ts";
import { readOnlyMessage } from "../access.ts";
import type { OrgCaller } from "../caller.ts";
import { byCreation, toPage } from "../page.ts";
import { inTransaction } from "../transaction.ts";
import { viewerOf } from "../viewer-of.ts";
import { requireMessageQuota } from "./message-quota.ts";

export async function listDeliveries(
  app: App,
  caller: OrgCaller,
  { cursor, ...query }: DeliveryQuery,
): Promise<Page<Delivery>> {
  const filter = { ...query, limit: query.limit + 1, ...(cursor && { after: fromCursor(cursor) }) };
  const page = toPage(await listRows(app.db, viewerOf(caller), filter), query.limit, byCreation);
  return { ...page, items: await withAttempts(app.db, page.items) };
}

/** Queues a finished delivery again under the same id, so that the receiver can recognise the duplicate. */
export async function replayDelivery(app: App, caller: OrgCaller, delivery_id: string): Promise<Delivery> {
  return inTransaction(app, caller, async (tx, { audit, hint }) => {
    const row = await loadDelivery(tx, caller, delivery_id);
    await requireEditor(tx, caller, row.event_ids);
    await requireWorkingChannel(tx, caller, row.channel_id);
    await requireMessageQuota(app, tx, caller, row.channel_type);
    if (!(await requeue(tx, caller.org_id, delivery_id, app.clock.now()))) {
      throw new AppError("delivery_in_progress", "The delivery is already queued or being sent.");
    }
    const subject = { type: "delivery", id: delivery_id };
    const details = { channel_id: row.channel_id, kind: row.kind };
    audit({ org_id: caller.org_id, action: "delivery.replayed", subject, details });
    hint({ topic: "delivery.queued" });
    const [delivery] = await withAttempts(tx, [await loadDelivery(tx, caller, delivery_id)]);
    return delivery as Delivery;
  });
}

async function loadDelivery(db: Db, caller: OrgCaller, delivery_id: string): Promise<DeliveryRow> {
  const row = await findDelivery(db, viewerOf(caller), delivery_id);
  if (!row) throw new AppError("not_found", "There is no such delivery.");
  return row;
}

/** Rejects callers with read-only access to a contract of the events. */
async function requireEditor(db: Db, caller: OrgCaller, event_ids: string[]): Promise<void> {
  for (const id of event_ids) {
    const access = await findAccess(db, viewerOf(caller), "event", id);
    if (access?.isEditable === false) throw new AppError("role_required", readOnlyMessage);
  }
}

/** Rejects a replay to a channel that cannot receive: the delivery would wait forever. */
async function requireWorkingChannel(db: Db, caller: OrgCaller, channel_id: string): Promise<void> {
  const channel = await findChannel(db, caller.org_id, channel_id);
  if (!channel)
    throw new AppError("conflict", "The channel was deleted, so its messages cannot be sent again.");
  if (!channel.is_enabled) throw new AppError("conflict", "The channel is disabled. Enable it first.");
  if (channel.status === "disabled")
    throw new AppError("conflict", "The channel rejects deliveries. Correct its config first.");
}

async function withAttempts(db: Db, rows: DeliveryRow[]): Promise<Delivery[]> {
  const ids = rows.map(({ id }) => id);
  const attempts = await listAttempts(db, ids, maxAttempts);
  const byDelivery = Map.groupBy(attempts, ({ delivery_id }) => delivery_id);
  return rows.map((row) => toDelivery(row, byDelivery.get(row.id) ?? []));
}

function toDelivery(row: DeliveryRow, attempts: AttemptRow[]): Delivery {
  return {
    id: row.id,
    channel_id: row.channel_id,
    channel_type: row.channel_type,
    channel_name: row.channel_name,
    kind: row.kind,
    severity: row.severity,
    event_ids: row.event_ids,
    status: row.status,
    last_error: row.last_error,
    silence_id: row.silence_id,
    attempts: attempts.map(({ delivery_id: _, started_at, ...rest }) => ({
      ...rest,
      started_at: started_at.toISOString(),
    })),
    next_attempt_at: row.status === "queued" ? row.next_attempt_at.toISOString() : null,
    sent_at: row.sent_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}
