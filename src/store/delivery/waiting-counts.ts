import { sql } from "kysely";
import type { Db } from "../open-store.ts";

/** Messages and notices that wait, counted up to a limit, and when the oldest due message became due. */
export type WaitingCounts = { messages: number; notices: number; oldest_due: Date | null };

/** More are not counted: the number only has to show that there are far too many. */
const countLimit = 100_000;

export async function countWaiting(db: Db, now: Date): Promise<WaitingCounts> {
  const { rows } = await sql<WaitingCounts>`
    select
      (select count(*)::int from (select 1 from deliveries where status = 'queued' limit ${countLimit}) d) as messages,
      (select count(*)::int from (select 1 from alert_notices where fanned_out_at is null limit ${countLimit}) n) as notices,
      (select min(next_attempt_at) from deliveries where status = 'queued' and next_attempt_at <= ${now}) as oldest_due`.execute(
    db,
  );
  return rows[0] as WaitingCounts;
}
