import { systemClock } from "../clock.ts";
import type { DatabaseLog } from "./server-log.ts";
import type { ServerProcess } from "./server-process.ts";

const firstDelayMs = 100;
const maxDelayMs = 10_000;
/** After this uptime the restart delay is reset. */
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
    let delayMs = firstDelayMs;
    while (!stopping.signal.aborted) {
      const since = performance.now();
      if (current) await explainEnd(current);
      current = undefined;
      if (performance.now() - since > resetAfterMs) delayMs = firstDelayMs;
      await systemClock.sleep(delayMs, stopping.signal);
      if (!stopping.signal.aborted) current = await launch(stopping.signal).catch(explainFailure);
      delayMs = Math.min(delayMs * 2, maxDelayMs);
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
