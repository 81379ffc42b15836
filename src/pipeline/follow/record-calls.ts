import type { App } from "../../app.ts";
import type { Chain } from "../../chains/chain.ts";
import { type CallCounter, dayOf } from "../../chains/rpc/call-counter.ts";
import { runEvery } from "../../lib/concurrency/poll-loop.ts";
import { addRpcCalls, countRpcCalls, deleteRpcCallsBefore } from "../../store/engine/rpc-calls.ts";

const writeMs = 30_000;
const keptDays = 30;

async function writeCalls({ db }: App, chain: string, counter: CallCounter): Promise<void> {
  const counted = counter.removeUnwritten();
  await addRpcCalls(db, chain, counted).catch((error: unknown) => {
    counter.putBack(counted);
    throw error;
  });
}

/** Writes the calls of this process to all chains, also to those that it does not follow. */
export async function writeAllCalls(app: App): Promise<void> {
  for (const [chain, counter] of app.calls.all()) await writeCalls(app, chain, counter);
}

/** Has the calls of a process that follows no chain written now and then. */
export function recordRequestCalls(app: App): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const onError = (error: unknown) => app.log.warn({ err: error }, "calls to nodes could not be recorded");
  const loop = { clock: app.clock, signal: stopping.signal, intervalMs: writeMs, onError };
  const ended = runEvery(loop, () => writeAllCalls(app));
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

/** Writes the calls to the endpoints of a chain now and then, and once more at the end. */
export async function recordCalls(
  app: App,
  { chain }: Chain,
  counter: CallCounter,
  signal: AbortSignal,
): Promise<void> {
  let hasDeleted = false;
  const write = async () => {
    if (!hasDeleted) {
      const oldest = new Date(app.clock.now().getTime() - keptDays * 86_400_000);
      await deleteRpcCallsBefore(app.db, chain, dayOf(oldest));
      hasDeleted = true;
    }
    await writeCalls(app, chain, counter);
    // Calls before a restart and those of other processes count against the budget too.
    const day = dayOf(app.clock.now());
    counter.setWritten(await countRpcCalls(app.db, chain, day), day);
  };
  const onError = (error: unknown) =>
    app.log.warn({ err: error, chain }, "calls to nodes could not be recorded");
  await runEvery({ clock: app.clock, signal, intervalMs: writeMs, onError }, write);
  await write().catch(onError);
}
