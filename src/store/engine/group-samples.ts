import { sql } from "kysely";
import type { Db } from "../open-store.ts";
import { type SampleRow, type StoredSample, toSampleRow } from "./samples.ts";

/** A group of a rule, by the series of the rule. */
export type SeriesGroup = { series_id: string; group: string };

/** The samples of a series after a time and not after another one; of at most `limit` groups if it is not null. */
export type SeriesSpan = { series_id: string; after: number; until: number; limit: number | null };

/** Lists the groups with samples in the span of their series, latest first; with a limit, the latest ones. */
export async function listLatestGroups(
  db: Db,
  spans: readonly SeriesSpan[],
  upTo: number,
): Promise<SeriesGroup[]> {
  if (spans.length === 0) return [];
  const { rows } = await sql<SeriesGroup>`
    select wanted.id as series_id, found.name as "group"
    from unnest(${spans.map(({ series_id }) => series_id)}::uuid[],
      ${spans.map(({ after }) => toDate(after))}::timestamptz[],
      ${spans.map(({ until }) => toDate(until))}::timestamptz[],
      ${spans.map(({ limit }) => limit)}::int[]) as wanted (id, after, until, max_groups)
    cross join lateral (
      select evidence ->> 'group' as name, max(at) as latest from samples
      where series_id = wanted.id and at > wanted.after and at <= wanted.until and height <= ${upTo}
        and (evidence ->> 'group') is not null
      group by name order by latest desc, name limit wanted.max_groups) found
    order by found.latest desc, found.name`.execute(db);
  return rows;
}

/** Lists the samples of groups after a time of each and up to a height, oldest first. */
export async function listGroupSamples(
  db: Db,
  groups: readonly (SeriesGroup & { after: number })[],
  upTo: number,
): Promise<SampleRow[]> {
  if (groups.length === 0) return [];
  const { rows } = await sql<StoredSample>`
    select s.* from unnest(${groups.map(({ series_id }) => series_id)}::uuid[],
      ${groups.map(({ group }) => group)}::text[],
      ${groups.map(({ after }) => toDate(after))}::timestamptz[]) as wanted (id, name, after)
    cross join lateral (
      select series_id, org_id, height, at, position, value, subject, evidence from samples
      where series_id = wanted.id and evidence ->> 'group' = wanted.name and at > wanted.after
        and height <= ${upTo}) s
    order by s.at, s.height, s.position`.execute(db);
  return rows.map(toSampleRow);
}

function toDate(seconds: number): string {
  return Number.isFinite(seconds) ? new Date(seconds * 1000).toISOString() : "infinity";
}
