import { sql } from "kysely";
import type { Db } from "../open-store.ts";
import { isKnownToViewersOf } from "../viewer.ts";

/** An address that an event of a contract mentions. */
export type Candidate = { contract_id: string; address: string };

/**
 * Returns, by contract, the labels of the addresses that its events mention. Left out are contracts that some people who can see the
 * events cannot see, and labels that only repeat the address.
 */
export async function listNames(
  db: Db,
  candidates: readonly Candidate[],
): Promise<Map<string, Map<string, string>>> {
  const contract_ids = candidates.map(({ contract_id }) => contract_id);
  const addresses = candidates.map(({ address }) => address);
  const { rows } = await sql<{ contract_id: string; address: string; label: string }>`
    select c.id as contract_id, other.address, other.label
    from unnest(${contract_ids}::uuid[], ${addresses}::text[]) as mentioned (contract_id, address)
    join contracts c on c.id = mentioned.contract_id
    join contracts other
      on other.org_id = c.org_id and other.chain = c.chain and other.address = mentioned.address
    where not starts_with(other.label, left(other.address, 6))
      and ${isKnownToViewersOf(sql`other`, sql`c`)}`.execute(db);
  const byContract = Map.groupBy(rows, ({ contract_id }) => contract_id);
  return new Map(
    [...byContract].map(([id, named]) => [id, new Map(named.map((one) => [one.address, one.label]))]),
  );
}
