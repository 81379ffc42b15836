import { sql } from "kysely";
import { Profile } from "../../inspection/profile/profile.ts";
import type { TokenAccount } from "../engine/watch.ts";
import type { Db } from "../open-store.ts";
import { rowParser } from "../parse-row.ts";

/** A contract whose inspection is due. */
export type DueInspection = {
  id: string;
  org_id: string;
  chain: string;
  address: string;
  inspections: number;
  /** Code was found at the address before. */
  code_seen: boolean;
  /** It was not there any more. */
  is_missing: boolean;
  /** What templates follow is known. */
  is_profiled: boolean;
  /** No ABI is stored, although the source may be verified: it was left out. */
  lacks_abi: boolean;
  is_verified: boolean | null;
  contract_type: string;
};

/** The result of an inspection. Null fields are unknown and keep the stored value. */
export type InspectedContract = {
  category: string;
  contract_type: string;
  is_proxy: boolean;
  implementation_address: string | null;
  is_verified: boolean | null;
  /** ABI items; on Solana an IDL. */
  abi: unknown;
  abi_source: "registry" | "bytecode" | "none";
  profile: Profile;
  /** On Solana: the vaults of a program that are followed from the first inspection on. */
  token_accounts: TokenAccount[] | null;
};
type Recorded = InspectedContract & { hasCode: boolean };

/**
 * Claims due inspections on the given chains until the lease ends, one of each org that is not excluded, in an order that
 * changes with the time: an import of thousands of contracts does not delay the contract of another org.
 */
export async function claimInspections(
  db: Db,
  chains: readonly string[],
  excludedOrgs: readonly string[],
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<DueInspection[]> {
  const { rows } = await sql<DueInspection>`
    update contracts c set inspect_at = ${until} from (
      select id from contracts where id in (
        select id from (
          select distinct on (org_id) id, org_id from contracts
          where inspect_at <= ${now} and chain = any(${[...chains]}::text[]) and org_id <> all(${[...excludedOrgs]}::uuid[])
          order by org_id, inspect_at, id) waiting
        order by md5(org_id::text || ${now.toISOString()}) limit ${limit})
      for update skip locked) due
    where c.id = due.id
    returning ${dueColumns}`.execute(db);
  return rows;
}

const dueColumns = sql`
  c.id, c.org_id, c.chain, c.address, c.inspections, c.code_seen, c.contract_type,
  c.profile is not null as is_profiled, c.abi is null as lacks_abi, c.is_verified,
  c.status_code is not distinct from 'no_code' as is_missing`;

/** Returns a contract that is to be inspected at once. */
export async function findDueInspection(db: Db, contract_id: string): Promise<DueInspection | undefined> {
  const { rows } = await sql<DueInspection>`
    select ${dueColumns} from contracts c where c.id = ${contract_id}`.execute(db);
  return rows[0];
}

/** Postpones inspections that failed. */
export async function postponeInspections(db: Db, ids: readonly string[], until: Date): Promise<void> {
  await sql`update contracts set inspect_at = ${until} where id = any(${ids}::uuid[])`.execute(db);
}

/** True for contracts whose ABI a person set, which inspections keep. */
const isOwnAbi = sql<boolean>`(abi_source not in ('none', 'registry', 'bytecode'))`;

export async function hasOwnAbi(db: Db, contract_id: string): Promise<boolean> {
  const { rows } = await sql<{ is_own: boolean }>`
    select ${isOwnAbi} as is_own from contracts where id = ${contract_id}`.execute(db);
  return rows[0]?.is_own ?? false;
}

/** Records an inspection. Values that a person set, and code and vaults that the engine recorded, are kept. */
export async function recordInspection(db: Db, contract_id: string, inspection: Recorded): Promise<void> {
  const isOurs = sql`not ${isOwnAbi} and ${inspection.abi !== null}`;
  const isUnseen = sql`not exists (
    select 1 from contract_code k where k.contract_id = contracts.id and coalesce(k.implementation, k.beacon) is not null)`;
  await sql`
    update contracts set
      category = case when is_category_chosen then category else ${inspection.category} end,
      contract_type = ${inspection.contract_type},
      is_proxy = case when ${isUnseen} then ${inspection.is_proxy} else is_proxy end,
      implementation_address = case when ${isUnseen} then ${inspection.implementation_address} else implementation_address end,
      is_verified = coalesce(${inspection.is_verified}, is_verified),
      abi = case when ${isOurs} then ${JSON.stringify(inspection.abi)}::jsonb else abi end,
      abi_source = case when ${isOurs} then ${inspection.abi_source} else abi_source end,
      profile = ${JSON.stringify(inspection.profile)}::jsonb,
      token_accounts = coalesce(token_accounts, ${inspection.token_accounts && JSON.stringify(inspection.token_accounts)}::jsonb),
      code_seen = code_seen or ${inspection.hasCode},
      inspect_at = null,
      inspections = inspections + 1
    where id = ${contract_id}`.execute(db);
}

const parseProfile = rowParser("contracts", { profile: Profile.nullable() });

/** Returns what inspections learned of a contract; undefined before the first one. */
export async function findProfile(db: Db, contract_id: string): Promise<Profile | undefined> {
  const row = await db
    .selectFrom("contracts")
    .select("profile")
    .where("id", "=", contract_id)
    .executeTakeFirst();
  return (row && parseProfile(row).profile) ?? undefined;
}

/** Records what was learned again of a contract, and when to learn it the next time. */
export async function recordProfile(
  db: Db,
  contract_id: string,
  profile: Profile,
  again: Date,
): Promise<void> {
  await sql`update contracts set profile = ${JSON.stringify(profile)}::jsonb, inspect_at = ${again}
    where id = ${contract_id}`.execute(db);
}

/** Sets a contract whose code has gone to ERROR, unless a person paused it. */
export async function recordMissingCode(
  db: Db,
  contract_id: string,
  reason: string,
  again: Date,
): Promise<void> {
  await sql`
    update contracts set inspect_at = ${again}, inspections = inspections + 1,
      status = case when status in ('PENDING', 'MONITORING') then 'ERROR' else status end,
      status_code = case when status in ('PENDING', 'MONITORING') then 'no_code' else status_code end,
      status_reason = case when status in ('PENDING', 'MONITORING') then ${reason} else status_reason end
    where id = ${contract_id}`.execute(db);
}

/** Clears the error of a contract that has code now. Returns true when there was one. */
export async function clearMissingCode(db: Db, contract_id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update contracts set status = 'PENDING', status_code = null, status_reason = null
    where id = ${contract_id} and status = 'ERROR' and status_code = 'no_code'`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}
