import { sql } from "kysely";
import { recordWatchChange } from "../engine/watch.ts";
import type { Db } from "../open-store.ts";

type Watched = { id: string; org_id: string; subject: { chain: { chain: string } } };

/** Marks a contract as a program. One that was inspected as something else is inspected again. */
export async function markAsProgram(db: Db, { id, org_id }: Watched, now: Date): Promise<void> {
  await sql`
    update contracts set contract_type = 'program', profile = null, inspect_at = ${now}
    where id = ${id} and org_id = ${org_id} and contract_type in ('unknown', 'wallet')`.execute(db);
}

/** Saves the on-chain IDL of a program if it is new or was replaced, unless a person has uploaded one. */
export async function saveIdl(db: Db, { id, org_id, subject }: Watched, idl: unknown): Promise<void> {
  const published = JSON.stringify(idl);
  // An inspection stores a list.
  const isOutdated = sql`id = ${id} and org_id = ${org_id} and (abi is null or abi_source = 'registry'
    and abi is distinct from ${published}::jsonb and abi is distinct from jsonb_build_array(${published}::jsonb))`;
  const { rows } = await sql`select 1 from contracts where ${isOutdated}`.execute(db);
  if (rows.length === 0) return;
  await db.transaction().execute(async (tx) => {
    await recordWatchChange(tx, subject.chain.chain, id);
    await sql`
      update contracts set abi = ${published}::jsonb, abi_source = 'registry' where ${isOutdated}`.execute(
      tx,
    );
  });
}
