import { type Insertable, type Selectable, sql } from "kysely";
import { replaceInSteps, usesInStep } from "../alerts/escalations.ts";
import { limitFairly } from "../alerts/fair-limit.ts";
import type { Db } from "../open-store.ts";
import { jsonObject, type Parsed, rowParser } from "../parse-row.ts";
import type { Database } from "../tables.ts";
import { isEditable, type Viewer } from "../viewer.ts";

const json = { config: jsonObject };
const parseChannel = rowParser("channels", json);

export type ChannelRow = Parsed<Selectable<Database["channels"]>, typeof json>;

export async function insertChannel(db: Db, channel: Insertable<Database["channels"]>): Promise<ChannelRow> {
  const row = await db.insertInto("channels").values(channel).returningAll().executeTakeFirstOrThrow();
  return parseChannel(row);
}

export type ChannelFilter = {
  type?: string | undefined;
  status?: ChannelRow["status"] | undefined;
};

/** Lists the channels of an org, oldest first. */
export async function listChannels(
  db: Db,
  org_id: string,
  { type, status }: ChannelFilter = {},
): Promise<ChannelRow[]> {
  let select = db.selectFrom("channels").selectAll().where("org_id", "=", org_id);
  if (type !== undefined) select = select.where("type", "=", type);
  if (status !== undefined) select = select.where("status", "=", status);
  const rows = await select.orderBy("created_at").orderBy("id").execute();
  return rows.map(parseChannel);
}

export async function findChannel(
  db: Db,
  org_id: string,
  channel_id: string,
): Promise<ChannelRow | undefined> {
  const row = await db
    .selectFrom("channels")
    .selectAll()
    .where("org_id", "=", org_id)
    .where("id", "=", channel_id)
    .executeTakeFirst();
  return row && parseChannel(row);
}

/**
 * Locks a channel until the transaction ends, so that concurrent changes of its config do not overwrite each other. Messages and
 * rules for it are still written meanwhile, unless it is being removed.
 */
export async function lockChannel(
  db: Db,
  org_id: string,
  channel_id: string,
  { forRemoval = false } = {},
): Promise<ChannelRow | undefined> {
  const query = db
    .selectFrom("channels")
    .selectAll()
    .where("org_id", "=", org_id)
    .where("id", "=", channel_id);
  const row = await (forRemoval ? query.forUpdate() : query.forNoKeyUpdate()).executeTakeFirst();
  return row && parseChannel(row);
}

/** Changes a channel. `isRenewed` resets its health, because the destination changed. */
export async function updateChannel(
  db: Db,
  org_id: string,
  channel_id: string,
  { isRenewed, ...change }: Partial<Insertable<Database["channels"]>> & { isRenewed: boolean },
): Promise<ChannelRow> {
  const resetHealth = {
    status: "ok" as const,
    last_error: null,
    failures: 0,
    first_failure_at: null,
    failing_since: null,
    next_send_at: null,
    revision: sql<number>`revision + 1`,
  };
  const row = await db
    .updateTable("channels")
    .set({ ...change, ...(isRenewed && resetHealth) })
    .where("org_id", "=", org_id)
    .where("id", "=", channel_id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return parseChannel(row);
}

/** Deletes a channel and removes it from the rules that use it. */
export async function deleteChannel(
  db: Db,
  org_id: string,
  channel_id: string,
): Promise<ChannelRow | undefined> {
  const row = await db
    .deleteFrom("channels")
    .where("org_id", "=", org_id)
    .where("id", "=", channel_id)
    .returningAll()
    .executeTakeFirst();
  await sql`
    update alert_rules set channel_ids = array_remove(channel_ids, ${channel_id}::uuid)
    where org_id = ${org_id} and ${channel_id}::uuid = any(channel_ids)`.execute(db);
  await replaceInSteps(db, org_id, channel_id, null);
  return row && parseChannel(row);
}

/** True when rules notify the channel that are on contracts which the viewer may not change. */
export async function servesOthers(db: Db, viewer: Viewer, channel_id: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from alert_rules r join contracts c on c.id = r.contract_id
    where r.org_id = ${viewer.org_id}
      and (r.channel_id = ${channel_id} or ${channel_id}::uuid = any(r.channel_ids) or ${usesInStep(channel_id)})
      and not ${isEditable(viewer, sql`c`)} limit 1`.execute(db);
  return rows.length > 0;
}

/** Lists channels of any org by id, for delivery. */
export async function listChannelsByIds(db: Db, ids: string[]): Promise<ChannelRow[]> {
  if (ids.length === 0) return [];
  const rows = await db.selectFrom("channels").selectAll().where("id", "in", ids).execute();
  return rows.map(parseChannel);
}

/** Returns the ids of the channels whose revision is unchanged. */
export async function listUnchanged(
  db: Db,
  channels: Pick<ChannelRow, "id" | "revision">[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select c.id from channels c join unnest(${channels.map(({ id }) => id)}::uuid[],
      ${channels.map(({ revision }) => revision)}::int[]) as u (id, revision) using (id, revision)`.execute(
    db,
  );
  return new Set(rows.map((row) => row.id));
}

export async function countChannels(db: Db, org_id: string): Promise<number> {
  const { total } = await db
    .selectFrom("channels")
    .select((query) => query.fn.countAll<string>().as("total"))
    .where("org_id", "=", org_id)
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** The effect of recorded attempts on the health of a channel. */
export type ChannelHealthUpdate = {
  channel_id: string;
  revision: number;
  succeeded: boolean;
  /** Failed attempts since the last success. */
  failures: number;
  error: string | null;
  /** A delivery failed for good. */
  gave_up: boolean;
  /** The provider rejects every message until the config changes. */
  is_dead: boolean;
  wait_until: Date | null;
};

/** A channel is failing after this many consecutive failed attempts over this time. */
const failingAfter = { attempts: 5, seconds: 300 };

/** Records the health of channels. Updates of an earlier revision are ignored. */
export async function recordChannelHealth(db: Db, updates: ChannelHealthUpdate[], now: Date): Promise<void> {
  if (updates.length === 0) return;
  await sql`
    update channels c set
      failures = case when n.succeeded then n.failures else c.failures + n.failures end,
      first_failure_at = ${firstFailure(now)},
      failing_since = case
        when n.is_dead or n.gave_up or ${isFailing(now)} then coalesce(c.failing_since, ${now})
        when n.succeeded then null else c.failing_since end,
      status = case
        when n.is_dead then 'disabled'
        when n.gave_up or ${isFailing(now)} then 'failing'
        when n.succeeded then 'ok' else c.status end,
      last_success_at = case when n.succeeded then ${now} else c.last_success_at end,
      last_error = case when n.error is null and n.succeeded then null else coalesce(n.error, c.last_error) end,
      next_send_at = n.wait_until
    from jsonb_to_recordset(${JSON.stringify(updates)}::jsonb) as n (channel_id uuid, revision integer,
      succeeded boolean, failures integer, error text, gave_up boolean, is_dead boolean, wait_until timestamptz)
    where c.id = n.channel_id and c.revision = n.revision`.execute(db);
}

/** The time of the first of the consecutive failures. */
function firstFailure(now: Date) {
  return sql`(case when n.failures = 0 then (case when n.succeeded then null else c.first_failure_at end)
    when n.succeeded then ${now} else coalesce(c.first_failure_at, ${now}) end)::timestamptz`;
}

function isFailing(now: Date) {
  return sql`(not n.succeeded and c.failures + n.failures >= ${failingAfter.attempts} and c.first_failure_at
    <= ${now}::timestamptz - make_interval(secs => ${failingAfter.seconds}))`;
}

export type FailingChannel = {
  id: string;
  org_id: string;
  name: string;
  type: string;
  last_error: string | null;
  failing_since: Date;
};

/** Lists the enabled channels that fail. */
export async function listFailingChannels(db: Db): Promise<FailingChannel[]> {
  const { rows } = await limitFairly(sql<FailingChannel>`
    select id, org_id, name, type, last_error, failing_since from channels
    where failing_since is not null and is_enabled`).execute(db);
  return rows;
}
