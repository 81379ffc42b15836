import { sql } from "kysely";
import type { Db } from "./open.ts";
import { noteWatchChange } from "./watch.ts";

export type Upgrade = { contract_id: string; implementation: string; height: number };

/** Notes which code stands behind proxies now, so that calls and events are read by its ABI from the next block on. */
export async function noteUpgrades(db: Db, chain: string, upgrades: Upgrade[]): Promise<void> {
  for (const { contract_id, implementation, height } of upgrades) {
    await sql`
      update contracts set is_proxy = true, implementation_address = ${implementation}, implementation_height = ${height}
      where id = ${contract_id}`.execute(db);
    await noteWatchChange(db, chain, contract_id);
  }
}

/** The contracts whose code was put there by blocks above a height. */
export async function listUpgradedAbove(db: Db, chain: string, height: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from contracts where chain = ${chain} and implementation_height > ${height}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Forgets the code that blocks above a height put there; what was there before is not known any more. */
export async function forgetUpgradesAbove(db: Db, chain: string, height: number): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update contracts set implementation_address = null, implementation_height = null
    where chain = ${chain} and implementation_height > ${height} returning id`.execute(db);
  for (const { id } of rows) await noteWatchChange(db, chain, id);
}
