import { sql } from "kysely";
import type { Severity } from "../../lib/severity.ts";
import { channelsOfStep } from "../alerts/escalations.ts";
import { covers, isActive } from "../alerts/silences.ts";
import type { NoticeKind } from "../engine/alert-events.ts";
import type { Db } from "../open-store.ts";
import { mayReceive } from "../viewer.ts";

/** A notice with the data that decides its recipients. */
export type WaitingNotice = {
  id: string;
  org_id: string;
  event_id: string;
  kind: NoticeKind;
  occurrence: number;
  event_status: string;
  severity: Severity;
  chain: string;
  tx_hash: string | null;
  /** The transaction of the event, else the block in which its target was read; null for an event without either. */
  cause: string | null;
  rule_id: string | null;
  /** The channels of the rule, also of a deleted one, or the one of a summary; null for other events without a rule. */
  channel_ids: string[] | null;
  /** The failing channel that the event is about; it is not a recipient. */
  about_channel_id: string | null;
  /** True for the summary of messages that were left out, which goes to one channel. */
  is_summary: boolean;
  silence_id: string | null;
  /** The channels that must not receive the alerts of the restricted contract. */
  withheld_from: string[];
};

/** An org with waiting notices: the oldest, and how many, counted up to `countTo`. */
export type OrgWaiting = { org_id: string; since: Date; notices: number };

/** Skips from org to org in the index, so that the backlog of one org costs no more than a few notices. */
export async function listOrgsWaiting(db: Db, countTo: number): Promise<OrgWaiting[]> {
  const { rows } = await sql<OrgWaiting>`
    with recursive orgs_waiting as (
      (select org_id, created_at as since from alert_notices where fanned_out_at is null
        order by org_id, created_at limit 1)
      union all
      select next.* from orgs_waiting w cross join lateral (
        select n.org_id, n.created_at from alert_notices n where n.fanned_out_at is null and n.org_id > w.org_id
        order by n.org_id, n.created_at limit 1) next)
    select org_id, since, (
      select count(*) from (select from alert_notices n where n.org_id = w.org_id and n.fanned_out_at is null
        limit ${countTo + 1}) counted)::int as notices
    from orgs_waiting w order by since`.execute(db);
  return rows;
}

/** Returns how many channels each org could notify. */
export async function countRecipients(tx: Db, org_ids: string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ org_id: string; channels: number }>`
    select org_id, count(*)::int as channels from channels where org_id = any(${org_ids}::uuid[]) and is_enabled
    group by org_id`.execute(tx);
  return new Map(rows.map(({ org_id, channels }) => [org_id, channels]));
}

/**
 * Locks orgs for fan-out until the transaction ends and returns the ones that were free. A follow-up must see which
 * channels were notified of the beginning.
 */
export async function lockOrgs(tx: Db, org_ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ org_id: string }>`
    select org_id from unnest(${org_ids}::uuid[]) org_id
    where pg_try_advisory_xact_lock(hashtextextended('tocsin.fan_out ' || org_id, 0))`.execute(tx);
  return rows.map(({ org_id }) => org_id);
}

/** The notices of an org that a batch may claim. */
export type Share = { org_id: string; maxNotices: number };

/**
 * Claims the waiting notices of each org up to its limit, in the order of their events. Notices of one blockchain
 * transaction, or of one reading of state, stay in one batch.
 */
export async function claimNotices(tx: Db, shares: Share[], now: Date): Promise<WaitingNotice[]> {
  const org_ids = shares.map(({ org_id }) => org_id);
  const limits = shares.map(({ maxNotices }) => maxNotices);
  const withMargin = limits.map((limit) => limit + Math.min(Math.max(2 * limit, minMargin), maxMargin));
  const { rows } = await sql<WaitingNotice>`
    with near as (
      select n.*, n.turn <= share.max as is_within, e.chain, ${cause} as cause,
        n.kind = 'fired' and n.occurrence = 0 and ${cause} is not null as joins_in
      from unnest(${org_ids}::uuid[], ${limits}::int[], ${withMargin}::int[]) share (org_id, max, with_margin) cross join lateral (
        select id, org_id, event_id, kind, occurrence, row_number() over (order by created_at, ${rankOf("kind")}, id) as turn from (
          select * from alert_notices where org_id = share.org_id and fanned_out_at is null
          order by created_at, ${rankOf("kind")}, id limit share.with_margin) first) n
      join alert_events e on e.id = n.event_id),
    chosen as (
      select id from near where is_within or (joins_in and (org_id, chain, cause) in (
        select org_id, chain, cause from near where joins_in and is_within))),
    taken as (
      update alert_notices n set fanned_out_at = ${now} from chosen where n.id = chosen.id
      returning n.*)
    select n.id, n.org_id, n.event_id, n.kind, n.occurrence, e.status as event_status, e.severity, e.chain, e.tx_hash,
      ${cause} as cause,
      e.rule_id, case when e.rule_id is null and e.explanation ? 'only_channel_id'
          then array[(e.explanation ->> 'only_channel_id')::uuid]
        when e.rule_id is null then null
        when r.id is null then coalesce(e.channel_ids, '{}')
        when n.kind = 'escalated' then ${channelsOfStep}
        else array_remove(array_prepend(r.channel_id, coalesce(r.channel_ids, '{}')), null) end as channel_ids,
      e.explanation ->> 'channel_id' as about_channel_id,
      e.rule_id is null and e.explanation ? 'only_channel_id' as is_summary,
      (select s.id from silences s where ${isActive(now)} and ${covers} order by s.ends_at desc limit 1) as silence_id,
      case when ${isGuarded} then array(select ch.id from channels ch where ch.org_id = n.org_id and ch.is_enabled and not ${mayReceive})
        else '{}' end as withheld_from
    from taken n
    join alert_events e on e.id = n.event_id
    left join contracts c on c.id = e.contract_id
    left join alert_rules r on r.id = e.rule_id
    order by n.created_at, ${rankOf("n.kind")}, n.id`.execute(tx);
  return rows;
}

/** Several rules on one state fire together, such as those on a fall within ten minutes and within a day. */
const cause = sql`coalesce(e.tx_hash, e.target_id || ' ' || e.block_number)`;

/** True when not every channel may receive the event. */
export const isGuarded = sql`(e.contract_id is not null and c.is_restricted is not false)`;

/** The number of notices after a batch that are searched for the causes of those in it: twice the batch, within limits. */
const [minMargin, maxMargin] = [20, 500];

/** Orders notices of the same time: an event fires before it resolves. */
function rankOf(kind: "kind" | "n.kind") {
  return sql`array_position(array['fired', 'renotified', 'escalated', 'acknowledged', 'resolved', 'retracted'], ${sql.ref(kind)})`;
}
