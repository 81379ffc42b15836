import { type Insertable, type RawBuilder, type Selectable, sql } from "kysely";
import { z } from "zod";
import type { DiscoveredAddress } from "../../discovery/discover.ts";
import { relations } from "../../discovery/related-address.ts";
import type { Db } from "../open-store.ts";
import { jsonObject, type Parsed, rowParser } from "../parse-row.ts";
import { isAfter, type Slice } from "../slice.ts";
import type { Database } from "../tables.ts";
import type { Viewer } from "../viewer.ts";

const results: z.ZodType<DiscoveredAddress[]> = z.array(
  z.object({
    address: z.string(),
    relation: z.enum(relations),
    tx_count: z.number(),
    last_at: z.number().nullable(),
    name: z.string().nullable(),
    contract_type: z.string(),
    category: z.string(),
    suggested_targets: z.array(z.object({ target_type: z.string(), config: jsonObject, reason: z.string() })),
  }),
);

/** The progress of a discovery on one chain. */
const chainProgress = z.object({
  chain_id: z.number(),
  status: z.enum(["pending", "completed", "partial", "failed"]),
  found: z.number(),
  error: z.string().nullable(),
  results,
});

const json = { chains: z.array(chainProgress) };
const parseDiscovery = rowParser("wallet_discovery_chains", json);
const parseFindings = rowParser("wallet_findings", { results });

type StoredDiscovery = Selectable<Database["wallet_discoveries"]> & { chains: unknown };
export type DiscoveryRow = Parsed<StoredDiscovery, typeof json>;

const columns = sql`
  d.*, coalesce((
    select jsonb_agg(jsonb_build_object('chain_id', p.chain_id, 'status', p.status, 'found', p.found, 'error', p.error,
      'results', p.results) order by p.chain_id)
    from wallet_discovery_chains p where p.discovery_id = d.id), '[]') as chains`;

/**
 * True for discoveries that the viewer sees. A key restricted to chains sees discoveries on those chains; a key
 * restricted to contracts sees none.
 */
function isDiscoveryVisible({ org_id, contract_scope, chain_scope }: Viewer): RawBuilder<unknown> {
  if (contract_scope) return sql`false`;
  const isOwn = sql`d.org_id = ${org_id} and d.deleted_at is null`;
  return chain_scope ? sql`${isOwn} and d.chain_ids <@ ${chain_scope}::bigint[]` : isOwn;
}

export async function insertDiscovery(
  db: Db,
  discovery: Insertable<Database["wallet_discoveries"]>,
  chains: Insertable<Database["wallet_discovery_chains"]>[],
): Promise<void> {
  await db.insertInto("wallet_discoveries").values(discovery).execute();
  await db.insertInto("wallet_discovery_chains").values(chains).execute();
}

export async function listDiscoveries(
  db: Db,
  viewer: Viewer,
  { limit, after }: Slice,
): Promise<DiscoveryRow[]> {
  const { rows } = await sql<StoredDiscovery>`
    select ${columns} from wallet_discoveries d
    where ${isDiscoveryVisible(viewer)} and ${isAfter(after, sql`d.created_at`, sql`d.id`)}
    order by d.created_at desc, d.id desc limit ${limit ?? null}`.execute(db);
  return rows.map(parseDiscovery);
}

export async function findDiscovery(db: Db, viewer: Viewer, id: string): Promise<DiscoveryRow | undefined> {
  const { rows } = await sql<StoredDiscovery>`
    select ${columns} from wallet_discoveries d where d.id = ${id} and ${isDiscoveryVisible(viewer)}`.execute(
    db,
  );
  return rows[0] && parseDiscovery(rows[0]);
}

export async function listDiscoveriesByIds(db: Db, org_id: string, ids: string[]): Promise<DiscoveryRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<StoredDiscovery>`
    select ${columns} from wallet_discoveries d where d.org_id = ${org_id} and d.deleted_at is null
      and d.id = any(${ids}::uuid[])`.execute(db);
  return rows.map(parseDiscovery);
}

export async function countDiscoveriesSince(db: Db, org_id: string, since: Date): Promise<number> {
  const { total } = await db
    .selectFrom("wallet_discoveries")
    .select((query) => query.fn.countAll<string>().as("total"))
    .where("org_id", "=", org_id)
    .where("created_at", ">", since)
    .executeTakeFirstOrThrow();
  return Number(total);
}

/**
 * Deletes what a discovery found. Its row stays until it no longer counts towards the discoveries of a day, so that deleting
 * does not raise the quota.
 */
export async function deleteDiscovery(db: Db, org_id: string, id: string, now: Date): Promise<boolean> {
  const row = await db
    .updateTable("wallet_discoveries")
    .set({ deleted_at: now, status: "failed", leased_until: null, completed_at: now })
    .where("org_id", "=", org_id)
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  if (!row) return false;
  await db.deleteFrom("wallet_discovery_chains").where("discovery_id", "=", id).execute();
  return true;
}

/**
 * Claims a pending discovery until the lease ends: of the org that was served least recently, so that orgs take turns, and of none
 * with a discovery that runs. Claims wait for each other, because two at once could be of one org.
 */
export async function claimDiscovery(db: Db, now: Date, until: Date): Promise<DiscoveryRow | undefined> {
  const claimed = await db.transaction().execute((tx) => claimNext(tx, now, until));
  return claimed && (await listDiscoveriesByIds(db, claimed.org_id, [claimed.id]))[0];
}

async function claimNext(
  tx: Db,
  now: Date,
  until: Date,
): Promise<{ id: string; org_id: string } | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended('wallet_discoveries', 0))`.execute(tx);
  const { rows } = await sql<{ id: string; org_id: string }>`
    update wallet_discoveries set leased_until = ${until}, attempts = attempts + 1
    where id = (
      select id from wallet_discoveries d
      where status = 'pending' and (leased_until is null or leased_until <= ${now}) and not exists (
        select 1 from wallet_discoveries running
        where running.org_id = d.org_id and running.status = 'pending' and running.leased_until > ${now})
      order by (
        select coalesce(max(coalesce(other.completed_at, other.leased_until)), '-infinity')
        from wallet_discoveries other where other.org_id = d.org_id and other.id <> d.id), created_at
      limit 1 for update skip locked)
    returning id, org_id`.execute(tx);
  return rows[0];
}

/** Counts the discoveries of an org that wait or run. */
export async function countPendingDiscoveries(db: Db, org_id: string): Promise<number> {
  const { count } = await db
    .selectFrom("wallet_discoveries")
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .where("org_id", "=", org_id)
    .where("status", "=", "pending")
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Renews the lease of a discovery. */
export async function renewLease(db: Db, discovery_id: string, until: Date): Promise<void> {
  await db
    .updateTable("wallet_discoveries")
    .set({ leased_until: until })
    .where("id", "=", discovery_id)
    .where("status", "=", "pending")
    .execute();
}

export type Findings = {
  status: "completed" | "partial";
  error: string | null;
  results: DiscoveredAddress[];
};

/** Returns the cached findings of a wallet by chain, if newer than `since`. */
export async function listFindings(
  db: Db,
  wallet_address: string,
  chain_ids: number[],
  since: Date,
): Promise<Map<number, Findings>> {
  const { rows } = await sql<Findings & { chain_id: string }>`
    select chain_id, status, error, results from wallet_findings
    where wallet_address = ${wallet_address} and chain_id = any(${chain_ids}::bigint[]) and found_at > ${since}`.execute(
    db,
  );
  return new Map(rows.map(parseFindings).map(({ chain_id, ...findings }) => [Number(chain_id), findings]));
}

export async function saveFindings(
  db: Db,
  wallet_address: string,
  chain_id: number,
  { status, error, results }: Findings,
  now: Date,
): Promise<void> {
  const row = { status, error, results: JSON.stringify(results), found_at: now };
  await db
    .insertInto("wallet_findings")
    .values({ chain_id: String(chain_id), wallet_address, ...row })
    .onConflict((conflict) => conflict.columns(["chain_id", "wallet_address"]).doUpdateSet(row))
    .execute();
}

/** Records the result of one chain of a discovery. */
export async function finishChain(
  db: Db,
  discovery_id: string,
  chain_id: number,
  { status, error, results }: Omit<Findings, "status"> & { status: Findings["status"] | "failed" },
): Promise<void> {
  await db
    .updateTable("wallet_discovery_chains")
    .set({ status, error, results: JSON.stringify(results), found: results.length })
    .where("discovery_id", "=", discovery_id)
    .where("chain_id", "=", String(chain_id))
    .execute();
}

export async function finishDiscovery(
  db: Db,
  discovery_id: string,
  end: { status: "completed" | "partial" | "failed"; error: string | null; completed_at: Date },
): Promise<void> {
  await db
    .updateTable("wallet_discoveries")
    .set({ ...end, leased_until: null })
    .where("id", "=", discovery_id)
    .where("status", "=", "pending")
    .execute();
}
