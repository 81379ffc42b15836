import type { Clock } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log/log.ts";
import {
  type ConnectionOutcome,
  keepConnected,
  openWebSocket,
} from "../../rpc/transport/reconnecting-socket.ts";
import type { Announcer, AnnouncerOptions } from "./announcer.ts";
import { LogSubscriptions } from "./log-subscriptions.ts";

type LogSocketOptions = AnnouncerOptions & {
  clock: Clock;
  log?: Log | undefined;
  /** Called for each call, which providers count like one over HTTP. */
  onCall?: ((method: string) => void) | undefined;
};

const idleMs = 60_000;
/** A connection that does not answer within one interval is closed: some fall silent without an end. */
const pingMs = 30_000;

/** Keeps a subscription to the logs of each watched address alive until the signal aborts. */
export function subscribeToLogs(url: string, options: LogSocketOptions): Announcer {
  const { clock, signal } = options;
  let addresses: ReadonlySet<string> = new Set();
  let changed = new AbortController();
  let subscriptions: LogSubscriptions | undefined;
  keepConnected(url, options, async (): Promise<ConnectionOutcome> => {
    const stop = AbortSignal.any([signal, changed.signal]);
    const { signal: hasChanged } = changed;
    if (addresses.size === 0) {
      await clock.sleep(idleMs, stop);
      return "changed";
    }
    subscriptions = new LogSubscriptions(addresses);
    const wasOpen = await listen(url, subscriptions, stop, options);
    subscriptions = undefined;
    if (hasChanged.aborted) return "changed";
    return wasOpen ? "worked" : "failed";
  });
  return {
    watch(now) {
      addresses = now;
      changed.abort();
      changed = new AbortController();
    },
    covers: (address) => subscriptions?.covers(address) ?? false,
  };
}

/** Listens until the socket closes, falls silent or `stop` aborts; returns whether it was open. */
async function listen(
  url: string,
  subscriptions: LogSubscriptions,
  stop: AbortSignal,
  { clock, onActivity, onCall }: LogSocketOptions,
): Promise<boolean> {
  let isOpen = false;
  const socket = openWebSocket(url);
  if (!socket) return false;
  const ended = new AbortController();
  await new Promise<void>((resolve) => {
    const end = () => {
      ended.abort();
      resolve();
    };
    stop.addEventListener("abort", end);
    if (stop.aborted) end();
    socket.addEventListener("close", end);
    socket.addEventListener("error", end);
    socket.addEventListener("open", () => {
      isOpen = true;
      for (const request of subscriptions.requests()) {
        onCall?.("logsSubscribe");
        socket.send(request);
      }
      const ping = () => {
        onCall?.("getHealth");
        socket.send(subscriptions.ping());
      };
      void keepAlive(clock, ended.signal, subscriptions, ping).then(end);
    });
    socket.addEventListener("message", ({ data }) => {
      if (typeof data !== "string") return;
      const announced = subscriptions.receive(data);
      if (announced) onActivity(announced.address);
    });
  });
  socket.close();
  return isOpen;
}

/** Sends a request now and then. Any reply will do, also that the method is unknown. Resolves when there is none. */
async function keepAlive(
  clock: Clock,
  ended: AbortSignal,
  subscriptions: LogSubscriptions,
  ping: () => void,
): Promise<void> {
  while (!ended.aborted) {
    const received = subscriptions.messages;
    ping();
    await clock.sleep(pingMs, ended);
    if (!ended.aborted && subscriptions.messages === received) return;
  }
}
