import { type Insertable, type RawBuilder, type Selectable, sql } from "kysely";
import { mapInSlices } from "../../lib/concurrency/in-slices.ts";
import { RuleCondition } from "../../wire/alerts/rule-condition.ts";
import { Escalation } from "../../wire/alerts/rules.ts";
import type { Db } from "../open-store.ts";
import { type Parsed, rowParser } from "../parse-row.ts";
import { isAfter, type Slice } from "../slice.ts";
import type { Database } from "../tables.ts";
import { isVisible, type Viewer } from "../viewer.ts";
import { usesInStep } from "./escalations.ts";

const json = { condition: RuleCondition, escalation: Escalation };
const parseRule = rowParser("alert_rules", json);

/** A rule with its current state. */
export type RuleRow = Parsed<Selectable<Database["alert_rules"]>, typeof json> & {
  phase: "ok" | "pending" | "firing" | null;
  /** The chain of the rule's contract. */
  chain: string;
  /** Unix seconds of block time. */
  last_fired_at: number | null;
  target_type: string;
  target_status: string;
  last_value: number | null;
  last_value_at: Date | null;
};

const select = sql`
  select r.*, c.chain, s.state ->> 'phase' as phase, (s.state ->> 'last_fired_at')::float8 as last_fired_at,
    t.target_type, t.status as target_status, t.last_value, t.last_value_at
  from alert_rules r
  join contracts c on c.id = r.contract_id
  join targets t on t.id = r.target_id
  left join lateral (
    (select state from rule_states
      where rule_id = r.id and rule_version = r.version and group_key = '' and not r.condition ? 'group_by'
      order by height desc limit 1)
    union all
    (select jsonb_build_object(
        'phase', case when bool_or(g.state ->> 'phase' = 'firing') then 'firing'
          when bool_or(g.state ->> 'phase' = 'pending') then 'pending' else 'ok' end,
        'last_fired_at', coalesce(max((g.state ->> 'last_fired_at')::float8),
          (select extract(epoch from max(e.fired_at)) from alert_events e
            where e.rule_id = r.id and e.contract_id = r.contract_id and e.kind <> 'test'))) as state
      from (
        select distinct on (group_key) state from rule_states
        where rule_id = r.id and rule_version = r.version order by group_key, height desc) g
      where r.condition ? 'group_by' having count(*) > 0)) s on true`;

export async function insertRule(db: Db, rule: Insertable<Database["alert_rules"]>): Promise<void> {
  await db.insertInto("alert_rules").values(rule).execute();
}

/** Inserts rules in batches that stay below PostgreSQL's limit of parameters. */
export async function insertRules(db: Db, rules: Insertable<Database["alert_rules"]>[]): Promise<void> {
  for (let from = 0; from < rules.length; from += 1_000) {
    await db
      .insertInto("alert_rules")
      .values(rules.slice(from, from + 1_000))
      .execute();
  }
}

/** Maps external references to the ids of the rules that the viewer sees. */
export async function listRulesByRef(db: Db, viewer: Viewer, refs: string[]): Promise<Map<string, string>> {
  if (refs.length === 0) return new Map();
  const { rows } = await sql<{ id: string; external_ref: string }>`
    select r.id, r.external_ref from alert_rules r join contracts c on c.id = r.contract_id
    where r.org_id = ${viewer.org_id} and r.external_ref = any(${refs}::text[])
      and ${isVisible(viewer, sql`c`)}`.execute(db);
  return new Map(rows.map(({ id, external_ref }) => [external_ref, id]));
}

/** Lists the rules on contracts that the viewer sees, newest first. */
export async function listRules(
  db: Db,
  viewer: Viewer,
  filter: RuleFilter,
  { limit, after }: Slice = {},
): Promise<RuleRow[]> {
  const { rows } = await sql<RuleRow>`
    ${select} where ${matches(viewer, filter)} and ${isAfter(after, sql`r.created_at`, sql`r.id`)}
    order by r.created_at desc, r.id desc limit ${limit ?? null}`.execute(db);
  return mapInSlices(rows, parseRule);
}

export async function countMatchingRules(db: Db, viewer: Viewer, filter: RuleFilter): Promise<number> {
  const { rows } = await sql<{ total: string }>`
    select count(*) as total from (${select} where ${matches(viewer, filter)}) found`.execute(db);
  return Number(rows[0]?.total ?? 0);
}

export type RuleFilter = {
  contract_id?: string | undefined;
  agent_id?: string | undefined;
  severity?: string | undefined;
  state?: string | undefined;
  target_type?: string | undefined;
  channel_id?: string | undefined;
};

function matches(viewer: Viewer, filter: RuleFilter): RawBuilder<boolean> {
  const { contract_id, agent_id, severity, state, target_type, channel_id } = filter;
  const conditions = [
    isVisible(viewer, sql`c`),
    ...(contract_id ? [sql`r.contract_id = ${contract_id}`] : []),
    ...(agent_id ? [sql`r.agent_id = ${agent_id}`] : []),
    ...(severity ? [sql`r.severity = ${severity}`] : []),
    ...(state ? [sql`${stateOfRule} = ${state}`] : []),
    ...(target_type ? [sql`t.target_type = ${target_type}`] : []),
    ...(channel_id ? [notifies(channel_id)] : []),
  ];
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`;
}

/** The state as replies show it: that of the target while the rule has none. */
const stateOfRule = sql`coalesce(s.state ->> 'phase', case when t.status in ('ok', 'no_data') then t.status else 'error' end)`;

/** True if the rule notifies the channel, at once or by escalation. */
function notifies(channel_id: string): RawBuilder<boolean> {
  return sql<boolean>`(r.channel_id = ${channel_id} or ${channel_id}::uuid = any(r.channel_ids) or ${usesInStep(channel_id)})`;
}

export async function findRule(db: Db, viewer: Viewer, rule_id: string): Promise<RuleRow | undefined> {
  const { rows } = await sql<RuleRow>`
    ${select} where r.id = ${rule_id} and ${isVisible(viewer, sql`c`)}`.execute(db);
  return rows[0] && parseRule(rows[0]);
}

/** Changes a rule. `startsNewVersion` when its meaning changes: earlier states and events belong to the version before. */
export async function updateRule(
  db: Db,
  org_id: string,
  rule_id: string,
  {
    startsNewVersion,
    ...change
  }: Partial<Omit<Insertable<Database["alert_rules"]>, "version">> & { startsNewVersion: boolean },
): Promise<void> {
  await db
    .updateTable("alert_rules")
    .set({ ...change, ...(startsNewVersion && { version: sql`version + 1` }) })
    .where("org_id", "=", org_id)
    .where("id", "=", rule_id)
    .execute();
}

export async function deleteRule(db: Db, org_id: string, rule_id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("alert_rules")
    .where("org_id", "=", org_id)
    .where("id", "=", rule_id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Returns the names of rules on other targets that have a condition on a target; if `isEvaluated`, of those that are evaluated. */
export async function listObservers(
  db: Db,
  { org_id, contract_id, id }: { org_id: string; contract_id: string; id: string },
  isEvaluated: boolean,
): Promise<string[]> {
  const on = JSON.stringify([{ target_id: id }]);
  const { rows } = await sql<{ name: string }>`
    select r.name from alert_rules r join targets t on t.id = r.target_id
    where r.org_id = ${org_id} and r.contract_id = ${contract_id} and r.target_id <> ${id}
      and (r.condition -> 'all' @> ${on}::jsonb or r.condition -> 'any' @> ${on}::jsonb)
      and (not ${isEvaluated} or (r.is_enabled and t.is_enabled))
    order by r.name`.execute(db);
  return rows.map(({ name }) => name);
}

export async function countRules(db: Db, org_id: string): Promise<number> {
  const { total } = await db
    .selectFrom("alert_rules")
    .select((query) => query.fn.countAll<string>().as("total"))
    .where("org_id", "=", org_id)
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** Returns the ids that are not channels of the org. Locks the others against deletion until the transaction ends. */
export async function missingChannels(db: Db, org_id: string, channel_ids: string[]): Promise<string[]> {
  if (channel_ids.length === 0) return [];
  const rows = await db
    .selectFrom("channels")
    .select("id")
    .where("org_id", "=", org_id)
    .where("id", "in", channel_ids)
    .orderBy("id")
    .forKeyShare()
    .execute();
  const ids = new Set(rows.map((row) => row.id));
  return channel_ids.filter((id) => !ids.has(id));
}
