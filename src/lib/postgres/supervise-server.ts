import { systemClock } from "../clock.ts";
import { backoffAfter } from "../concurrency/exponential-backoff.ts";
import type { DatabaseLog } from "./server-log.ts";
import type { ServerProcess } from "./server-process.ts";

const restartBackoffMs = { first: 100, max: 10_000 };
/** After this uptime the first delay applies again. */
const resetAfterMs = 60_000;

/** Restarts the server with exponential backoff when it exits. `stop` ends the supervision and the server. */
export function superviseServer(
  first: ServerProcess,
  launch: (signal: AbortSignal) => Promise<ServerProcess>,
  log: DatabaseLog,
) {
  const stopping = new AbortController();
  let current: ServerProcess | undefined = first;
  const watching = watch();

  async function watch(): Promise<void> {
    let ends = 0;
    while (!stopping.signal.aborted) {
      const since = performance.now();
      if (current) await explainEnd(current);
      current = undefined;
      ends = performance.now() - since > resetAfterMs ? 1 : ends + 1;
      await systemClock.sleep(backoffAfter(ends, restartBackoffMs), stopping.signal);
      if (!stopping.signal.aborted) current = await launch(stopping.signal).catch(explainFailure);
    }
  }

  async function explainEnd(server: ServerProcess): Promise<void> {
    const reason = await server.ended;
    if (stopping.signal.aborted) return;
    log({ level: "warn", msg: `PostgreSQL ended unexpectedly (${reason}) and is being started again.` });
  }

  function explainFailure(error: Error): undefined {
    if (!stopping.signal.aborted) log({ level: "error", msg: error.message });
  }

  return {
    pid: () => current?.pid,
    stop: async () => {
      stopping.abort();
      await current?.end();
      await watching;
    },
  };
}
