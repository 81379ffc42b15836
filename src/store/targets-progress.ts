import { sql } from "kysely";
import type { Db } from "./open.ts";

/** The newest reading of a target, or why there is none; of one generation of it. */
export type Progress = { generation: number } & (
  | { value: number | null; time: number }
  | { problem: string }
);

/** Shows on targets and contracts what the engine saw last. */
export async function noteReadings(
  db: Db,
  readings: ReadonlyMap<string, Progress>,
  activity: ReadonlyMap<string, number>,
): Promise<void> {
  await noteActivity(db, activity);
  await noteValues(db, [...readings]);
}

async function noteActivity(db: Db, activity: ReadonlyMap<string, number>): Promise<void> {
  if (activity.size === 0) return;
  await sql`
    update contracts c set last_activity_at = u.at
    from unnest(${[...activity.keys()]}::uuid[], ${[...activity.values()].map(toDate)}::timestamptz[]) as u (id, at)
    where c.id = u.id and (c.last_activity_at is null or c.last_activity_at < u.at)`.execute(db);
}

async function noteValues(db: Db, readings: [string, Progress][]): Promise<void> {
  if (readings.length === 0) return;
  const values = readings.map(([, one]) => ("value" in one ? one.value : null));
  const times = readings.map(([, one]) => ("time" in one ? toDate(one.time) : null));
  const problems = readings.map(([, one]) => ("problem" in one ? one.problem : null));
  await sql`
    update targets t set
      last_value = coalesce(u.value, t.last_value),
      last_value_at = coalesce(u.at, t.last_value_at),
      status = case when u.problem is null then 'ok' else 'error' end,
      status_reason = u.problem
    from unnest(${readings.map(([id]) => id)}::uuid[], ${readings.map(([, one]) => one.generation)}::int[],
      ${values}::float8[], ${times}::timestamptz[], ${problems}::text[]) as u (id, generation, value, at, problem)
    where t.id = u.id and t.generation = u.generation`.execute(db);
}

function toDate(time: number): Date {
  return new Date(time * 1000);
}
