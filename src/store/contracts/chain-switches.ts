import type { Db } from "../open-store.ts";

/** The chains that staff switched, by key: true is on. */
export async function listChainSwitches(db: Db): Promise<Map<string, boolean>> {
  const rows = await db.selectFrom("chain_switches").select(["chain", "is_enabled"]).execute();
  return new Map(rows.map((row) => [row.chain, row.is_enabled]));
}

export async function setChainSwitch(
  db: Db,
  chain: string,
  change: { is_enabled: boolean; changed_at: Date; changed_by: string },
): Promise<void> {
  await db
    .insertInto("chain_switches")
    .values({ chain, ...change })
    .onConflict((conflict) => conflict.column("chain").doUpdateSet(change))
    .execute();
}
