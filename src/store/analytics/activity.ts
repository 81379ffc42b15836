import { type RawBuilder, sql } from "kysely";
import type { Severity } from "../../lib/severity.ts";
import { isEventVisible } from "../alerts/history.ts";
import type { Db } from "../open-store.ts";
import { isUnrestricted, type Viewer } from "../viewer.ts";

/** Fire drills are not alerts. */
const isAlert = sql<boolean>`(e.held_for is null and e.kind <> 'test')`;

/** An advisory lock id of its own. */
const countingLock = 7_061_002;

export type OrgHour = { org_id: string; hour: Date };

/** Lists up to `limit` touched hours: the first one of each org before the second ones. */
export async function listHoursInTurn(db: Db, limit: number): Promise<OrgHour[]> {
  const { rows } = await sql<OrgHour>`
    with recursive orgs as (
      (select org_id from alert_hours_touched order by org_id limit 1)
      union all
      select (select t.org_id from alert_hours_touched t where t.org_id > o.org_id order by t.org_id limit 1)
      from orgs o where o.org_id is not null)
    select o.org_id, first.hour from orgs o cross join lateral (
      select hour, row_number() over (order by hour) as turn from (
        select distinct t.hour from alert_hours_touched t where t.org_id = o.org_id order by t.hour limit ${limit}) h) first
    order by first.turn, first.hour limit ${limit}`.execute(db);
  return rows;
}

/** Recounts touched hours. An advisory lock admits one process at a time. */
export async function recountHours(db: Db, touched: OrgHour[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${countingLock})`.execute(tx);
    const { rows } = await sql<OrgHour>`
      with taken as (
        delete from alert_hours_touched t using ${asTable(touched)} as s (org_id, hour)
        where t.org_id = s.org_id and t.hour = s.hour returning t.org_id, t.hour)
      select distinct org_id, hour from taken`.execute(tx);
    if (rows.length === 0) return;
    const hours = asTable(rows);
    await sql`
      delete from alert_hours h using ${hours} as t (org_id, hour)
      where h.org_id = t.org_id and h.hour = t.hour`.execute(tx);
    await sql`
      insert into alert_hours (org_id, hour, contract_id, chain_id, target_type, severity, is_whole, total)
      select e.org_id, t.hour, e.contract_id, e.chain_id, e.target_type, e.severity, grouping(e.contract_id) = 1, count(*)
      from ${hours} as t (org_id, hour)
      join alert_events e on e.org_id = t.org_id and ${isAlert}
        and e.fired_at >= t.hour and e.fired_at < t.hour + interval '1 hour'
      group by grouping sets (
        (e.org_id, t.hour, e.contract_id, e.chain_id, e.target_type, e.severity),
        (e.org_id, t.hour, e.chain_id, e.target_type, e.severity))`.execute(tx);
  });
}

function asTable(hours: OrgHour[]) {
  return sql`unnest(${hours.map(({ org_id }) => org_id)}::uuid[], ${hours.map(({ hour }) => hour)}::timestamptz[])`;
}

export type ActivityFilter = {
  contract_id?: string | undefined;
  chain_id?: number | undefined;
  target_type?: string | undefined;
  severity?: string | undefined;
  /** Not part of the precomputed counts: with a status, all spans must be `raw`. */
  status?: string | undefined;
};

/** A half-open span of time: `to` is excluded. */
export type Span = { from: Date; to: Date };

/** Lists the hours of a span that changed since they were counted. */
export async function listTouchedHours(db: Db, org_id: string, { from, to }: Span): Promise<Date[]> {
  const { rows } = await sql<{ hour: Date }>`
    select distinct hour from alert_hours_touched
    where org_id = ${org_id} and hour >= ${from} and hour < ${to} order by hour`.execute(db);
  return rows.map(({ hour }) => hour);
}

export type ActivityCount = { at: Date; severity: Severity; total: number };

/**
 * Counts alerts by bucket and severity. Whole hours come from the precomputed counts, the spans in `raw` from the
 * events.
 */
export async function countActivity(
  db: Db,
  viewer: Viewer,
  filter: ActivityFilter,
  spans: { counted: Span; except: Date[]; raw: Span[] },
  bucket: string,
): Promise<ActivityCount[]> {
  const matches = sql.join(conditions(viewer, filter), sql` and `);
  const isWhole = isUnrestricted(viewer) && !filter.contract_id;
  const { rows } = await sql<{ at: Date; severity: ActivityCount["severity"]; total: string }>`
    select at, severity, sum(total) as total from (
      select date_trunc(${bucket}, e.hour, 'UTC') as at, e.severity, sum(e.total) as total from alert_hours e
      where e.hour >= ${spans.counted.from} and e.hour < ${spans.counted.to}
        and e.hour <> all(${spans.except}::timestamptz[]) and e.is_whole = ${isWhole} and ${matches}
      group by 1, 2
      union all
      select date_trunc(${bucket}, e.fired_at, 'UTC'), e.severity, count(*)
      from unnest(${spans.raw.map(({ from }) => from)}::timestamptz[], ${spans.raw.map(({ to }) => to)}::timestamptz[])
        as span (since, until)
      join alert_events e on e.fired_at >= span.since and e.fired_at < span.until and ${isAlert} and ${matches}
        and ${hasStatus(filter)}
      group by 1, 2) parts
    group by 1, 2 order by 1`.execute(db);
  return rows.map(({ total, ...row }) => ({ ...row, total: Number(total) }));
}

/** Lists one page of alerts, newest first. */
export async function listActivity(
  db: Db,
  viewer: Viewer,
  filter: ActivityFilter,
  { from, to }: Span,
  page: { limit: number; offset: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select e.id from alert_events e
    where ${isAlert} and e.fired_at >= ${from} and e.fired_at < ${to}
      and ${sql.join(conditions(viewer, filter), sql` and `)} and ${hasStatus(filter)}
    order by e.fired_at desc, e.id desc limit ${page.limit} offset ${page.offset}`.execute(db);
  return rows.map(({ id }) => id);
}

function hasStatus({ status }: ActivityFilter): RawBuilder<unknown> {
  return status ? sql`e.status = ${status}` : sql`true`;
}

function conditions(viewer: Viewer, filter: ActivityFilter): RawBuilder<unknown>[] {
  const { contract_id, chain_id, target_type, severity } = filter;
  return [
    sql`e.org_id = ${viewer.org_id}`,
    ...(isUnrestricted(viewer) ? [] : [isEventVisible(viewer)]),
    ...(contract_id ? [sql`e.contract_id = ${contract_id}`] : []),
    ...(chain_id !== undefined ? [sql`e.chain_id = ${chain_id}`] : []),
    ...(target_type ? [sql`e.target_type = ${target_type}`] : []),
    ...(severity ? [sql`e.severity = ${severity}`] : []),
  ];
}
