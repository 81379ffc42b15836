import type { App } from "../../app.ts";
import type { Chain } from "../../chains/chain.ts";
import { ChainError, type ChainReader } from "../../chains/reader.ts";
import { runEvery } from "../../lib/concurrency/poll-loop.ts";
import { type Cursor, recordError } from "../../store/engine/cursors.ts";
import { Follower, type Progress } from "./follower.ts";
import { Outage } from "./outage.ts";

/** The wait while another process follows the chain. */
const standbyMs = 1_000;
const renewMs = 2_000;
/** The waits after consecutive failures; the last one repeats. */
const retryMs = [500, 1_000, 2_000, 5_000, 10_000];

/** Follows a chain until the signal aborts. Failures of endpoints or the database are retried; no block is skipped. */
export async function runChain(
  app: App,
  chain: Chain,
  reader: ChainReader,
  signal: AbortSignal,
  follower = new Follower(app, chain, reader),
): Promise<void> {
  const renewing = keepRenewing(app, follower, signal);
  const closed = closeOnAbort(reader, signal);
  let failures = 0;
  const outage = new Outage(app, chain);
  while (!signal.aborted) {
    try {
      const progress = await follower.step();
      failures = 0;
      outage.end();
      showProgress(app, chain, follower.cursor, progress);
      if (progress === "standby") await app.clock.sleep(standbyMs, signal);
      // After a block that is the head, asking for the head again at once would be in vain.
      if (progress === "idle" || follower.isAtHead) await follower.waitForWork(signal);
    } catch (error) {
      app.metrics.chainFailures.inc({ chain: chain.chain });
      outage.report(error);
      await recordFailure(app, chain, error);
      await app.clock.sleep(retryMs[Math.min(failures++, retryMs.length - 1)] as number, signal);
    }
  }
  await renewing;
  await follower.stop().catch(() => undefined);
  await closed;
}

/** Shows the outcome of a step in the metrics. A process on standby shows no heights: another one has them. */
function showProgress(app: App, { chain }: Chain, cursor: Cursor | undefined, progress: Progress): void {
  const { chainHead, chainProcessed, chainLag, reorgs, blockToCommit } = app.metrics;
  if (progress === "standby")
    for (const gauge of [chainHead, chainProcessed, chainLag]) gauge.remove({ chain });
  if (!cursor) return;
  chainProcessed.set({ chain }, cursor.height);
  if (progress === "rolled_back") reorgs.inc({ chain });
  if (progress !== "moved" && progress !== "rolled_back") return;
  blockToCommit.observe({ chain }, Math.max(0, app.clock.now().getTime() / 1000 - cursor.time));
}

/** Closes the reader at once, not after the step: an endpoint that does not reply must not delay the shutdown. */
async function closeOnAbort(reader: ChainReader, signal: AbortSignal): Promise<void> {
  if (!signal.aborted)
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  await reader.close();
}

/** A step may wait for endpoints longer than a lease lasts. If a renewal fails, the fencing token prevents wrong writes. */
function keepRenewing(app: App, follower: Follower, signal: AbortSignal): Promise<void> {
  const onError = () => undefined;
  return runEvery({ clock: app.clock, signal, intervalMs: renewMs, onError }, () => follower.renew());
}

/** Shows the failure in the chain's status. The database may be what failed, so a failed write is ignored. */
export async function recordFailure(app: App, chain: Chain, error: unknown): Promise<void> {
  const last_error =
    error instanceof ChainError ? error.publicMessage.slice(0, 400) : "An internal error stopped the chain.";
  await recordError(app.db, chain.chain, last_error).catch(() => undefined);
}
