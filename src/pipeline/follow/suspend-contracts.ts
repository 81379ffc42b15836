import { type App, inSeconds } from "../../app.ts";
import type { Chain } from "../../chains/chain.ts";
import { clearSuspension, recordSuspension } from "../../store/contracts/suspended-contracts.ts";
import { type Cursor, moveCursor } from "../../store/engine/cursors.ts";
import type { Db } from "../../store/open-store.ts";
import { LeaseLost } from "../commit/commit.ts";
import type { WatchList } from "../watch/watch-list.ts";

/** The duration of a suspension. */
const suspensionSeconds = 6 * 3600;

type ChainPosition = { chain: Chain; cursor: Cursor; lease: { fence: number } };

/**
 * Suspends the contracts that observe an address whose traffic delays the whole chain. Nothing after the cursor is counted
 * for them, which their status and a system alert state exactly.
 */
export async function suspendContracts(
  app: App,
  at: ChainPosition,
  watchList: WatchList,
  address: string,
): Promise<void> {
  const contracts = [...watchList.at(address)];
  const resume_at = inSeconds(app, suspensionSeconds);
  const reason =
    `The address ${address} has more transactions than can be read. Nothing after slot ${at.cursor.height} is counted; ` +
    `monitoring resumes at ${resume_at.toISOString()}.`;
  app.log.warn({ chain: at.chain.chain, address, since: at.cursor.height }, "address suspended");
  await underLease(app, at, (tx) =>
    recordSuspension(
      tx,
      at.chain.chain,
      contracts.map(({ id }) => id),
      { last_height: at.cursor.height, reason, resume_at, now: app.clock.now() },
    ),
  );
  app.bus.publish({ topic: "stream.queued" });
}

/** Resumes the contracts whose suspension has ended, from the block after the cursor. */
export async function resumeContracts(app: App, at: ChainPosition): Promise<void> {
  const from = at.cursor.height + 1;
  const reason = (since: number) =>
    `Monitoring resumed from slot ${from}. Nothing after slot ${since} and before slot ${from} was counted.`;
  const count = await underLease(app, at, (tx) =>
    clearSuspension(tx, at.chain.chain, app.clock.now(), reason),
  );
  if (count > 0) app.bus.publish({ topic: "stream.queued" });
}

/** Runs work in a transaction that fails with `LeaseLost` unless this process still holds the lease. */
async function underLease<Result>(
  app: App,
  { chain, cursor, lease }: ChainPosition,
  work: (tx: Db) => Promise<Result>,
): Promise<Result> {
  return app.db.transaction().execute(async (tx) => {
    if (!(await moveCursor(tx, chain.chain, cursor, lease, app.clock.now())))
      throw new LeaseLost(chain.chain);
    return work(tx);
  });
}
