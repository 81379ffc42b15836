import { sql } from "kysely";
import type { Severity } from "../../lib/severity.ts";
import { isGuarded } from "../delivery/fan-out.ts";
import type { NewEvent } from "../engine/alert-events.ts";
import type { Db } from "../open-store.ts";
import { mayReceive } from "../viewer.ts";
import { covers, isActive } from "./silences.ts";

export async function insertDrill(db: Db, event: NewEvent): Promise<void> {
  await db.insertInto("alert_events").values(event).execute();
}

/** A channel, with what decides whether it is notified of an event. */
export type DrillRecipient = {
  id: string;
  name: string;
  type: string;
  min_severity: Severity;
  is_enabled: boolean;
  status: "ok" | "failing" | "disabled";
  is_silenced: boolean;
  is_withheld: boolean;
};

/** Returns channels by id, with the decisions that the fan-out makes about an event. */
export async function listDrillRecipients(
  db: Db,
  { id, org_id }: { id: string; org_id: string },
  channel_ids: string[],
  now: Date,
): Promise<Map<string, DrillRecipient>> {
  const { rows } = await sql<DrillRecipient>`
    select ch.id, ch.name, ch.type, ch.min_severity, ch.is_enabled, ch.status,
      exists (select 1 from silences s where ${isActive(now)} and ${covers}) as is_silenced,
      ${isGuarded} and not ${mayReceive} as is_withheld
    from alert_events e
    join channels ch on ch.org_id = e.org_id and ch.id = any(${channel_ids}::uuid[])
    left join contracts c on c.id = e.contract_id
    where e.org_id = ${org_id} and e.id = ${id}`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}
