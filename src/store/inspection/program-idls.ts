import { sql } from "kysely";
import { recordWatchChange } from "../engine/watch.ts";
import type { Db } from "../open-store.ts";

type Watched = { id: string; org_id: string; subject: { chain: { chain: string } } };

/** Notes that a program stands at the address. */
export async function markAsProgram(db: Db, { id, org_id }: Watched): Promise<void> {
  await sql`
    update contracts set contract_type = 'program'
    where id = ${id} and org_id = ${org_id} and contract_type = 'unknown'`.execute(db);
}

/** Keeps the IDL that a program has on chain, unless somebody gave one meanwhile. */
export async function saveIdl(db: Db, { id, org_id, subject }: Watched, idl: unknown): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await recordWatchChange(tx, subject.chain.chain, id);
    await sql`
      update contracts set abi = ${JSON.stringify(idl)}::jsonb, abi_source = 'registry'
      where id = ${id} and org_id = ${org_id} and abi is null`.execute(tx);
  });
}
