import { type RawBuilder, sql } from "kysely";
import type { Db } from "../open-store.ts";

/**
 * The number of an escalation's notice is `round * secondsPerRound + after_seconds`: it names the step by its time, which stays the
 * same when other steps of the rule are added or removed. Steps come at most a week after the beginning.
 */
const secondsPerRound = 1_000_000;

/** The events whose steps are scheduled: given ones, or those of a rule. */
type Scope = { event_ids: string[] } | { rule_id: string };

/**
 * Schedules the next step of open events of which people were notified, by the present steps of their rules. Steps count from the
 * first notification. An event that is still firing also gets steps whose time has passed; for an occurrence, which has no end,
 * those are history: new steps must not report the occurrences of a whole week at once.
 */
export async function scheduleSteps(tx: Db, scope: Scope, now: Date): Promise<void> {
  if ("event_ids" in scope && scope.event_ids.length === 0) return;
  // What a concurrent claim has notified must be visible to the statement that follows.
  await sql`select from escalations x join alert_events e on e.id = x.event_id where ${isIn(scope)} for update of x`.execute(
    tx,
  );
  await sql`
    insert into escalations (event_id, org_id, step, round, started_at, due_at)
    select e.id, e.org_id, next.step, begun.round, begun.at, begun.at + make_interval(secs => next.step)
    from alert_events e join alert_rules r on r.id = e.rule_id
    cross join lateral (
      select n.occurrence as round, n.fanned_out_at as at from alert_notices n
      where n.event_id = e.id and n.kind = 'fired' order by n.occurrence desc limit 1) begun
    cross join lateral (
      select coalesce(max(n.occurrence % ${secondsPerRound}), 0) as step from alert_notices n
      where n.event_id = e.id and n.kind = 'escalated' and n.occurrence / ${secondsPerRound} = begun.round) sent
    cross join lateral (
      select min(s.after_seconds) as step from jsonb_to_recordset(r.escalation) as s (after_seconds int)
      where s.after_seconds > sent.step
        and (e.status = 'firing' or begun.at + make_interval(secs => s.after_seconds) > ${now}::timestamptz)) next
    where ${isIn(scope)} and e.acknowledged_at is null and begun.at is not null and next.step is not null
      and (e.status = 'firing' or (e.status = 'occurred' and e.detected_at > ${now}::timestamptz - interval '8 days'))
    on conflict (event_id) do update set step = excluded.step, round = excluded.round, started_at = excluded.started_at,
      due_at = excluded.due_at`.execute(tx);
}

function isIn(scope: Scope) {
  return "rule_id" in scope ? sql`e.rule_id = ${scope.rule_id}` : sql`e.id = any(${scope.event_ids}::uuid[])`;
}

/** A step that is due. `isOpen` if the event is still unattended. */
export type DueStep = { event_id: string; org_id: string; occurrence: number; isOpen: boolean };

/** Claims steps that are due and schedules the next step of each event; the last step ends the escalation. */
export async function claimDueSteps(tx: Db, now: Date, limit: number): Promise<DueStep[]> {
  const { rows: due } = await sql<{ event_id: string }>`
    select event_id from escalations where event_id in (${dueInTurn(now, limit)}) and due_at <= ${now}
    for update skip locked`.execute(tx);
  if (due.length === 0) return [];
  // In a statement of its own: a rule that was changed while the rows were being locked is read as it is now.
  const { rows } = await sql<DueStep>`
    with known as (
      select x.event_id, x.org_id, x.step, x.round, ${stepAt(sql`x.step`)} is not null as exists,
        (select min(s.after_seconds) from jsonb_to_recordset(r.escalation) as s (after_seconds int)
          where s.after_seconds > x.step) as next,
        e.acknowledged_at is null and e.status in ('firing', 'occurred') as is_open
      from escalations x join alert_events e on e.id = x.event_id left join alert_rules r on r.id = e.rule_id
      where x.event_id = any(${due.map(({ event_id }) => event_id)}::uuid[])),
    moved as (
      update escalations x set step = k.next, due_at = x.started_at + make_interval(secs => k.next)
      from known k where x.event_id = k.event_id and k.is_open and k.next is not null),
    ended as (
      delete from escalations x using known k
      where x.event_id = k.event_id and not (k.is_open and k.next is not null))
    select event_id, org_id, round * ${secondsPerRound} + step as occurrence, is_open and exists as "isOpen"
    from known`.execute(tx);
  return rows;
}

/**
 * The first due steps of each org before the second ones, so that the storm of one org delays no other. Skips from org to org in
 * the index, and reads at most its share of each.
 */
function dueInTurn(now: Date, limit: number) {
  return sql`
    with recursive every_org as (
      (select org_id from escalations order by org_id limit 1)
      union all
      select (select x.org_id from escalations x where x.org_id > o.org_id order by x.org_id limit 1)
      from every_org o where o.org_id is not null),
    orgs_due as materialized (
      select o.org_id from every_org o where exists (
        select from escalations x where x.org_id = o.org_id and x.due_at <= ${now}))
    select event_id from orgs_due o cross join lateral (
      select x.event_id, x.due_at, row_number() over (order by x.due_at) as turn from escalations x
      where x.org_id = o.org_id and x.due_at <= ${now}
      order by x.due_at limit (select ceil(${limit}::int / count(*)::numeric) from orgs_due)) first
    order by turn, due_at limit ${limit}`;
}

/** The step of rule `r` that comes after some seconds. */
function stepAt(after_seconds: RawBuilder<unknown>) {
  return sql`jsonb_path_query_first(r.escalation, '$[*] ? (@.after_seconds == $at)',
    jsonb_build_object('at', ${after_seconds}))`;
}

/** The channels of the step that a notice is about, as SQL. */
export const channelsOfStep = sql`array(select jsonb_array_elements_text(
  ${stepAt(sql`n.occurrence % ${sql.lit(secondsPerRound)}`)} -> 'channel_ids')::uuid)`;

/** Replaces a channel in the steps of rules, or without a replacement removes it, with the steps that it leaves empty. */
export async function replaceInSteps(db: Db, org_id: string, from: string, to: string | null): Promise<void> {
  await sql`
    update alert_rules r set escalation = coalesce((
      select jsonb_agg(jsonb_set(step, '{channel_ids}', kept.ids) order by position)
      from jsonb_array_elements(r.escalation) with ordinality as s (step, position)
      cross join lateral (
        select jsonb_agg(distinct case when id = ${from} then ${to}::text else id end) as ids
        from jsonb_array_elements_text(step -> 'channel_ids') as listed (id)
        where id <> ${from} or ${to}::text is not null) kept
      where kept.ids is not null), '[]')
    where r.org_id = ${org_id} and ${usesInStep(from)}`.execute(db);
}

/** True if a step of rule `r` notifies a channel. */
export function usesInStep(channel_id: string) {
  return sql`r.escalation @> ${JSON.stringify([{ channel_ids: [channel_id] }])}::jsonb`;
}

/** True if a channel is the only one of a step of rule `r`. */
export function isOnlyInStep(channel_id: string) {
  return sql`exists (select 1 from jsonb_array_elements(r.escalation) as step
    where step -> 'channel_ids' = ${JSON.stringify([channel_id])}::jsonb)`;
}
