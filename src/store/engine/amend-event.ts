import { sql } from "kysely";
import type { Db } from "../open-store.ts";

/** What became known of an event after it was stored. */
type Amendment = {
  id: string;
  block_hash: string | null;
  tx_hash: string;
  title: string;
  message: string;
  explanation: string;
};

/** Adds the transaction of an event, unless the event was retracted or fired again since. */
export async function amendEvent(
  db: Db,
  { id, block_hash, tx_hash, title, message, explanation }: Amendment,
): Promise<void> {
  await sql`
    update alert_events
    set tx_hash = ${tx_hash}, title = ${title}, message = ${message}, explanation = ${explanation}::jsonb
    where id = ${id} and tx_hash is null and block_hash is not distinct from ${block_hash} and status <> 'retracted'`.execute(
    db,
  );
}
