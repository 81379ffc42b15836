import { sql } from "kysely";
import { type Evidence, parseEvidence } from "../engine/evidence.ts";
import type { Db } from "../open-store.ts";
import { isVisible, type Viewer } from "../viewer.ts";
import type { Span } from "./activity.ts";

/** The heartbeat of a feed whose target sets none. */
export const defaultHeartbeatSeconds = 3_600;

export type FeedRow = {
  contract_id: string;
  chain: string;
  chain_id: string;
  address: string;
  label: string;
  target_id: string | null;
  generation: number | null;
  price_status: string | null;
  target_types: string[];
  heartbeat_seconds: number;
};

const heartbeat = sql`coalesce((
  select (s.config ->> 'heartbeat_seconds')::int from targets s
  where s.contract_id = c.id and s.target_type = 'oracle_staleness'), ${sql.lit(defaultHeartbeatSeconds)})`;

/** Lists the visible contracts with an oracle target, or the given one. */
export async function listFeeds(db: Db, viewer: Viewer, contract_id?: string): Promise<FeedRow[]> {
  const { rows } = await sql<FeedRow>`
    select c.id as contract_id, c.chain, c.chain_id, c.address, c.label, p.id as target_id, p.generation,
      p.status as price_status, o.target_types, ${heartbeat} as heartbeat_seconds
    from contracts c
    join lateral (
      select array_agg(t.target_type order by t.target_type) as target_types from targets t
      where t.contract_id = c.id and t.target_type in ('oracle_price', 'oracle_deviation', 'oracle_staleness')) o
      on o.target_types is not null
    left join targets p on p.contract_id = c.id and p.target_type = 'oracle_price'
    where ${isVisible(viewer, sql`c`)} ${contract_id === undefined ? sql`` : sql`and c.id = ${contract_id}`}
    order by c.created_at desc, c.id desc`.execute(db);
  return rows;
}

/** Returns the newest round of a feed from its samples. */
export async function findFeedRound(
  db: Db,
  contract_id: string,
  series_id: string,
): Promise<{ updated_at: number; heartbeat_seconds: number } | undefined> {
  const { rows } = await sql<{ updated_at: number | null; heartbeat_seconds: number }>`
    select (s.evidence ->> 'updated_at')::float8 as updated_at, ${heartbeat} as heartbeat_seconds
    from contracts c, lateral (
      select evidence from samples where series_id = ${series_id} order by at desc, height desc, position desc limit 1) s
    where c.id = ${contract_id}`.execute(db);
  const [row] = rows;
  return row?.updated_at
    ? { updated_at: row.updated_at, heartbeat_seconds: row.heartbeat_seconds }
    : undefined;
}

export type RoundRow = { at: Date; price: number; evidence: Evidence };

/** Returns the newest sample of each series. */
export async function listNewestRounds(db: Db, series_ids: string[]): Promise<Map<string, RoundRow>> {
  if (series_ids.length === 0) return new Map();
  const { rows } = await sql<Omit<RoundRow, "evidence"> & { series_id: string; evidence: unknown }>`
    select s.* from unnest(${series_ids}::uuid[]) as wanted (id)
    cross join lateral (
      select series_id, at, value as price, evidence from samples where series_id = wanted.id
      order by at desc, height desc, position desc limit 1) s`.execute(db);
  return new Map(
    rows.map(({ series_id, evidence, ...row }) => [series_id, { ...row, evidence: parseEvidence(evidence) }]),
  );
}

/** Lists the first sample of each round in a span, oldest first; with a limit, the newest rounds. */
export async function listRounds(
  db: Db,
  series_id: string,
  { from, to }: Span,
  limit: number,
): Promise<{ at: Date; price: number; round_id: string | null }[]> {
  const { rows } = await sql<{ at: Date; price: number; round_id: string | null }>`
    select * from (
      select min(at) as at, (array_agg(value order by at))[1] as price, evidence ->> 'round_id' as round_id
      from samples where series_id = ${series_id} and at >= ${from} and at < ${to}
      group by 3 order by 1 desc limit ${limit}) rounds
    order by at`.execute(db);
  return rows;
}
