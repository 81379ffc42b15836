import type { App } from "../../app.ts";
import type { Chain } from "../../chains/chain.ts";
import { type CallCounter, dayOf } from "../../chains/rpc/call-counter.ts";
import { runEvery } from "../../lib/concurrency/poll-loop.ts";
import { addRpcCalls, countRpcCalls, deleteRpcCallsBefore } from "../../store/engine/rpc-calls.ts";

const writeMs = 30_000;
const keptDays = 30;

/** Writes the calls to the endpoints of a chain now and then, and once more at the end. */
export async function recordCalls(
  app: App,
  { chain }: Chain,
  counter: CallCounter,
  signal: AbortSignal,
): Promise<void> {
  let hasLoaded = false;
  const write = async () => {
    if (!hasLoaded) {
      const day = dayOf(app.clock.now());
      counter.addEarlier(await countRpcCalls(app.db, chain, day), day);
      await deleteRpcCallsBefore(
        app.db,
        chain,
        dayOf(new Date(app.clock.now().getTime() - keptDays * 86_400_000)),
      );
      hasLoaded = true;
    }
    const counted = counter.take();
    await addRpcCalls(app.db, chain, counted).catch((error: unknown) => {
      counter.putBack(counted);
      throw error;
    });
  };
  const onError = (error: unknown) =>
    app.log.warn({ err: error, chain }, "calls to nodes could not be recorded");
  await runEvery({ clock: app.clock, signal, intervalMs: writeMs, onError }, write);
  await write().catch(onError);
}
