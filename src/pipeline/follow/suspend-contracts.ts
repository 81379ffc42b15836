import { type App, inSeconds } from "../../app.ts";
import type { Chain } from "../../chains/chain.ts";
import { clearSuspension, recordSuspension } from "../../store/contracts/suspended-contracts.ts";
import { type Cursor, moveCursor } from "../../store/engine/cursors.ts";
import type { Db } from "../../store/open-store.ts";
import { LeaseLost } from "../commit/commit.ts";
import type { WatchList } from "../watch/watch-list.ts";

/** It is tried again after so long; until then others are on time. */
const restSeconds = 6 * 3600;

type Following = { chain: Chain; cursor: Cursor; lease: { fence: number } };

/**
 * Stops following the contracts that an address belongs to, since it makes everything on its chain later and later. What they
 * miss is exact: nothing after the cursor is counted, and their status and an alert of the service say so.
 */
export async function suspendContracts(
  app: App,
  at: Following,
  watchList: WatchList,
  address: string,
): Promise<void> {
  const contracts = [...watchList.at(address)];
  const resume_at = inSeconds(app, restSeconds);
  const reason =
    `More happens at ${address} than can be followed. Nothing after slot ${at.cursor.height} is counted; ` +
    `it is tried again at ${resume_at.toISOString()}.`;
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

/** Follows those again whose time has come, from the block after the cursor. */
export async function resumeContracts(app: App, at: Following): Promise<void> {
  const from = at.cursor.height + 1;
  const reason = (since: number) =>
    `Followed again from slot ${from} on. Nothing after slot ${since} and before slot ${from} was counted.`;
  const count = await underLease(app, at, (tx) =>
    clearSuspension(tx, at.chain.chain, app.clock.now(), reason),
  );
  if (count > 0) app.bus.publish({ topic: "stream.queued" });
}

/** The cursor stands where we think only while the chain is ours. */
async function underLease<Result>(
  app: App,
  { chain, cursor, lease }: Following,
  work: (tx: Db) => Promise<Result>,
): Promise<Result> {
  return app.db.transaction().execute(async (tx) => {
    if (!(await moveCursor(tx, chain.chain, cursor, lease, app.clock.now())))
      throw new LeaseLost(chain.chain);
    return work(tx);
  });
}
