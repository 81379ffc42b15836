import { sql } from "kysely";
import type { NewEvent } from "../engine/alert-events.ts";
import type { Db } from "../open-store.ts";
import { limitFairly } from "./fair-limit.ts";

/** Locks the search for one kind of problems until the transaction ends. Returns false when another process holds the lock. */
export async function lockSystemAlerts(tx: Db, kind: string): Promise<boolean> {
  const { rows } = await sql<{ is_ours: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('tocsin.system_alerts ' || ${kind}, 0)) as is_ours`.execute(
    tx,
  );
  return rows[0]?.is_ours === true;
}

/** Lists the orgs that have monitored a contract on the chain since before `before`. */
export async function listOrgsOnChain(db: Db, chain: string, before: Date): Promise<string[]> {
  const rows = await db
    .selectFrom("contracts")
    .select("org_id")
    .distinct()
    .where("chain", "=", chain)
    .where("status", "=", "MONITORING")
    .where("created_at", "<=", before)
    .execute();
  return rows.map((row) => row.org_id);
}

export type SilentTarget = {
  id: string;
  org_id: string;
  contract_id: string;
  chain: string;
  chain_id: string;
  label: string;
  name: string;
  target_type: string;
  status_reason: string | null;
  since: Date;
};

/**
 * Lists state targets without a reading for several polling intervals of their org. `types` are the polled target
 * types; the others have no reading when nothing happens, which is not a fault.
 */
export async function listSilentTargets(db: Db, types: string[], now: Date): Promise<SilentTarget[]> {
  const { rows } = await limitFairly(sql<SilentTarget>`
    select t.id, t.org_id, t.contract_id, c.chain, c.chain_id, c.label, t.name, t.target_type, t.status_reason,
      coalesce(t.last_value_at, t.created_at) as since
    from targets t
    join contracts c on c.id = t.contract_id and c.status = 'MONITORING'
    join orgs o on o.id = t.org_id
    where t.is_enabled and t.status <> 'unsupported' and t.target_type = any(${types})
      and coalesce(t.last_value_at, t.created_at)
        < ${now}::timestamptz - make_interval(secs => greatest(600, 3 * coalesce(o.polling_interval_seconds, 300)))
  `).execute(db);
  return rows;
}

export type UnmeasuredContract = {
  id: string;
  org_id: string;
  chain: string;
  chain_id: string;
  label: string;
  status_code: "no_code" | "unsupported_targets";
  status_reason: string | null;
};

/** Lists contracts whose code has gone, and those of which no target can be measured. */
export async function listUnmeasured(db: Db): Promise<UnmeasuredContract[]> {
  const { rows } = await limitFairly(sql<UnmeasuredContract>`
    select id, org_id, chain, chain_id, label, status_code, status_reason from contracts
    where status_code in ('no_code', 'unsupported_targets') and status in ('MONITORING', 'ERROR')`).execute(
    db,
  );
  return rows;
}

/** An open system alert. `observation` identifies its subject and when it was found. */
export type OpenSystemEvent = { id: string; org_id: string; observation: string };

/** The open events that are read at a time. */
const maxOpen = 5_000;

/** Lists the open events about one kind of problems, those after `last`, in portions. */
export async function listOpenSystemEvents(
  db: Db,
  kind: string,
  last?: OpenSystemEvent,
): Promise<{ events: OpenSystemEvent[]; hasMore: boolean }> {
  const isNext = last ? sql`(org_id, id) > (${last.org_id}, ${last.id})` : sql`true`;
  const { rows: events } = await sql<OpenSystemEvent>`
    select id, org_id, observation from alert_events
    where rule_id is null and kind in ('error', 'no_data') and status in ('firing', 'acknowledged') and held_for is null
      and split_part(observation, ':', 2) = ${kind} and ${isNext}
    order by org_id, id limit ${maxOpen}`.execute(db);
  return { events, hasMore: events.length === maxOpen };
}

/** Inserts findings in batches that stay below PostgreSQL's limit of parameters. */
export async function insertFindings(db: Db, events: NewEvent[]): Promise<void> {
  for (let from = 0; from < events.length; from += 1_000) {
    await db
      .insertInto("alert_events")
      .values(events.slice(from, from + 1_000))
      .execute();
  }
}

/** Resolves system alerts. */
export async function resolveSystemEvents(db: Db, event_ids: string[], now: Date): Promise<void> {
  if (event_ids.length === 0) return;
  await sql`
    update alert_events set status = 'resolved', resolved_at = ${now}
    where id = any(${event_ids}::uuid[]) and status in ('firing', 'acknowledged')`.execute(db);
}

/** Claims the degraded chains of which staff have not been notified, and marks them as notified. */
export async function claimUnnotifiedDegraded(
  db: Db,
  now: Date,
): Promise<{ chain: string; degraded_reason: string }[]> {
  const { rows } = await sql<{ chain: string; degraded_reason: string }>`
    update chain_cursors set degraded_notified_at = ${now}
    where degraded_reason is not null and degraded_notified_at is null
    returning chain, degraded_reason`.execute(db);
  return rows;
}

/** Clears the degraded mark of a chain, as staff request. */
export async function clearDegraded(db: Db, chain: string): Promise<void> {
  await db
    .updateTable("chain_cursors")
    .set({ degraded_reason: null, degraded_notified_at: null })
    .where("chain", "=", chain)
    .execute();
}
