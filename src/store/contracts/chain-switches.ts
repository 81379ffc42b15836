import type { Db } from "../open-store.ts";

/** Returns the chains that staff enabled (true) or disabled (false). */
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
