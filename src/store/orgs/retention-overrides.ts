import { type RawBuilder, sql } from "kysely";
import type { Db } from "../open-store.ts";

/** Notes how long an org's history up to now is kept. */
export async function addRetentionOverride(
  db: Db,
  org_id: string,
  ended_at: Date,
  kept_days: number,
): Promise<void> {
  await sql`
    insert into former_tiers values (${org_id}, ${ended_at}, ${kept_days})
    on conflict (org_id, ended_at) do update set kept_days = greatest(former_tiers.kept_days, excluded.kept_days)`.execute(
    db,
  );
}

/** What orgs of a tier may look at no longer, unless they were promised more. */
export type Expiry = { tier: string; before: Date; now: Date };

/** Whether an earlier tier of the org `o` promised to keep what happened at a time. */
export function isRetained(at: RawBuilder<unknown>, now: Date): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select 1 from former_tiers f
    where f.org_id = o.id and ${at} < f.ended_at and ${at} >= ${now}::timestamptz - f.kept_days * interval '1 day')`;
}

/** Forgets promises that have run out. */
export async function deleteExpiredOverrides(db: Db, now: Date): Promise<void> {
  await sql`delete from former_tiers where ended_at < ${now}::timestamptz - kept_days * interval '1 day'`.execute(
    db,
  );
}
