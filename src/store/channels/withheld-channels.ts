import { sql } from "kysely";
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
  const { rows } = await sql<WithheldChannel>`
    select distinct c.org_id, c.id as contract_id, c.chain, c.chain_id, c.label, ch.id as channel_id, ch.name as channel_name
    from contracts c
    join alert_rules r on r.contract_id = c.id and r.is_enabled and not r.record_only
    join channels ch on ch.org_id = c.org_id and ch.is_enabled and (
      ch.id = r.channel_id or ch.id = any(r.channel_ids)
      or exists (select 1 from jsonb_array_elements(r.escalation) step where step -> 'channel_ids' ? ch.id::text))
    cross join lateral (select c.id as contract_id, null::timestamptz as detected_at) e
    where c.is_restricted and c.status = 'MONITORING' and not ${mayReceive}
    order by contract_id, channel_id limit 10000`.execute(db);
  return rows;
}
