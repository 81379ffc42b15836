import { sql } from "kysely";
import { limitFairly } from "../alerts/fair-limit.ts";
import type { Db } from "../open-store.ts";

type Watched = { id: string; org_id: string };

/** Saves what is not followed of the token accounts of a contract, if it changed; null if everything is. */
export async function saveSearchProblem(
  db: Db,
  { id, org_id }: Watched,
  { problem, failing_since }: { problem: string | null; failing_since: Date | null },
): Promise<void> {
  await sql`
    update contracts set search_problem = ${problem}, search_failing_since = ${failing_since}
    where id = ${id} and org_id = ${org_id} and search_problem is distinct from ${problem}`.execute(db);
}

export type FailingSearch = {
  id: string;
  org_id: string;
  chain: string;
  chain_id: string;
  label: string;
  problem: string;
  failing_since: Date;
};

/** Lists the monitored contracts whose token accounts cannot be searched. */
export async function listFailingSearches(db: Db): Promise<FailingSearch[]> {
  const { rows } = await limitFairly(sql<FailingSearch>`
    select id, org_id, chain, chain_id, label, search_problem as problem, search_failing_since as failing_since
    from contracts where search_failing_since is not null and status = 'MONITORING'`).execute(db);
  return rows;
}
