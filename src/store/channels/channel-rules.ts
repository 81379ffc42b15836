import { sql } from "kysely";
import { isOnlyInStep, replaceInSteps, usesInStep } from "../alerts/escalations.ts";
import type { Db } from "../open-store.ts";
import { isEditable, isVisible, type Viewer } from "../viewer.ts";

/** A rule that notifies a channel. */
export type ChannelRule = {
  id: string;
  name: string;
  /** The channel is the only one of the rule. */
  isOnly: boolean;
  isVisible: boolean;
  isEditable: boolean;
};

/** Lists the rules of an org that notify a channel, whether the viewer sees them or not. */
export async function listRulesOf(db: Db, viewer: Viewer, channel_id: string): Promise<ChannelRule[]> {
  const { rows } = await sql<ChannelRule>`
    select r.id, r.name, ${isOnlyInStep(channel_id)} or (not r.record_only and cardinality(array_remove(array_remove(
        array_prepend(r.channel_id, r.channel_ids), null), ${channel_id}::uuid)) = 0) as "isOnly",
      ${isVisible(viewer, sql`c`)} as "isVisible", ${isEditable(viewer, sql`c`)} as "isEditable"
    from alert_rules r join contracts c on c.id = r.contract_id
    where r.org_id = ${viewer.org_id} and (
      r.channel_id = ${channel_id} or ${channel_id}::uuid = any(r.channel_ids) or ${usesInStep(channel_id)})
    order by r.name, r.id`.execute(db);
  return rows;
}

/** Makes the rules of a channel notify another one instead, once. */
export async function replaceChannel(db: Db, org_id: string, from: string, to: string): Promise<void> {
  await sql`
    update alert_rules set
      channel_id = case when channel_id = ${from} then ${to}::uuid else channel_id end,
      channel_ids = case
        when channel_id in (${from}, ${to}) then array_remove(array_remove(channel_ids, ${from}::uuid), ${to}::uuid)
        when ${to}::uuid = any(channel_ids) then array_remove(channel_ids, ${from}::uuid)
        else array_replace(channel_ids, ${from}::uuid, ${to}::uuid) end
    where org_id = ${org_id} and (channel_id = ${from} or ${from}::uuid = any(channel_ids))`.execute(db);
  await replaceInSteps(db, org_id, from, to);
}

/** Makes rules that have no other channel than the given one record events only. */
export async function setRecordOnly(
  db: Db,
  org_id: string,
  rule_ids: string[],
  channel_id: string,
): Promise<void> {
  if (rule_ids.length === 0) return;
  await sql`
    update alert_rules set record_only = true
    where org_id = ${org_id} and id = any(${rule_ids}::uuid[]) and cardinality(array_remove(array_remove(
      array_prepend(channel_id, channel_ids), null), ${channel_id}::uuid)) = 0`.execute(db);
}

/**
 * Returns the names of rules that notify nobody and do not say so, except those of policies, which get the channels of the
 * policy.
 */
export async function listUnreachable(db: Db, org_id: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("alert_rules")
    .select("name")
    .where("org_id", "=", org_id)
    .where("policy_id", "is", null)
    .where("record_only", "=", false)
    .where("channel_id", "is", null)
    .where(sql<boolean>`channel_ids = '{}'`)
    .orderBy("name")
    .limit(limit)
    .execute();
  return rows.map(({ name }) => name);
}
