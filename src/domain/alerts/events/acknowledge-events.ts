import type { App } from "../../../app.ts";
import { AppError, InvalidRequest } from "../../../errors/app-error.ts";
import { acknowledgeEvents as acknowledgeRows, listEventAccess } from "../../../store/alerts/history.ts";
import { newNotice } from "../../../store/alerts/new-notice.ts";
import { insertNotices } from "../../../store/engine/alert-events.ts";
import type { Db } from "../../../store/open-store.ts";
import type { EventsAcknowledge, EventsAcknowledged } from "../../../wire/alerts/alert-events.ts";
import { readOnlyMessage } from "../../access.ts";
import type { OrgCaller } from "../../caller.ts";
import { inTransaction } from "../../transaction.ts";
import { viewerOf } from "../../viewer-of.ts";

/** Acknowledges several events, all of them or, if one is unknown or read-only, none. */
export async function acknowledgeEvents(
  app: App,
  caller: OrgCaller,
  { event_ids }: EventsAcknowledge,
): Promise<EventsAcknowledged> {
  const { org_id, user_id } = caller;
  const ids = [...new Set(event_ids.map((id) => id.toLowerCase()))];
  return inTransaction(app, caller, async (tx, { audit, hint }) => {
    await requireEditable(tx, caller, event_ids);
    const changed = await acknowledgeRows(tx, org_id, ids, { user_id, at: app.clock.now() });
    const acknowledged = ids.filter((id) => changed.has(id));
    for (const id of acknowledged)
      audit({ org_id, action: "event.acknowledged", subject: { type: "event", id } });
    await insertNotices(
      tx,
      acknowledged.map((id) => newNotice(app, org_id, id, "acknowledged")),
    );
    hint({ topic: "notice.written" });
    return { acknowledged, unchanged: ids.filter((id) => !changed.has(id)) };
  });
}

async function requireEditable(tx: Db, caller: OrgCaller, event_ids: string[]): Promise<void> {
  const access = await listEventAccess(tx, viewerOf(caller), event_ids);
  const accessOf = (id: string) => access.get(id.toLowerCase());
  const issues = event_ids.flatMap((id, index) =>
    accessOf(id)
      ? []
      : [{ loc: ["body", "event_ids", index], msg: "is not an event that you can see", type: "value_error" }],
  );
  if (issues.length > 0) throw new InvalidRequest(issues);
  if (event_ids.some((id) => !accessOf(id)?.isEditable)) throw new AppError("role_required", readOnlyMessage);
}
