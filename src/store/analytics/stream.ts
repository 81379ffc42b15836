import { sql } from "kysely";
import type { Db } from "../open-store.ts";
import type { Audience } from "../viewer.ts";

/** Messages per org that a client can resume from. */
export const ringSize = 1_000;

/** An advisory lock id of its own. */
const sequencerLock = 7_061_001;

export type StreamRow = {
  seq: string;
  event: string;
  subject_id: string;
  contract_id: string | null;
  chain_id: string | null;
  was_restricted: boolean | null;
};

/**
 * Assigns sequence numbers to queued announcements and deletes messages that fall out of the ring. An advisory lock
 * admits one process at a time. Returns the orgs with new messages and whether more wait.
 */
export async function sequenceMessages(
  db: Db,
  batch: number,
): Promise<{ org_ids: string[]; hasMore: boolean }> {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${sequencerLock})`.execute(tx);
    const { rows } = await sql<{ org_id: string; total: string; head: string }>`
      with taken as (
        delete from stream_queue where id in (select id from stream_queue order by id limit ${batch}) returning *),
      known as (select t.* from taken t join orgs o on o.id = t.org_id),
      counted as (select org_id, count(*) as total from known group by org_id),
      heads as (
        insert into stream_heads as h (org_id, seq) select org_id, total from counted
        on conflict (org_id) do update set seq = h.seq + excluded.seq
        returning org_id, seq),
      numbered as (
        insert into stream_messages (org_id, seq, event, subject_id, contract_id, chain_id, was_restricted)
        select k.org_id, h.seq - c.total + row_number() over (partition by k.org_id order by k.id),
          k.event, k.subject_id, k.contract_id, k.chain_id, k.was_restricted
        from known k join heads h using (org_id) join counted c using (org_id))
      select c.org_id, c.total, h.seq as head from counted c join heads h using (org_id)`.execute(tx);
    for (const { org_id, head } of rows) {
      await sql`delete from stream_messages where org_id = ${org_id} and seq <= ${Number(head) - ringSize}`.execute(
        tx,
      );
    }
    const taken = rows.reduce((sum, { total }) => sum + Number(total), 0);
    return { org_ids: rows.map(({ org_id }) => org_id), hasMore: taken >= batch };
  });
}

/** Returns the sequence number of the org's newest message, or 0. */
export async function findHead(db: Db, org_id: string): Promise<number> {
  const row = await db
    .selectFrom("stream_heads")
    .select("seq")
    .where("org_id", "=", org_id)
    .executeTakeFirst();
  return Number(row?.seq ?? 0);
}

/** Lists the messages of an org after a sequence number, in order. */
export async function listMessages(
  db: Db,
  org_id: string,
  after: number,
  limit: number,
): Promise<StreamRow[]> {
  const { rows } = await sql<StreamRow>`
    select seq, event, subject_id, contract_id, chain_id, was_restricted from stream_messages
    where org_id = ${org_id} and seq > ${after} order by seq limit ${limit}`.execute(db);
  return rows;
}

/** Returns who can see each of some contracts; deleted contracts are missing from the map. */
export async function listAudiences(db: Db, contract_ids: string[]): Promise<Map<string, Audience>> {
  if (contract_ids.length === 0) return new Map();
  type Row = { id: string; org_id: string; chain_id: string; is_restricted: boolean; grantees: string[] };
  const { rows } = await sql<Row>`
    select c.id, c.org_id, c.chain_id, c.is_restricted, array(
      select g.user_id from contract_grants g where g.contract_id = c.id) as grantees
    from contracts c where c.id = any(${contract_ids}::uuid[])`.execute(db);
  return new Map(
    rows.map(({ chain_id, grantees, ...row }) => [
      row.id,
      { ...row, chain_id: Number(chain_id), grantees: new Set(grantees) },
    ]),
  );
}

/** Lists the live sessions among `ids`, with the active org and role of their users. */
export async function listLiveSessions(
  db: Db,
  session_ids: string[],
  now: Date,
  idleSince: Date,
): Promise<Map<string, { org_id: string; role: string }>> {
  if (session_ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; org_id: string; role: string }>`
    select s.id, m.org_id, m.role from sessions s
    join users u on u.id = s.user_id and u.status = 'active'
    join memberships m on m.user_id = u.id and m.org_id = u.active_org_id
    where s.id = any(${session_ids}::uuid[]) and s.expires_at > ${now} and s.last_used_at > ${idleSince}`.execute(
    db,
  );
  return new Map(rows.map(({ id, ...where }) => [id, where]));
}

export async function listLiveKeys(db: Db, key_ids: string[], now: Date): Promise<Set<string>> {
  if (key_ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select id from api_keys
    where id = any(${key_ids}::uuid[]) and is_active and (expires_at is null or expires_at > ${now})`.execute(
    db,
  );
  return new Set(rows.map(({ id }) => id));
}

export type FailedDelivery = {
  id: string;
  channel_id: string;
  channel_type: string;
  channel_name: string;
  last_error: string | null;
  attempts: number;
  event_ids: string[];
  contract_ids: string[];
};

/** Lists failed deliveries with the contracts of their events. */
export async function listFailedDeliveries(db: Db, org_id: string, ids: string[]): Promise<FailedDelivery[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<FailedDelivery>`
    select d.id, d.channel_id, d.channel_type, d.channel_name, d.last_error, d.attempts,
      array(select distinct n.event_id from delivery_notices n
        where n.delivery_id = d.id and n.event_id is not null) as event_ids,
      array(select distinct n.contract_id from delivery_notices n
        where n.delivery_id = d.id and n.contract_id is not null) as contract_ids
    from deliveries d where d.org_id = ${org_id} and d.id = any(${ids}::uuid[])`.execute(db);
  return rows;
}

export type MetricRow = {
  target_id: string;
  contract_id: string;
  value: number;
  at: Date;
  unit: string | null;
};

/** Lists the newest readings of an org's targets since a time, at most 1,000, oldest first. */
export async function listReadings(db: Db, org_id: string, since: Date): Promise<MetricRow[]> {
  const { rows } = await sql<MetricRow>`
    select id as target_id, contract_id, last_value as value, last_value_at as at, unit from targets
    where org_id = ${org_id} and last_value is not null and last_value_at > ${since}
    order by last_value_at desc limit 1000`.execute(db);
  return rows.reverse();
}

/** True when the org has a restricted contract. */
export async function orgHasRestricted(db: Db, org_id: string): Promise<boolean> {
  const row = await db
    .selectFrom("contracts")
    .select("id")
    .where("org_id", "=", org_id)
    .where("is_restricted", "=", true)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
