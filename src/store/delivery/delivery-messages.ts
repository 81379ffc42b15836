import { sql } from "kysely";
import { z } from "zod";
import type { EventRow } from "../engine/alert-events.ts";
import { finalityNow } from "../engine/finality.ts";
import type { Db } from "../open-store.ts";
import { mayReceive } from "../viewer.ts";

/** One alert of a message. */
export type AlertRow = Omit<EventRow, "explanation"> & {
  explanation: MessageParts;
  delivery_id: string;
  org_name: string;
  contract_label: string | null;
  contract_address: string | null;
  /** Null for an alert without a contract, or whose contract was deleted. */
  is_restricted: boolean | null;
  acknowledged_name: string | null;
  /** The time at which its notice was written; null if the notice was deleted since. */
  committed_at: Date | null;
};

/** The alerts of messages in their current state, in the order of their notices. */
export async function listAlerts(db: Db, delivery_ids: string[]): Promise<AlertRow[]> {
  const { rows } = await sql<Omit<AlertRow, "explanation"> & { explanation: unknown }>`
    select e.*, ${finalityNow}, ${messageParts} as explanation, l.delivery_id, o.name as org_name, c.label as contract_label, c.address as contract_address,
      c.is_restricted, u.name as acknowledged_name, n.created_at as committed_at
    from delivery_notices l
    join alert_events e on e.id = l.event_id
    join orgs o on o.id = e.org_id
    left join contracts c on c.id = e.contract_id
    left join users u on u.id = e.acknowledged_by
    left join alert_notices n on n.id = l.notice_id
    where l.delivery_id = any(${delivery_ids}::uuid[])
    order by l.delivery_id, e.fired_at, l.notice_id`.execute(db);
  return rows.map((row) => ({ ...row, explanation: messageShape.parse(row.explanation) }));
}

/**
 * The parts of an event's explanation that messages use; system alerts have only some of them. A part of another shape is left
 * out, because the alert must be sent in any case.
 */
const messageShape = z.object({
  clause: z.string().nullish().catch(null),
  /** Present for a rule with several conditions; a message only shows that there are any. */
  conditions: z.array(z.unknown()).nullish().catch(null),
  decoded: z
    .object({ name: z.string(), args: z.custom<Record<string, unknown>>(isObject).optional() })
    .nullish()
    .catch(null),
  /** The labels of contracts by address. */
  names: z.record(z.string(), z.string()).optional().catch(undefined),
  links: z.object({ address: z.string().nullish(), tx: z.string().nullish() }).nullish().catch(null),
});
export type MessageParts = z.infer<typeof messageShape>;

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** Reads the parts in `messageShape`. Samples and evidence, which are most of an explanation, stay in the database. */
const messageParts = sql`jsonb_build_object('clause', e.explanation -> 'clause', 'decoded', e.explanation -> 'decoded',
  'names', coalesce(e.explanation -> 'names', '{}'), 'links', e.explanation -> 'links',
  'conditions', case when e.explanation ? 'conditions' then '[]'::jsonb end)`;

/** Returns the alerts that the channel of a delivery must not receive, as results of `withheldKey`. */
export async function listWithheld(db: Db, delivery_ids: string[]): Promise<Set<string>> {
  if (delivery_ids.length === 0) return new Set();
  const { rows } = await sql<{ delivery_id: string; id: string }>`
    select l.delivery_id, e.id
    from delivery_notices l
    join channels ch on ch.id = l.channel_id
    join alert_events e on e.id = l.event_id
    left join contracts c on c.id = e.contract_id
    where l.delivery_id = any(${delivery_ids}::uuid[]) and not ${mayReceive}`.execute(db);
  return new Set(rows.map(withheldKey));
}

export function withheldKey({ delivery_id, id }: { delivery_id: string; id: string }): string {
  return `${delivery_id} ${id}`;
}

/**
 * Returns the follow-up deliveries whose `fired` delivery failed or was cancelled: their recipient does not know of
 * the alert.
 */
export async function listObsolete(db: Db, delivery_ids: string[]): Promise<Set<string>> {
  if (delivery_ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select d.id from deliveries d
    where d.id = any(${delivery_ids}::uuid[]) and d.kind in ('acknowledged', 'resolved', 'retracted') and not exists (
      select 1 from delivery_notices own
      join delivery_notices other on other.event_id = own.event_id and other.channel_id = own.channel_id
      join deliveries p on p.id = other.delivery_id
      where own.delivery_id = d.id and p.kind in ('fired', 'escalated')
        and (p.status not in ('failed', 'skipped', 'silenced') or (p.status = 'failed' and d.kind = 'retracted')))`.execute(
    db,
  );
  return new Set(rows.map((row) => row.id));
}
