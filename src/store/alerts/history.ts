import { type RawBuilder, sql } from "kysely";
import type { PagePoint } from "../../wire/page-point.ts";
import { type EventRow, parseEvent } from "../engine/alert-events.ts";
import { finalityNow } from "../engine/finality.ts";
import type { Db } from "../open-store.ts";
import { type Expiry, isRetained } from "../orgs/retention-overrides.ts";
import { isAfter } from "../slice.ts";
import { isEditable, isScopedKey, isUnrestricted, isVisible, type Viewer } from "../viewer.ts";

export type HistoryFilter = {
  rule_id?: string | undefined;
  contract_id?: string | undefined;
  agent_id?: string | undefined;
  severity?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  status?: string | undefined;
  kind?: string | undefined;
  chain?: string | undefined;
  target_type?: string | undefined;
  acknowledged?: boolean | undefined;
  limit: number;
  offset: number;
  after?: PagePoint | undefined;
  /** Excludes events that were detected, or released after their confirmations, later than this. */
  detectedBy?: Date | undefined;
};

/**
 * Lists the events that the viewer sees, newest first. The inner query finds the page by ids in the index, so that
 * the deepest page costs little more than the first.
 */
export async function listEvents(db: Db, viewer: Viewer, filter: HistoryFilter): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    with page as (
      select e.id, e.fired_at from alert_events e
      where ${sql.join(conditions(viewer, filter), sql` and `)}
      order by e.fired_at desc, e.id desc
      limit ${filter.limit} offset ${filter.offset})
    select e.*, ${finalityNow} from page join alert_events e using (id)
    order by e.fired_at desc, e.id desc`.execute(db);
  return rows.map(parseEvent);
}

export async function findEvent(db: Db, viewer: Viewer, event_id: string): Promise<EventRow | undefined> {
  const { rows } = await sql<EventRow>`
    select e.*, ${finalityNow} from alert_events e
    where e.id = ${event_id} and ${sql.join(conditions(viewer, {}), sql` and `)}`.execute(db);
  return rows[0] && parseEvent(rows[0]);
}

/** Lists events by id without a visibility check, which is up to the caller. */
export async function listEventsByIds(db: Db, org_id: string, ids: string[]): Promise<EventRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<EventRow>`
    select e.*, ${finalityNow} from alert_events e
    where e.org_id = ${org_id} and e.id = any(${ids}::uuid[]) and e.held_for is null`.execute(db);
  return rows.map(parseEvent);
}

/** Returns which of some events the viewer sees, and whether they may change the contract of each. */
export async function listEventAccess(
  db: Db,
  viewer: Viewer,
  ids: string[],
): Promise<Map<string, { isEditable: boolean }>> {
  const { rows } = await sql<{ id: string; is_editable: boolean }>`
    select e.id, coalesce(
      (select ${isEditable(viewer, sql`c`)} from contracts c where c.id = e.contract_id), true) as is_editable
    from alert_events e
    where e.id = any(${ids}::uuid[]) and ${sql.join(conditions(viewer, {}), sql` and `)}`.execute(db);
  return new Map(rows.map(({ id, is_editable }) => [id, { isEditable: is_editable }]));
}

/** Acknowledges the events that are firing or have occurred, and returns their ids. */
export async function acknowledgeEvents(
  db: Db,
  org_id: string,
  ids: string[],
  by: { user_id: string | null; at: Date },
): Promise<Set<string>> {
  // In one order, so that two requests do not wait for each other. Notices about the events are still written meanwhile.
  const { rows } = await sql<{ id: string }>`
    with open as (
      select id from alert_events
      where org_id = ${org_id} and id = any(${ids}::uuid[]) and status in ('firing', 'occurred')
      order by id for no key update)
    update alert_events e set status = 'acknowledged', acknowledged_at = ${by.at}, acknowledged_by = ${by.user_id}
    from open where e.id = open.id returning e.id`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Acknowledges an event that is firing or has occurred. The first acknowledgement wins. */
export async function acknowledgeEvent(
  db: Db,
  org_id: string,
  event_id: string,
  by: { user_id: string | null; at: Date },
): Promise<boolean> {
  const row = await db
    .updateTable("alert_events")
    .set({ status: "acknowledged", acknowledged_at: by.at, acknowledged_by: by.user_id })
    .where("org_id", "=", org_id)
    .where("id", "=", event_id)
    .where("status", "in", ["firing", "occurred"])
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** The conditions on the events `e` of a filter that the viewer sees. */
export function conditions(viewer: Viewer, filter: Partial<HistoryFilter>): RawBuilder<unknown>[] {
  const { rule_id, contract_id, agent_id, severity, from, to, detectedBy } = filter;
  const { status, kind, chain, target_type, acknowledged, after } = filter;
  return [
    sql`e.org_id = ${viewer.org_id} and e.held_for is null`,
    ...(isUnrestricted(viewer) ? [] : [isEventVisible(viewer)]),
    ...(rule_id ? [sql`e.rule_id = ${rule_id}`] : []),
    ...(contract_id ? [sql`e.contract_id = ${contract_id}`] : []),
    ...(agent_id ? [sql`e.agent_id = ${agent_id}`] : []),
    ...(severity ? [sql`e.severity = ${severity}`] : []),
    ...(from ? [sql`e.fired_at >= ${new Date(from)}`] : []),
    ...(to ? [sql`e.fired_at <= ${new Date(to)}`] : []),
    ...(detectedBy ? [sql`e.detected_at <= ${detectedBy}`] : []),
    ...(status ? [sql`e.status = ${status}`] : []),
    ...(kind ? [sql`e.kind = ${kind}`] : []),
    ...(chain ? [sql`e.chain = ${chain}`] : []),
    ...(target_type ? [sql`e.target_type = ${target_type}`] : []),
    ...(acknowledged === undefined ? [] : [sql`(e.acknowledged_at is not null) = ${acknowledged}`]),
    ...(after ? [isAfter(after, sql`e.fired_at`, sql`e.id`)] : []),
  ];
}

/**
 * True for the events `e`, or other rows about a contract, that the viewer sees. Events without a contract are visible to the
 * whole org, but not to a key that is restricted to contracts. Events of a deleted contract are visible to admins only, since
 * its grants are gone.
 */
export function isEventVisible(viewer: Viewer, event: RawBuilder<unknown> = sql`e`): RawBuilder<boolean> {
  const seen = sql<boolean>`exists (
    select 1 from contracts c where c.id = ${event}.contract_id and ${isVisible(viewer, sql`c`)})`;
  return isScopedKey(viewer) ? seen : sql<boolean>`(${event}.contract_id is null or ${seen})`;
}

/** A rule, a target or a contract, by id. */
export type Monitored = { rule_id: string } | { target_id: string } | { contract_id: string };

function columnOf(of: Monitored): ["rule_id" | "target_id" | "contract_id", string] {
  return Object.entries(of)[0] as ["rule_id" | "target_id" | "contract_id", string];
}

/** Lists the live rules of the subject that notify on resolve. */
export async function listNotifyingRules(db: Db, org_id: string, of: Monitored): Promise<Set<string>> {
  const [column, id] = columnOf(of);
  const rows = await db
    .selectFrom("alert_rules")
    .select("id")
    .where("org_id", "=", org_id)
    .where(column === "rule_id" ? "id" : column, "=", id)
    .where("notify_on_resolve", "=", true)
    .where("mode", "=", "live")
    .execute();
  return new Set(rows.map((row) => row.id));
}

/** Resolves the open events of a rule, target or contract that was changed or deleted, and returns them. */
export async function resolveOpenEvents(
  db: Db,
  org_id: string,
  of: Monitored,
  now: Date,
): Promise<{ id: string; rule_id: string | null; is_silent: boolean; held_for: string | null }[]> {
  const [column, id] = columnOf(of);
  return db
    .updateTable("alert_events")
    .set({ status: "resolved", resolved_at: now })
    .where("org_id", "=", org_id)
    .where(column, "=", id)
    .where("status", "in", ["firing", "acknowledged"])
    .where("is_occurrence", "=", false)
    .returning(["id", "rule_id", "is_silent", "held_for"])
    .execute();
}

/** Deletes the events of an org on a chain. */
export async function deleteEventsOn(db: Db, org_id: string, chain: string): Promise<void> {
  await db.deleteFrom("alert_events").where("org_id", "=", org_id).where("chain", "=", chain).execute();
}

/** Deletes up to `limit` expired events of the orgs of a tier and returns how many. */
export async function deleteEventsBefore(
  db: Db,
  { tier, before, now }: Expiry,
  limit: number,
): Promise<number> {
  const { rows } = await sql`
    delete from alert_events where id in (
      select e.id from alert_events e join orgs o on o.id = e.org_id
      where o.tier = ${tier} and e.held_for is null and e.fired_at < ${before}
        and (e.status in ('resolved', 'retracted') or e.is_occurrence) and not ${isRetained(sql`e.fired_at`, now)}
      limit ${limit})
    returning id`.execute(db);
  return rows.length;
}
