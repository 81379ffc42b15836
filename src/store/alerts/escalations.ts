import { sql } from "kysely";
import type { Db } from "../open-store.ts";

/** The steps that a notice number leaves for each time that an event fires. */
const stepsPerRound = 100;

/** Starts to escalate events of which people are now notified, if their rule has steps. */
export async function startEscalations(
  tx: Db,
  fired: { event_id: string; occurrence: number }[],
  now: Date,
): Promise<void> {
  if (fired.length === 0) return;
  await sql`
    insert into escalations (event_id, org_id, step, round, started_at, due_at)
    select e.id, e.org_id, 0, u.round, ${now}::timestamptz,
      ${now}::timestamptz + make_interval(secs => (r.escalation -> 0 ->> 'after_seconds')::int)
    from unnest(${fired.map(({ event_id }) => event_id)}::uuid[],
      ${fired.map(({ occurrence }) => occurrence)}::int[]) as u (event_id, round)
    join alert_events e on e.id = u.event_id join alert_rules r on r.id = e.rule_id
    where jsonb_array_length(r.escalation) > 0
    on conflict (event_id) do update set step = 0, round = excluded.round, started_at = excluded.started_at,
      due_at = excluded.due_at`.execute(tx);
}

/** A step that is due. `isOpen` if the event is still unattended. */
export type DueStep = { event_id: string; org_id: string; occurrence: number; isOpen: boolean };

/** Claims steps that are due and schedules the next step of each event; the last step ends the escalation. */
export async function claimDueSteps(tx: Db, now: Date, limit: number): Promise<DueStep[]> {
  const { rows } = await sql<DueStep>`
    with due as (
      select event_id from escalations where due_at <= ${now} order by due_at limit ${limit} for update skip locked),
    known as (
      select x.event_id, x.org_id, x.step, x.round, x.started_at, r.escalation -> x.step as this,
        r.escalation -> (x.step + 1) as next, e.acknowledged_at is null and e.status in ('firing', 'occurred') as is_open
      from due join escalations x using (event_id) join alert_events e on e.id = x.event_id
      left join alert_rules r on r.id = e.rule_id),
    moved as (
      update escalations x set step = x.step + 1,
        due_at = x.started_at + make_interval(secs => (k.next ->> 'after_seconds')::int)
      from known k where x.event_id = k.event_id and k.is_open and k.next is not null),
    ended as (
      delete from escalations x using known k
      where x.event_id = k.event_id and not (k.is_open and k.next is not null))
    select event_id, org_id, round * ${stepsPerRound} + step as occurrence, is_open and this is not null as "isOpen"
    from known`.execute(tx);
  return rows;
}

/** The channels of the step that a notice is about, as SQL. */
export const channelsOfStep = sql`array(
  select jsonb_array_elements_text(r.escalation -> (n.occurrence % ${sql.lit(stepsPerRound)}) -> 'channel_ids')::uuid)`;

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
