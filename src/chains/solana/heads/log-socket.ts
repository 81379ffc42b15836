import type { Clock } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";

export type LogSocketOptions = {
  clock: Clock;
  log?: Log | undefined;
  signal: AbortSignal;
  /** A transaction touched a watched address. Only a reason to look: what it says is not taken for true. */
  onLog(): void;
};

export type LogSocket = { watch(addresses: ReadonlySet<string>): void };

const firstPauseMs = 1_000;
const maxPauseMs = 60_000;
/** Nodes limit subscriptions; the rest is found by looking. */
const maxSubscriptions = 100;

/** Keeps a subscription to the logs of every watched address, one each, as nodes want it, until the signal aborts. */
export function followLogs(url: string, options: LogSocketOptions): LogSocket {
  let addresses: ReadonlySet<string> = new Set();
  let changed = new AbortController();
  follow(url, options, () => ({ addresses, changed: changed.signal }));
  return {
    watch(now) {
      addresses = now;
      changed.abort();
      changed = new AbortController();
    },
  };
}

async function follow(
  url: string,
  options: LogSocketOptions,
  wanted: () => { addresses: ReadonlySet<string>; changed: AbortSignal },
): Promise<void> {
  const { clock, signal, log } = options;
  let pauseMs = firstPauseMs;
  while (!signal.aborted) {
    const { addresses, changed } = wanted();
    if (addresses.size === 0) {
      await clock.sleep(maxPauseMs, AbortSignal.any([signal, changed]));
      continue;
    }
    const wasOpen = await listen(url, addresses, options, changed);
    if (changed.aborted) continue;
    pauseMs = wasOpen ? firstPauseMs : Math.min(maxPauseMs, pauseMs * 2);
    log?.debug({ host: new URL(url).host }, "the subscription to logs ended");
    await clock.sleep(pauseMs, signal);
  }
}

/** Listens until the socket closes or other addresses are wanted; whether it was open. */
async function listen(
  url: string,
  addresses: ReadonlySet<string>,
  { signal, onLog }: LogSocketOptions,
  changed: AbortSignal,
): Promise<boolean> {
  let isOpen = false;
  const socket = open(url);
  if (!socket) return false;
  await new Promise<void>((end) => {
    const stop = AbortSignal.any([signal, changed]);
    stop.addEventListener("abort", () => end());
    if (stop.aborted) end();
    socket.addEventListener("close", () => end());
    socket.addEventListener("error", () => end());
    socket.addEventListener("open", () => {
      isOpen = true;
      for (const [id, address] of [...addresses].slice(0, maxSubscriptions).entries()) {
        const params = [{ mentions: [address] }, { commitment: "confirmed" }];
        socket.send(JSON.stringify({ jsonrpc: "2.0", id: id + 1, method: "logsSubscribe", params }));
      }
    });
    socket.addEventListener("message", ({ data }) => {
      if (typeof data === "string" && data.includes('"logsNotification"')) onLog();
    });
  });
  socket.close();
  return isOpen;
}

function open(url: string): WebSocket | undefined {
  try {
    return new WebSocket(url);
  } catch {
    return undefined;
  }
}
