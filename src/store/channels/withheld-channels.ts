import { sql } from "kysely";
import { limitFairly } from "../alerts/fair-limit.ts";
import type { Db } from "../open-store.ts";
import { mayReceive } from "../viewer.ts";

/** A restricted contract and a channel of its rules that may not receive its alerts. */
export type WithheldChannel = {
  org_id: string;
  contract_id: string;
  chain: string;
  chain_id: string;
  label: string;
  channel_id: string;
  channel_name: string;
};

/** Lists the channels that enabled rules of monitored contracts name, and that may not receive their alerts. */
export async function listWithheldChannels(db: Db): Promise<WithheldChannel[]> {
  const { rows } = await limitFairly(sql<WithheldChannel>`
    select c.org_id, c.id as contract_id, c.chain, c.chain_id, c.label, ch.id as channel_id, ch.name as channel_name,
      c.id || ' ' || ch.id as id
    from (${named}) named
    join contracts c on c.id = named.contract_id
    join channels ch on ch.id = named.channel_id and ch.org_id = c.org_id and ch.is_enabled
    cross join lateral (select c.id as contract_id, null::timestamptz as detected_at) e
    where not ${mayReceive}`).execute(db);
  return rows;
}

/** Restricted contracts and the channels of their rules, each pair once. Rules times channels would be far too many. */
const named = sql`
  select distinct r.contract_id, ids.channel_id
  from contracts c
  join alert_rules r on r.contract_id = c.id and r.is_enabled and not r.record_only
  cross join lateral (
    select r.channel_id union select unnest(r.channel_ids) union
    select jsonb_array_elements_text(step -> 'channel_ids')::uuid from jsonb_array_elements(r.escalation) step
  ) ids (channel_id)
  where c.is_restricted and c.status = 'MONITORING' and ids.channel_id is not null`;
