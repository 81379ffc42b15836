import { sql } from "kysely";
import { isEventVisible } from "../alerts/history.ts";
import { seesEveryAlert } from "../delivery/deliveries.ts";
import type { Db } from "../open-store.ts";
import { isUnrestricted, isVisible, type Viewer } from "../viewer.ts";

export type StatsRow = {
  total: number;
  monitoring: number;
  pending: number;
  paused: number;
  error: number;
  rules: number;
  rules_enabled: number;
  rules_firing: number;
  info: number;
  warning: number;
  critical: number;
  sent: number;
  failed: number;
};

/** Counts for the dashboard of the viewer. Counts of events and deliveries start at `since`. */
export async function countForDashboard(db: Db, viewer: Viewer, since: Date): Promise<StatsRow> {
  const isContractVisible = isVisible(viewer, sql`c`);
  const isEventSeen = isUnrestricted(viewer) ? sql`true` : isEventVisible(viewer);
  const seenDelivery = isUnrestricted(viewer) ? sql`true` : seesEveryAlert(viewer, sql`d.id`);
  const { rows } = await sql<Record<keyof StatsRow, string>>`
    select * from
      (select count(*) as total, count(*) filter (where c.status = 'MONITORING') as monitoring,
        count(*) filter (where c.status = 'PENDING') as pending, count(*) filter (where c.status = 'PAUSED') as paused,
        count(*) filter (where c.status = 'ERROR') as error
       from contracts c where ${isContractVisible}) contracts,
      (select count(*) as rules, count(*) filter (where r.is_enabled) as rules_enabled
       from alert_rules r join contracts c on c.id = r.contract_id
       where r.org_id = ${viewer.org_id} and ${isContractVisible}) rules,
      (select count(distinct e.rule_id) as rules_firing from alert_events e
       where e.org_id = ${viewer.org_id} and e.held_for is null and e.status in ('firing', 'acknowledged')
         and not e.is_occurrence and ${isEventSeen}) firing,
      (select count(*) filter (where e.severity = 'info') as info, count(*) filter (where e.severity = 'warning') as warning,
        count(*) filter (where e.severity = 'critical') as critical
       from alert_events e
       where e.org_id = ${viewer.org_id} and e.held_for is null and e.kind <> 'test'
         and e.fired_at > ${since} and ${isEventSeen}) alerts,
      (select count(*) filter (where d.status = 'sent') as sent, count(*) filter (where d.status = 'failed') as failed
       from deliveries d
       where d.org_id = ${viewer.org_id} and d.created_at > ${since} and d.kind <> 'test' and ${seenDelivery}) deliveries`.execute(
    db,
  );
  return Object.fromEntries(
    Object.entries(rows[0] ?? {}).map(([name, value]) => [name, Number(value)]),
  ) as StatsRow;
}
