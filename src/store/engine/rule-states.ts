import { sql } from "kysely";
import type { Db } from "../open-store.ts";
import { parseRuleState, type RuleState } from "./rule-state.ts";

/** The state of a version of a rule, or of one of its groups, after a block. */
export type RuleStateRow = {
  rule_id: string;
  group: string | undefined;
  version: number;
  height: number;
  state: RuleState;
};

type StateOf = Pick<RuleStateRow, "rule_id" | "group" | "state">;

export async function insertRuleStates(db: Db, chain: string, rows: RuleStateRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into rule_states (chain, rule_id, group_key, rule_version, height, state)
    select ${chain}, u.rule_id, u.group_key, u.version, u.height, u.state from unnest(
      ${rows.map((row) => row.rule_id)}::uuid[], ${rows.map(({ group }) => group ?? noGroup)}::text[],
      ${rows.map((row) => row.version)}::int[], ${rows.map((row) => row.height)}::bigint[],
      ${rows.map((row) => JSON.stringify(row.state))}::jsonb[]) as u (rule_id, group_key, version, height, state)
    where exists (select 1 from alert_rules r where r.id = u.rule_id and r.version = u.version)
    on conflict (rule_id, group_key, height) do update set rule_version = excluded.rule_version, state = excluded.state`.execute(
    db,
  );
}

/** Returns the state of each rule of a chain at a height, with its version. States of earlier versions are ignored. */
export async function listRuleStates(
  db: Db,
  chain: string,
  height: number,
): Promise<(StateOf & { version: number })[]> {
  const { rows } = await sql<StoredState & { version: number }>`
    select distinct on (s.rule_id, s.group_key) s.rule_id, s.group_key, s.rule_version as version, s.state from rule_states s
    join alert_rules r on r.id = s.rule_id and r.version = s.rule_version
    where s.chain = ${chain} and s.height <= ${height} order by s.rule_id, s.group_key, s.height desc`.execute(
    db,
  );
  return rows.map((row) => ({ ...parseState(row), version: row.version }));
}

/** Deletes the states of blocks above a height. */
export async function deleteStatesAbove(db: Db, chain: string, height: number): Promise<void> {
  await db
    .deleteFrom("rule_states")
    .where("chain", "=", chain)
    .where("height", ">", String(height))
    .execute();
}

/**
 * Deletes states that a newer state replaced, where the newer one is above `after` and at or below `upTo`, which cannot be rolled
 * back. The rest was deleted before: to compare all states would delay the blocks of a chain with many rules.
 */
export async function deleteOldRuleStates(
  db: Db,
  chain: string,
  { after, upTo }: { after: number; upTo: number },
): Promise<void> {
  await sql`
    with newer as materialized (
      select rule_id, group_key, max(height) as height from rule_states
      where chain = ${chain} and height > ${after} and height <= ${upTo}
      group by rule_id, group_key)
    delete from rule_states old using newer
    where old.rule_id = newer.rule_id and old.group_key = newer.group_key and old.height < newer.height
      and old.chain = ${chain}`.execute(db);
}

/** Deletes the states of groups that are as if they had never been seen: they do not fire and their cooldown has passed. */
export async function deleteQuietGroups(db: Db, chain: string, height: number, time: number): Promise<void> {
  await sql`
    delete from rule_states s using alert_rules r
    where s.chain = ${chain} and s.group_key <> ${noGroup} and s.height <= ${height} and r.id = s.rule_id
      and s.state ->> 'phase' = 'ok'
      and coalesce((s.state ->> 'last_notified_at')::float8, 0) + r.cooldown_seconds < ${time}
      and not exists (
        select 1 from rule_states newer
        where newer.rule_id = s.rule_id and newer.group_key = s.group_key and newer.height > s.height)`.execute(
    db,
  );
}

/** Returns the states of rules at a height; the initial state for a rule without one. */
export async function listStatesOf(db: Db, rule_ids: string[], height: number): Promise<StateOf[]> {
  if (rule_ids.length === 0) return [];
  const { rows } = await sql<StoredState>`
    ${statesAt(height)}
    from (
      select id as rule_id, ${noGroup} as group_key from unnest(${rule_ids}::uuid[]) as given (id)
      union select rule_id, group_key from rule_states where rule_id = any(${rule_ids}::uuid[])) g`.execute(
    db,
  );
  return rows.map(parseState);
}

/** Returns the states of groups at a height; the initial state for a group without one. */
export async function listStatesOfGroups(
  db: Db,
  groups: readonly { rule_id: string; group: string }[],
  height: number,
): Promise<StateOf[]> {
  if (groups.length === 0) return [];
  const { rows } = await sql<StoredState>`
    ${statesAt(height)}
    from unnest(${groups.map(({ rule_id }) => rule_id)}::uuid[],
      ${groups.map(({ group }) => group)}::text[]) as g (rule_id, group_key)`.execute(db);
  return rows.map(parseState);
}

/** Returns the states at a height of the rules that blocks above it changed; the initial state for a rule without one. */
export async function listStatesAt(db: Db, chain: string, height: number): Promise<StateOf[]> {
  const { rows } = await sql<StoredState>`
    ${statesAt(height)}
    from (select distinct rule_id, group_key from rule_states where chain = ${chain} and height > ${height}) g`.execute(
    db,
  );
  return rows.map(parseState);
}

/** Deletes the states of a rule whose meaning changed. */
export async function deleteStatesOf(db: Db, rule_id: string): Promise<void> {
  await db.deleteFrom("rule_states").where("rule_id", "=", rule_id).execute();
}

/** Locks rules against changes until the transaction ends and returns their versions. */
export async function lockRules(db: Db, rule_ids: string[]): Promise<Map<string, number>> {
  if (rule_ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; version: number }>`
    select id, version from alert_rules where id = any(${rule_ids}::uuid[]) order by id for share`.execute(
    db,
  );
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/** The key of a rule's own state. No group is empty. */
const noGroup = "";

/** Selects the newest states up to a height for the rules and groups of a query `g`. */
function statesAt(height: number) {
  return sql`
    select g.rule_id, g.group_key, (
      select s.state from rule_states s join alert_rules r on r.id = s.rule_id and r.version = s.rule_version
      where s.rule_id = g.rule_id and s.group_key = g.group_key and s.height <= ${height}
      order by s.height desc limit 1) as state`;
}

type StoredState = { rule_id: string; group_key: string; state: unknown };

function parseState({ rule_id, group_key, state }: StoredState): StateOf {
  return { rule_id, group: group_key === noGroup ? undefined : group_key, state: parseRuleState(state) };
}
