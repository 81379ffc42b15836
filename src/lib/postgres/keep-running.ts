import { systemClock } from "../clock.ts";
import type { DatabaseLog } from "./server-log.ts";
import type { ServerProcess } from "./server-process.ts";

const firstDelayMs = 100;
const maxDelayMs = 10_000;
/** A server that stayed up this long has earned a quick restart again. */
const steadyMs = 60_000;

/** Starts the server again, ever more slowly, whenever it ends by itself; `stop` ends that and the server. */
export function keepRunning(
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
      if (performance.now() - since > steadyMs) delayMs = firstDelayMs;
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
