import { sql } from "kysely";
import { recordWatchChange, type TokenAccount } from "../engine/watch.ts";
import type { Db } from "../open-store.ts";

type Watched = { id: string; org_id: string; subject: { chain: { chain: string } } };

/** Saves which token accounts of a contract are followed, if they changed. The engine then follows them. */
export async function saveTokenAccounts(
  db: Db,
  { id, org_id, subject }: Watched,
  accounts: readonly TokenAccount[],
): Promise<void> {
  const accountsJson = JSON.stringify(accounts);
  const isOutdated = sql`id = ${id} and org_id = ${org_id}
    and coalesce(token_accounts, '[]') is distinct from ${accountsJson}::jsonb`;
  const { rows } = await sql`select 1 from contracts where ${isOutdated}`.execute(db);
  if (rows.length === 0) return;
  await db.transaction().execute(async (tx) => {
    await recordWatchChange(tx, subject.chain.chain, id);
    await sql`update contracts set token_accounts = ${accountsJson}::jsonb where ${isOutdated}`.execute(tx);
  });
}

/** Has further token accounts of a contract followed. */
export async function addTokenAccounts(
  db: Db,
  { id, org_id, subject }: Watched,
  accounts: readonly TokenAccount[],
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await recordWatchChange(tx, subject.chain.chain, id);
    await sql`
      update contracts set token_accounts = coalesce(token_accounts, '[]') || ${JSON.stringify(accounts)}::jsonb
      where id = ${id} and org_id = ${org_id}`.execute(tx);
  });
}
