import { type RawBuilder, sql } from "kysely";
import type { Db } from "../open-store.ts";

/** Keeps an org's history from before `applies_before` for `retention_days`, although its new tier allows fewer. */
export async function addRetentionOverride(
  db: Db,
  org_id: string,
  applies_before: Date,
  retention_days: number,
): Promise<void> {
  await sql`
    insert into retention_overrides (org_id, applies_before, retention_days)
    values (${org_id}, ${applies_before}, ${retention_days})
    on conflict (org_id, applies_before) do update
    set retention_days = greatest(retention_overrides.retention_days, excluded.retention_days)`.execute(db);
}

/** The retention of a tier: data from before `before` has expired unless an override retains it. */
export type Expiry = { tier: string; before: Date; now: Date };

/** True when a retention override of the org `o` still covers data of the time `at`. */
export function isRetained(at: RawBuilder<unknown>, now: Date): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select 1 from retention_overrides ro
    where ro.org_id = o.id and ${at} < ro.applies_before
      and ${at} >= ${now}::timestamptz - ro.retention_days * interval '1 day')`;
}

export async function deleteExpiredOverrides(db: Db, now: Date): Promise<void> {
  await sql`
    delete from retention_overrides
    where applies_before < ${now}::timestamptz - retention_days * interval '1 day'`.execute(db);
}
