import { sql } from "kysely";
import type { Clock } from "../../lib/clock.ts";
import type { Db } from "../open-store.ts";
import { ordinaryName, urgentName } from "./connection-names.ts";

/** The longest time that an urgent transaction waits for a lock of another one. */
const maxWaitMs = 1_000;
/** The interval of the checks after that: a statement may wait for several transactions, one after another. */
const checkMs = 200;

/**
 * Runs a transaction for which alerts of many orgs wait. Another one that keeps it waiting for longer is rolled back and repeated by
 * its own process: a large change of one org, or a process that stands still, must not delay the alerts of all others.
 */
export async function urgentTransaction<Result>(
  { db, clock }: { db: Db; clock: Clock },
  work: (tx: Db) => Promise<Result>,
): Promise<Result> {
  const done = new AbortController();
  void freeLocks(db, clock, done.signal);
  try {
    return await db.transaction().execute(async (tx) => {
      await sql`select set_config('application_name', ${urgentName}, true)`.execute(tx);
      return work(tx);
    });
  } finally {
    done.abort();
  }
}

async function freeLocks(db: Db, clock: Clock, signal: AbortSignal): Promise<void> {
  for (let waitMs = maxWaitMs; ; waitMs = checkMs) {
    await clock.sleep(waitMs, signal);
    if (signal.aborted) return;
    // If the database is what is slow, the transaction itself reports it.
    await endBlockers(db).catch(() => undefined);
  }
}

/** Ends the ordinary transactions on whose locks an urgent one has waited for too long. */
async function endBlockers(db: Db): Promise<void> {
  await sql`
    select pg_terminate_backend(blocker.pid)
    from pg_stat_activity waiting
    cross join lateral unnest(pg_blocking_pids(waiting.pid)) as blocking (pid)
    join pg_stat_activity blocker on blocker.pid = blocking.pid
    where waiting.datname = current_database() and waiting.application_name = ${urgentName}
      and waiting.wait_event_type = 'Lock'
      and waiting.query_start < clock_timestamp() - make_interval(secs => ${(maxWaitMs * 0.8) / 1_000})
      and blocker.application_name = ${ordinaryName}`.execute(db);
}
