import { sql } from "kysely";
import { arrayText } from "../array-text.ts";
import type { Db } from "../open-store.ts";

/** The newest reading of a generation of a target, why it could not be read, or that it can be read again. */
export type Progress = { generation: number } & (
  | { value: number | null; time: number }
  | { problem: string; isUnsupported: boolean }
  | { isReadable: true }
);

/** Writes the newest readings to targets and the last activity to contracts. */
export async function recordReadings(
  db: Db,
  readings: ReadonlyMap<string, Progress>,
  activity: ReadonlyMap<string, number>,
): Promise<void> {
  await recordActivity(db, activity);
  await recordValues(db, [...readings]);
}

async function recordActivity(db: Db, activity: ReadonlyMap<string, number>): Promise<void> {
  if (activity.size === 0) return;
  await sql`
    update contracts c set last_activity_at = to_timestamp(u.time)
    from unnest(${arrayText([...activity.keys()])}::uuid[], ${arrayText([...activity.values()])}::float8[]) as u (id, time)
    where c.id = u.id and (c.last_activity_at is null or c.last_activity_at < to_timestamp(u.time))`.execute(
    db,
  );
}

async function recordValues(db: Db, readings: [string, Progress][]): Promise<void> {
  if (readings.length === 0) return;
  const values = readings.map(([, progress]) => ("value" in progress ? progress.value : null));
  const times = readings.map(([, progress]) => ("time" in progress ? progress.time : null));
  const unsupported = readings.map(([, progress]) => "problem" in progress && progress.isUnsupported);
  const problems = readings.map(([, progress]) => ("problem" in progress ? progress.problem : null));
  const readable = readings.map(([, progress]) => "isReadable" in progress);
  await sql`
    update targets t set
      last_value = coalesce(u.value, t.last_value),
      last_value_at = coalesce(to_timestamp(u.time), t.last_value_at),
      status = case when u.problem is null then 'ok' when u.unsupported then 'unsupported' else 'error' end,
      -- A reading says nothing about the names in rules.
      status_code = case when u.problem is null and t.status_code = 'unresolved_rule_names' then t.status_code
        when u.problem is null then null when u.unsupported then 'unsupported_config' else 'read_failed' end,
      status_reason =
        case when u.problem is null and t.status_code = 'unresolved_rule_names' then t.status_reason else u.problem end
    from unnest(${arrayText(readings.map(([id]) => id))}::uuid[],
      ${arrayText(readings.map(([, progress]) => progress.generation))}::int[], ${arrayText(values)}::float8[],
      ${arrayText(times)}::float8[], ${problems}::text[], ${unsupported}::boolean[], ${readable}::boolean[])
      as u (id, generation, value, time, problem, unsupported, readable)
    where t.id = u.id and t.generation = u.generation
      and (not u.readable or t.status_code = 'read_failed')`.execute(db);
}
