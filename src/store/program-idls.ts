import { sql } from "kysely";
import type { Db } from "./open.ts";
import { noteWatchChange } from "./watch.ts";

/** Keeps the IDL that a program has on chain, unless somebody gave one meanwhile. */
export async function keepIdl(
  db: Db,
  { id, org_id, subject }: { id: string; org_id: string; subject: { chain: { chain: string } } },
  idl: unknown,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await noteWatchChange(tx, subject.chain.chain, id);
    await sql`
      update contracts set abi = ${JSON.stringify(idl)}::jsonb, abi_source = 'registry'
      where id = ${id} and org_id = ${org_id} and abi is null`.execute(tx);
  });
}
