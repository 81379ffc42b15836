import type { Clock } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log/log.ts";
import {
  type ConnectionOutcome,
  keepConnected,
  openWebSocket,
} from "../../rpc/transport/reconnecting-socket.ts";

export type LogSocketOptions = {
  clock: Clock;
  log?: Log | undefined;
  signal: AbortSignal;
  /** Called when a transaction touched a watched address. It only triggers a poll; the message itself is not trusted. */
  onLog(): void;
};

export type LogSocket = { watch(addresses: ReadonlySet<string>): void };

/** Nodes limit subscriptions; transactions of further addresses are found by polling. */
const maxSubscriptions = 100;
const idleMs = 60_000;

/** Keeps a subscription to the logs of each watched address alive until the signal aborts. */
export function subscribeToLogs(url: string, options: LogSocketOptions): LogSocket {
  const { clock, signal } = options;
  let addresses: ReadonlySet<string> = new Set();
  let changed = new AbortController();
  keepConnected(url, options, async (): Promise<ConnectionOutcome> => {
    const stop = AbortSignal.any([signal, changed.signal]);
    const { signal: hasChanged } = changed;
    if (addresses.size === 0) {
      await clock.sleep(idleMs, stop);
      return "changed";
    }
    const wasOpen = await listen(url, addresses, stop, options.onLog);
    if (hasChanged.aborted) return "changed";
    return wasOpen ? "worked" : "failed";
  });
  return {
    watch(now) {
      addresses = now;
      changed.abort();
      changed = new AbortController();
    },
  };
}

/** Listens until the socket closes or `stop` aborts; returns whether it was open. */
async function listen(
  url: string,
  addresses: ReadonlySet<string>,
  stop: AbortSignal,
  onLog: () => void,
): Promise<boolean> {
  let isOpen = false;
  const socket = openWebSocket(url);
  if (!socket) return false;
  await new Promise<void>((end) => {
    stop.addEventListener("abort", () => end());
    if (stop.aborted) end();
    socket.addEventListener("close", () => end());
    socket.addEventListener("error", () => end());
    socket.addEventListener("open", () => {
      isOpen = true;
      for (const request of subscriptionsTo(addresses)) socket.send(request);
    });
    socket.addEventListener("message", ({ data }) => {
      if (typeof data === "string" && data.includes('"logsNotification"')) onLog();
    });
  });
  socket.close();
  return isOpen;
}

/** One request per address: nodes accept a single address in `mentions`. */
function subscriptionsTo(addresses: ReadonlySet<string>): string[] {
  return [...addresses].slice(0, maxSubscriptions).map((address, index) => {
    const params = [{ mentions: [address] }, { commitment: "confirmed" }];
    return JSON.stringify({ jsonrpc: "2.0", id: index + 1, method: "logsSubscribe", params });
  });
}
