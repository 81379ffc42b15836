import { sql } from "kysely";
import type { PagePoint } from "../../wire/page-point.ts";
import type { EventRow } from "../engine/alert-events.ts";
import { finalityNow } from "../engine/finality.ts";
import type { Db } from "../open-store.ts";
import type { Viewer } from "../viewer.ts";
import { conditions, type HistoryFilter } from "./history.ts";

/** An event without its explanation, which is the largest part. */
export type ExportedEvent = Omit<EventRow, "explanation"> & { contract_label: string | null };

/** Lists the events that the viewer sees after a point, newest first. */
export async function listForExport(
  db: Db,
  viewer: Viewer,
  filter: Omit<HistoryFilter, "limit" | "offset">,
  after: PagePoint | undefined,
  limit: number,
): Promise<ExportedEvent[]> {
  const { rows } = await sql<ExportedEvent>`
    with page as (
      select e.id from alert_events e
      where ${sql.join(conditions(viewer, { ...filter, after }), sql` and `)}
      order by e.fired_at desc, e.id desc limit ${limit})
    select e.id, e.kind, e.status, e.severity, e.fired_at, e.detected_at, e.resolved_at, e.acknowledged_at,
      e.acknowledged_by, e.rule_id, e.rule_name, e.contract_id, c.label as contract_label, e.chain, e.target_type, e.title,
      e.message, e.value, e.operator, e.threshold, e.unit, e.window_seconds, e.group_value, e.block_number, e.tx_hash,
      ${finalityNow}
    from page join alert_events e using (id) left join contracts c on c.id = e.contract_id
    order by e.fired_at desc, e.id desc`.execute(db);
  return rows;
}
