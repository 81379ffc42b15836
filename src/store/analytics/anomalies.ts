import { type Insertable, type RawBuilder, type Selectable, sql } from "kysely";
import type { Db } from "../open-store.ts";
import { type Expiry, isRetained } from "../orgs/retention-overrides.ts";
import type { Database } from "../tables.ts";
import { isUnrestricted, isVisible, type Viewer } from "../viewer.ts";
import type { Span } from "./activity.ts";

export type AnomalyRow = Selectable<Database["anomalies"]>;

export type AnomalyCandidate = {
  id: string;
  org_id: string;
  contract_id: string;
  chain_id: string;
  target_type: string;
  config: unknown;
  generation: number;
  /** The block time of the chain's cursor. */
  read_until: Date;
  checked_until: Date | null;
};

/**
 * Lists targets of the given types that have readings and were not checked since `checkedBefore`, the least recently
 * checked first.
 */
export async function listAnomalyCandidates(
  db: Db,
  types: readonly string[],
  { readSince, checkedBefore, limit }: { readSince: Date; checkedBefore: Date; limit: number },
): Promise<AnomalyCandidate[]> {
  const { rows } = await sql<AnomalyCandidate>`
    select t.id, t.org_id, t.contract_id, c.chain_id, t.target_type, t.config, t.generation, p.checked_until, k.block_time as read_until
    from targets t join contracts c on c.id = t.contract_id join chain_cursors k on k.chain = c.chain
    left join anomaly_progress p on p.target_id = t.id
    where t.is_enabled and t.target_type = any(${[...types]}) and t.last_value_at > ${readSince}
      and (p.checked_at is null or p.checked_at < ${checkedBefore})
    order by p.checked_at nulls first limit ${limit}`.execute(db);
  return rows;
}

/**
 * Records anomalies and the progress of the check in one transaction. A minute that is checked twice yields one
 * anomaly.
 */
export async function recordChecked(
  db: Db,
  target_id: string,
  anomalies: Insertable<Database["anomalies"]>[],
  /** Anomaly types that continue an earlier anomaly, with the time of their last occurrence. */
  ongoing: ReadonlyMap<string, Date>,
  progress: { checked_until: Date; checked_at: Date },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (anomalies.length > 0) {
      await tx
        .insertInto("anomalies")
        .values(anomalies)
        .onConflict((conflict) => conflict.columns(["target_id", "anomaly_type", "at"]).doNothing())
        .execute();
    }
    for (const [anomaly_type, last_seen_at] of ongoing) {
      await sql`
        update anomalies set last_seen_at = greatest(last_seen_at, ${last_seen_at}) where id = (
          select id from anomalies where target_id = ${target_id} and anomaly_type = ${anomaly_type}
          order by at desc limit 1)`.execute(tx);
    }
    await tx
      .insertInto("anomaly_progress")
      .values({ target_id, ...progress })
      .onConflict((conflict) => conflict.column("target_id").doUpdateSet(progress))
      .execute();
  });
}

/** Returns when each anomaly type of a target last occurred. */
export async function listLastFound(db: Db, target_id: string, since: Date): Promise<Map<string, Date>> {
  const { rows } = await sql<{ anomaly_type: string; at: Date }>`
    select anomaly_type, max(last_seen_at) as at from anomalies where target_id = ${target_id} and last_seen_at > ${since}
    group by 1`.execute(db);
  return new Map(rows.map(({ anomaly_type, at }) => [anomaly_type, at]));
}

export type AnomalyFilter = {
  contract_id?: string | undefined;
  chain_id?: number | undefined;
  anomaly_type?: string | undefined;
  severity?: string | undefined;
};

/** Lists one page of the anomalies that the viewer sees, newest first. */
export async function listAnomalies(
  db: Db,
  viewer: Viewer,
  filter: AnomalyFilter,
  span: Span,
  page: { limit: number; offset: number },
): Promise<AnomalyRow[]> {
  const { rows } = await sql<AnomalyRow>`
    select a.* from anomalies a where ${sql.join(conditions(viewer, filter, span), sql` and `)}
    order by a.at desc, a.id desc limit ${page.limit} offset ${page.offset}`.execute(db);
  return rows;
}

/** Counts anomalies by type, severity and bucket. */
export async function countAnomalies(
  db: Db,
  viewer: Viewer,
  filter: AnomalyFilter,
  span: Span,
  bucket: string,
): Promise<{ at: Date; anomaly_type: string; severity: string; total: number }[]> {
  const { rows } = await sql<{ at: Date; anomaly_type: string; severity: string; total: string }>`
    select date_trunc(${bucket}, a.at, 'UTC') as at, a.anomaly_type, a.severity, count(*) as total
    from anomalies a where ${sql.join(conditions(viewer, filter, span), sql` and `)}
    group by 1, 2, 3`.execute(db);
  return rows.map(({ total, ...row }) => ({ ...row, total: Number(total) }));
}

function conditions(viewer: Viewer, filter: AnomalyFilter, { from, to }: Span): RawBuilder<unknown>[] {
  const { contract_id, chain_id, anomaly_type, severity } = filter;
  const isSeen = sql`exists (
    select 1 from contracts c where c.id = a.contract_id and ${isVisible(viewer, sql`c`)})`;
  return [
    sql`a.org_id = ${viewer.org_id} and a.at >= ${from} and a.at < ${to}`,
    ...(isUnrestricted(viewer) ? [] : [isSeen]),
    ...(contract_id ? [sql`a.contract_id = ${contract_id}`] : []),
    ...(chain_id !== undefined ? [sql`a.chain_id = ${chain_id}`] : []),
    ...(anomaly_type ? [sql`a.anomaly_type = ${anomaly_type}`] : []),
    ...(severity ? [sql`a.severity = ${severity}`] : []),
  ];
}

/** Deletes up to `limit` expired anomalies of the orgs of a tier and returns how many. */
export async function deleteAnomaliesBefore(
  db: Db,
  { tier, before, now }: Expiry,
  limit: number,
): Promise<number> {
  const { rows } = await sql`
    delete from anomalies where id in (
      select a.id from anomalies a join orgs o on o.id = a.org_id
      where o.tier = ${tier} and a.at < ${before}
        and not ${isRetained(sql`a.at`, now)} limit ${limit})
    returning id`.execute(db);
  return rows.length;
}
