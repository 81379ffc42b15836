import { type Insertable, type RawBuilder, type Selectable, sql } from "kysely";
import type { Db } from "../open-store.ts";
import { isAfter, type Slice } from "../slice.ts";
import type { Database } from "../tables.ts";
import { isVisible, type Viewer } from "../viewer.ts";

type Table = Selectable<Database["contracts"]>;

/** Columns of the inspection job. */
type InspectionColumn = "inspect_at" | "inspections" | "is_category_chosen" | "profile";

/** A contract with its labels and counts. The ABI is left out because it is large. */
export type ContractRow = Omit<
  Table,
  "abi" | "external_ref" | "is_restricted" | "search_failing_since" | InspectionColumn
> & {
  labels: { id: string; key: string | null; value: string; color: string | null; created_at: string }[];
  targets_count: string;
  rules_count: string;
};

const columns = sql`
  c.id, c.org_id, c.chain, c.chain_id, c.address, c.label, c.status, c.status_code, c.status_reason, c.search_problem, c.category, c.contract_type,
  c.is_proxy, c.implementation_address, c.is_verified, c.abi_source, c.last_activity_at, c.created_by, c.created_at,
  c.updated_at,
  coalesce((
    select jsonb_agg(jsonb_build_object(
      'id', l.id, 'key', l.key, 'value', l.value, 'color', l.color, 'created_at', l.created_at) order by l.created_at, l.id)
    from contract_labels l where l.contract_id = c.id), '[]') as labels,
  (select count(*) from targets t where t.contract_id = c.id) as targets_count,
  (select count(*) from alert_rules r where r.org_id = c.org_id and r.contract_id = c.id) as rules_count`;

/** Inserts contracts and returns the ids of the new ones. An address exists once per org. */
export async function insertContracts(
  db: Db,
  contracts: Insertable<Database["contracts"]>[],
): Promise<Set<string>> {
  const rows = await db
    .insertInto("contracts")
    .values(contracts)
    .onConflict((conflict) => conflict.columns(["org_id", "chain", "address"]).doNothing())
    .returning("id")
    .execute();
  return new Set(rows.map(({ id }) => id));
}

export type ContractFilter = {
  chain?: string | undefined;
  status?: string | undefined;
  category?: string | undefined;
  label?: string | undefined;
  q?: string | undefined;
};

/** Lists the contracts that the viewer sees, newest first. */
export async function listContracts(
  db: Db,
  viewer: Viewer,
  filter: ContractFilter = {},
  { limit, after }: Slice = {},
): Promise<ContractRow[]> {
  const { rows } = await sql<ContractRow>`
    select ${columns} from contracts c
    where ${matches(viewer, filter)} and ${isAfter(after, sql`c.created_at`, sql`c.id`)}
    order by c.created_at desc, c.id desc limit ${limit ?? null}`.execute(db);
  return rows;
}

export async function countMatchingContracts(
  db: Db,
  viewer: Viewer,
  filter: ContractFilter,
): Promise<number> {
  const { rows } = await sql<{ total: string }>`
    select count(*) as total from contracts c where ${matches(viewer, filter)}`.execute(db);
  return Number(rows[0]?.total ?? 0);
}

function matches(viewer: Viewer, { chain, status, category, label, q }: ContractFilter): RawBuilder<boolean> {
  const conditions = [
    isVisible(viewer, sql`c`),
    ...(chain ? [sql`c.chain = ${chain}`] : []),
    ...(status ? [sql`c.status = ${status}`] : []),
    ...(category ? [sql`c.category = ${category}`] : []),
    ...(label ? [hasLabel(label)] : []),
    ...(q
      ? [sql`(strpos(lower(c.label), lower(${q})) > 0 or strpos(lower(c.address), lower(${q})) > 0)`]
      : []),
  ];
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`;
}

function hasLabel(label: string): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from contract_labels l where l.contract_id = c.id
    and lower(${label}) in (lower(l.value), lower(l.key || ':' || l.value)))`;
}

/** Maps chain and address to the ids of the org's contracts, without a visibility check. */
export async function listWatchedAt(
  db: Db,
  org_id: string,
  places: { chain: string; address: string }[],
): Promise<Map<string, string>> {
  if (places.length === 0) return new Map();
  const { rows } = await sql<{ id: string; chain: string; address: string }>`
    select c.id, c.chain, c.address from contracts c
    join unnest(${places.map(({ chain }) => chain)}::text[], ${places.map(({ address }) => address)}::text[])
      as p (chain, address) using (chain, address)
    where c.org_id = ${org_id}`.execute(db);
  return new Map(rows.map(({ id, chain, address }) => [`${chain} ${address}`, id]));
}

/** Lists contracts by id without a visibility check, which is up to the caller. */
export async function listContractsByIds(db: Db, org_id: string, ids: string[]): Promise<ContractRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<ContractRow>`
    select ${columns} from contracts c where c.org_id = ${org_id} and c.id = any(${ids}::uuid[])`.execute(db);
  return rows;
}

export async function findContract(
  db: Db,
  viewer: Viewer,
  contract_id: string,
): Promise<ContractRow | undefined> {
  const { rows } = await sql<ContractRow>`
    select ${columns} from contracts c where c.id = ${contract_id} and ${isVisible(viewer, sql`c`)}`.execute(
    db,
  );
  return rows[0];
}

export type ContractChange = Partial<
  Pick<
    Table,
    | "label"
    | "category"
    | "status"
    | "status_code"
    | "status_reason"
    | "abi_source"
    | "is_category_chosen"
    | "paused_at"
    | "updated_at"
  >
> & { abi?: unknown };

export async function updateContract(
  db: Db,
  org_id: string,
  contract_id: string,
  change: ContractChange,
): Promise<void> {
  const { abi, ...plain } = change;
  await db
    .updateTable("contracts")
    .set({ ...plain, ...(abi !== undefined && { abi: JSON.stringify(abi) }) })
    .where("org_id", "=", org_id)
    .where("id", "=", contract_id)
    .execute();
}

/** Sets the ABI of a contract that has none. */
export async function setAbi(db: Db, org_id: string, contract_id: string, abi: unknown): Promise<void> {
  await db
    .updateTable("contracts")
    .set({ abi: JSON.stringify(abi), abi_source: "import" })
    .where("org_id", "=", org_id)
    .where("id", "=", contract_id)
    .where("abi_source", "=", "none")
    .execute();
}

export async function deleteContract(db: Db, org_id: string, contract_id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("contracts")
    .where("org_id", "=", org_id)
    .where("id", "=", contract_id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Returns the size of the ABIs of an org as text. Contracts with the same ABI count once. */
export async function sumAbiBytes(db: Db, org_id: string): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`
    select coalesce(sum(abi_bytes), 0) as bytes from (
      select distinct abi_hash, abi_bytes from contracts where org_id = ${org_id} and abi is not null) a`.execute(
    db,
  );
  return Number(rows[0]?.bytes);
}

/** Returns the same as it would be with another ABI of a contract. */
export async function sumAbiBytesWith(
  db: Db,
  org_id: string,
  contract_id: string,
  abi: unknown,
): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`
    select coalesce(sum(abi_bytes), 0) as bytes from (
      select abi_hash, abi_bytes from contracts
      where org_id = ${org_id} and abi is not null and id <> ${contract_id}
      union select md5(abi), octet_length(abi) from (select ${JSON.stringify(abi)}::jsonb::text as abi) given) a`.execute(
    db,
  );
  return Number(rows[0]?.bytes);
}

/** Counts all contracts of the org, as quotas do. */
export async function countContracts(db: Db, org_id: string): Promise<number> {
  const { total } = await db
    .selectFrom("contracts")
    .select((query) => query.fn.countAll<string>().as("total"))
    .where("org_id", "=", org_id)
    .executeTakeFirstOrThrow();
  return Number(total);
}
