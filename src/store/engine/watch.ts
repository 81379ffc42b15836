import { sql } from "kysely";
import { z } from "zod";
import type { LoadedInterface, StoredInterface } from "../../chains/decoding/stored-interfaces.ts";
import type { Severity } from "../../lib/severity.ts";
import { RuleCondition } from "../../wire/alerts/rule-condition.ts";
import type { Tier } from "../../wire/primitives.ts";
import type { Db } from "../open-store.ts";
import { jsonObject, rowParser } from "../parse-row.ts";
import type { Code } from "./contract-code.ts";
import { definitionBytes } from "./definition-sizes.ts";

const TokenAccount = z.object({
  account: z.string(),
  mint: z.string(),
  owner: z.string().optional(),
  since: z.int().optional(),
  found_height: z.int().optional(),
});
const TokenAccounts = z.array(TokenAccount).nullable().catch(null);

/**
 * An account that holds a token for a contract, on Solana; a vault of a program has its owner, and one of a wallet the slot
 * after which it counts.
 */
export type TokenAccount = z.infer<typeof TokenAccount>;

/** A contract with its enabled targets and rules. */
export type WatchRow = {
  id: string;
  org_id: string;
  chain: string;
  address: string;
  label: string;
  abi: StoredInterface | null;
  /** The ABI of the implementation, when the org monitors it as well. */
  implementation_abi: StoredInterface | null;
  /** The code behind the contract; null until it was discovered. */
  code: Code | null;
  /** The token accounts that were found; null before. */
  token_accounts: TokenAccount[] | null;
  tier: Tier;
  polling_interval_seconds: number | null;
  /** Set while the contract is paused. */
  paused_at: string | null;
  /** The addresses whose transactions cannot be followed now. */
  suspended_addresses: string[];
  /** The addresses that are to be followed again, with the last height that was counted. */
  resuming_addresses: Record<string, number>;
  targets: { id: string; target_type: string; generation: number; config: Record<string, unknown> }[];
  rules: WatchRuleRow[];
};

export type WatchRuleRow = {
  id: string;
  target_id: string;
  version: number;
  name: string;
  severity: Severity;
  /** Null if the stored condition cannot be read. Such a rule is not evaluated, and the others of the chain are. */
  condition: RuleCondition | null;
  for_seconds: number;
  resolve_after_seconds: number;
  cooldown_seconds: number;
  renotify_seconds: number | null;
  notify_on_resolve: boolean;
  no_data: "ignore" | "alert";
  mode: "live" | "shadow";
  confirmations: string | null;
  message_template: string | null;
  agent_id: string | null;
  created_at: string;
};

type StoredWatched = Omit<WatchRow, "abi" | "implementation_abi" | "token_accounts" | "targets" | "rules"> & {
  abi_hash: string | null;
  implementation_id: string | null;
  implementation_abi_hash: string | null;
  token_accounts: unknown;
  targets: (Omit<WatchRow["targets"][number], "config"> & { config: unknown })[];
  rules: (Omit<WatchRuleRow, "condition"> & { condition: unknown })[];
};

const parseTarget = rowParser("targets", { config: jsonObject });
const parseRule = rowParser("alert_rules", { condition: RuleCondition.nullable().catch(null) });

function parseWatched(
  db: Db,
  { abi_hash, implementation_id, implementation_abi_hash, ...row }: StoredWatched,
): WatchRow {
  return {
    ...row,
    abi: storedAbi(db, row, row.id, abi_hash),
    implementation_abi: storedAbi(db, row, implementation_id, implementation_abi_hash),
    token_accounts: TokenAccounts.parse(row.token_accounts),
    targets: row.targets.map(parseTarget),
    rules: row.rules.map(parseRule),
  };
}

/** Many contracts of an org have the same ABI, so that it is only read from the database when it is not in memory. */
function storedAbi(
  db: Db,
  { org_id }: Pick<WatchRow, "org_id">,
  id: string | null,
  hash: string | null,
): StoredInterface | null {
  if (id === null || hash === null) return null;
  return { key: abiKey(org_id, hash), load: () => loadAbi(db, org_id, id) };
}

/** People can make two ABIs with the same hash, which must not affect other orgs. */
function abiKey(org_id: string, hash: string): string {
  return `${org_id} ${hash}`;
}

async function loadAbi(db: Db, org_id: string, id: string): Promise<LoadedInterface> {
  const { rows } = await sql<{ abi: unknown; abi_hash: string }>`
    select abi, abi_hash from contracts where id = ${id} and abi is not null`.execute(db);
  const [row] = rows;
  return row ? { key: abiKey(org_id, row.abi_hash), content: row.abi } : { content: null };
}

/** True for contracts of which some targets cannot be measured. */
function isSuspended() {
  return sql`(c.status = 'ERROR' and c.status_code = 'suspended')`;
}

const select = sql`
  select c.id, c.org_id, c.chain, c.address, c.label, c.abi_hash, i.id as implementation_id,
    i.abi_hash as implementation_abi_hash, (
      select jsonb_build_object('implementation', k.implementation, 'beacon', k.beacon) from contract_code k
      where k.contract_id = c.id order by k.height desc limit 1) as code,
    c.token_accounts, o.tier, o.polling_interval_seconds,
    case when c.status = 'PAUSED' then to_jsonb(c.paused_at) end as paused_at,
    case when ${isSuspended()} then coalesce((
      select json_agg(address) from suspended_contracts
      where contract_id = c.id and phase in ('suspended', 'catching_up')), '[]') else '[]' end as suspended_addresses,
    coalesce((
      select json_object_agg(address, last_height) from suspended_contracts
      where contract_id = c.id and phase = 'resuming'), '{}') as resuming_addresses,
    coalesce((
      select json_agg(t) from (
        select id, target_type, generation, config from targets
        where contract_id = c.id and is_enabled and status_code is distinct from 'needs_code') t), '[]') as targets,
    coalesce((
      select json_agg(r) from (
        select id, target_id, version, name, severity, condition, for_seconds, resolve_after_seconds, cooldown_seconds,
          renotify_seconds, notify_on_resolve, no_data, mode, confirmations, message_template, agent_id, created_at
        from alert_rules where org_id = c.org_id and contract_id = c.id and is_enabled) r), '[]') as rules
  from contracts c join orgs o on o.id = c.org_id
    left join contracts i
      on i.org_id = c.org_id and i.chain = c.chain and i.address = c.implementation_address`;

/** True for contracts that are monitored at a block time, also those that were paused later. */
function isWatchedAt(time: number) {
  const isPausedLater = sql`c.status = 'PAUSED' and c.paused_at > to_timestamp(${time})`;
  return sql`(c.status = 'MONITORING' or ${isSuspended()} or ${isPausedLater})`;
}

/**
 * Lists one page of the contracts of a chain that are monitored at a block time, by id; none after the last one. A page ends before
 * the configs and conditions of its contracts have more than `maxBytes`, but has one: those of a few orgs must not make it so large
 * that it cannot be read, which would stop the chain for all.
 */
export async function listWatched(
  db: Db,
  chain: string,
  time: number,
  { afterId, limit, maxBytes }: { afterId: string; limit: number; maxBytes: number },
): Promise<WatchRow[]> {
  const { rows } = await sql<StoredWatched>`
    with page as materialized (
      select c.id, c.org_id from contracts c
      where c.chain = ${chain} and ${isWatchedAt(time)} and c.id > ${afterId} order by c.id limit ${limit}),
    sized as materialized (
      select id, row_number() over (order by id) as place, sum(${definitionBytes}) over (order by id) as bytes from page c)
    ${select} where c.id in (select id from sized where bytes <= ${maxBytes} or place = 1) order by c.id`.execute(
    db,
  );
  return rows.map((row) => parseWatched(db, row));
}

/** Lists contracts with their targets and rules, monitored or not. */
export async function listWatchedOf(db: Db, contract_ids: string[]): Promise<WatchRow[]> {
  const { rows } = await sql<StoredWatched>`
    ${select} where c.id = any(${contract_ids}::uuid[]) order by c.id`.execute(db);
  return rows.map((row) => parseWatched(db, row));
}

/** Finds one contract with its targets and rules, monitored or not. */
export async function findWatched(
  db: Db,
  org_id: string,
  contract_id: string,
): Promise<WatchRow | undefined> {
  const { rows } = await sql<StoredWatched>`
    ${select} where c.org_id = ${org_id} and c.id = ${contract_id}`.execute(db);
  return rows[0] && parseWatched(db, rows[0]);
}

/** Returns the ABI that an org has for an address. */
export async function findAbi(
  db: Db,
  org_id: string,
  chain: string,
  address: string,
): Promise<StoredInterface | null> {
  const { rows } = await sql<{ id: string; abi_hash: string | null }>`
    select id, abi_hash from contracts
    where org_id = ${org_id} and chain = ${chain} and address = ${address}`.execute(db);
  return storedAbi(db, { org_id }, rows[0]?.id ?? null, rows[0]?.abi_hash ?? null);
}

/**
 * Lists the next contracts that changed after a change number, with limits like those of `listWatched`: the ids of all, and the
 * rows of those that are monitored at a block time.
 */
export async function listWatchChanges(
  db: Db,
  chain: string,
  since: number,
  time: number,
  maxBytes: number,
): Promise<{ ids: string[]; rows: WatchRow[]; newest: number }> {
  const { rows: changes } = await sql<{ contract_id: string; changed: string }>`
    with next as materialized (
      select contract_id, changed from watch_versions
      where chain = ${chain} and changed > ${since} order by changed limit 1000),
    sized as materialized (
      select n.contract_id, n.changed, row_number() over (order by n.changed) as place,
        sum(${definitionBytes}) over (order by n.changed) as bytes
      from next n left join contracts c on c.id = n.contract_id)
    select contract_id, changed from sized where bytes <= ${maxBytes} or place = 1 order by changed`.execute(
    db,
  );
  const ids = changes.map((row) => row.contract_id);
  if (ids.length === 0) return { ids, rows: [], newest: since };
  const { rows } = await sql<StoredWatched>`
    ${select} where c.id = any(${ids}::uuid[]) and ${isWatchedAt(time)}`.execute(db);
  return {
    ids,
    rows: rows.map((row) => parseWatched(db, row)),
    newest: Number(changes.at(-1)?.changed ?? since),
  };
}

/** Returns the newest change number of a chain. */
export async function newestWatchChange(db: Db, chain: string): Promise<number> {
  const { rows } = await sql<{ newest: string | null }>`
    select max(changed) as newest from watch_versions where chain = ${chain}`.execute(db);
  return Number(rows[0]?.newest ?? 0);
}

/**
 * Records a configuration change in its own transaction, which waits for concurrent changes of the same contract. A trigger numbers
 * it at the commit, under a lock per chain: if two transactions took numbers and committed in the other order, the engine would
 * miss the later commit.
 */
export async function recordWatchChange(db: Db, chain: string, contract_id: string): Promise<void> {
  await recordWatchChanges(db, chain, [contract_id]);
}

/**
 * Records a configuration change of several contracts on one chain. A repetition in the transaction writes nothing: thousands of
 * versions of a row would make the commit slow, which holds the lock of the chain.
 */
export async function recordWatchChanges(db: Db, chain: string, contract_ids: string[]): Promise<void> {
  // A proxy is decoded by the ABI of its implementation, so it changes with it.
  await sql`
    insert into watch_versions (contract_id, chain, changed)
    select id, ${chain}, 0 from (
      select unnest(${contract_ids}::uuid[]) as id
      union
      select p.id from contracts c join contracts p
        on p.org_id = c.org_id and p.chain = c.chain and p.implementation_address = c.address
      where c.id = any(${contract_ids}::uuid[])) changed
    order by id
    on conflict (contract_id) do update set changed = 0 where watch_versions.changed <> 0`.execute(db);
}

/**
 * Records a change of all contracts of an org, whose tier and settings determine the polling interval. Also of those that are not
 * monitored: the monitoring of one may begin in a transaction that is not committed, which this one waits for.
 */
export async function recordOrgWatchChange(db: Db, org_id: string): Promise<void> {
  await sql`
    insert into watch_versions (contract_id, chain, changed)
    select id, chain, 0 from contracts where org_id = ${org_id} order by id
    on conflict (contract_id) do update set changed = 0 where watch_versions.changed <> 0`.execute(db);
}
