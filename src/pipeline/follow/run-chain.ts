import type { App } from "../../app.ts";
import type { Chain } from "../../chains/chain.ts";
import type { BlockRef, ChainReader } from "../../chains/reader.ts";
import { recordHead } from "../../store/engine/cursors.ts";
import { Follower } from "./follower.ts";

/** While another process follows the chain, and while its nodes cannot be read, this is how long to wait. */
const standbyMs = 1_000;
const renewMs = 2_000;
const retryMs = [500, 1_000, 2_000, 5_000, 10_000];

/** Follows a chain until told to stop. Trouble with nodes or the database is waited out; nothing is passed over. */
export async function runChain(
  app: App,
  chain: Chain,
  reader: ChainReader,
  signal: AbortSignal,
): Promise<void> {
  const follower = new Follower(app, chain, reader);
  const renewing = keepRenewing(app, follower, signal);
  const closed = closeWhenStopped(reader, signal);
  let failures = 0;
  while (!signal.aborted) {
    try {
      const progress = await follower.step();
      failures = 0;
      if (progress === "not_ours") await app.clock.sleep(standbyMs, signal);
      if (progress === "idle") await reader.waitForHead(follower.cursor as BlockRef, signal);
    } catch (error) {
      await recordFailure(app, chain, error);
      await app.clock.sleep(retryMs[Math.min(failures++, retryMs.length - 1)] as number, signal);
    }
  }
  await renewing;
  await follower.stop().catch(() => undefined);
  await closed;
}

/** At once, not after the step: a node that does not answer must not hold up the end of everything. */
async function closeWhenStopped(reader: ChainReader, signal: AbortSignal): Promise<void> {
  if (!signal.aborted)
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  await reader.close();
}

/** A step waits for nodes for longer than a lease lasts. That renewing fails now and then is covered by the fence. */
async function keepRenewing(app: App, follower: Follower, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await follower.renew().catch(() => undefined);
    await app.clock.sleep(renewMs, signal);
  }
}

/** Says what is wrong where people look; that the database may be what is wrong is no reason to stop. */
async function recordFailure(app: App, chain: Chain, error: unknown): Promise<void> {
  app.log.warn({ err: error, chain: chain.chain }, "the chain could not be followed; trying again");
  const last_error = error instanceof Error ? error.message.slice(0, 300) : "unknown";
  await recordHead(app.db, chain.chain, { last_error }).catch(() => undefined);
}
