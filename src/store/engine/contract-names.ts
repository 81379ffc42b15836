import { sql } from "kysely";
import type { Db } from "../open-store.ts";
import { isKnownToViewersOf } from "../viewer.ts";

/** An address that an event of a contract mentions. */
export type Mention = { contract_id: string; org_id: string; address: string };

/**
 * Returns, by contract, the labels of the addresses that its events mention. Left out are contracts that some people who can
 * see the events cannot see, and labels that only repeat the address.
 */
export async function listNames(
  db: Db,
  chain: string,
  mentions: readonly Mention[],
): Promise<Map<string, Map<string, string>>> {
  const labelled = await listLabelled(db, chain, mentions);
  const candidates = mentions.filter((mention) => labelled.has(keyOf(mention)));
  if (candidates.length === 0) return new Map();
  const { rows } = await sql<{ contract_id: string; address: string; label: string }>`
    select c.id as contract_id, other.address, other.label
    from unnest(${candidates.map(({ contract_id }) => contract_id)}::uuid[],
      ${candidates.map(({ address }) => address)}::text[]) as mentioned (contract_id, address)
    join contracts c on c.id = mentioned.contract_id
    join contracts other
      on other.org_id = c.org_id and other.chain = c.chain and other.address = mentioned.address
    where ${isKnownToViewersOf(sql`other`, sql`c`)}`.execute(db);
  const byContract = Map.groupBy(rows, ({ contract_id }) => contract_id);
  return new Map(
    [...byContract].map(([id, named]) => [id, new Map(named.map((entry) => [entry.address, entry.label]))]),
  );
}

/** Finds the mentioned addresses that have a label. Most have none, and many events of a block mention the same ones. */
async function listLabelled(db: Db, chain: string, mentions: readonly Mention[]): Promise<Set<string>> {
  const orgs = [...new Set(mentions.map(({ org_id }) => org_id))];
  const addresses = [...new Set(mentions.map(({ address }) => address))];
  const { rows } = await sql<{ org_id: string; address: string }>`
    select org_id, address from contracts
    where chain = ${chain} and address = any(${addresses}::text[]) and org_id = any(${orgs}::uuid[])
      and not starts_with(label, left(address, 6))`.execute(db);
  return new Set(rows.map(keyOf));
}

function keyOf({ org_id, address }: Pick<Mention, "org_id" | "address">): string {
  return `${org_id} ${address}`;
}
