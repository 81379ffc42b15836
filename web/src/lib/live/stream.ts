import type { Schemas } from "@/lib/api.ts";

export type StreamState = "connecting" | "live" | "reconnecting";
export type Message = { name: string; last: string; data: unknown };
type Packet = { state: StreamState } | Message;

const names = [
  "hello",
  "alert.fired",
  "alert.updated",
  "metric",
  "contract.updated",
  "chain.status",
  "discovery.updated",
  "delivery.failed",
  "inbox.received",
  "stats",
  "reset",
  "heartbeat",
] as const;
/** Two and a half heartbeats: a connection that is silent for longer is dead, although it looks open. */
const silenceMs = 40_000;
const maxWaitMs = 30_000;

export type AlertMessage = Schemas["AlertEvent"];

type Options = {
  org: string;
  onMessage: (message: Message) => void;
  onState: (state: StreamState) => void;
  /** The connection failed: the session may have ended, or another organisation may be active. */
  onFailure: () => void;
  signal: AbortSignal;
};

/**
 * Listens to the organisation's live messages. One tab holds the connection and passes messages on to the others; when it
 * closes, the next one continues after the last message. Without the Locks API (plain http on a LAN) each tab has its own.
 */
export function listen(options: Options): void {
  const { org, signal } = options;
  const channel = new BroadcastChannel(`tocsin-stream:${org}`);
  let last = "";
  const hear = (packet: Packet) => {
    if ("state" in packet) return options.onState(packet.state);
    last = packet.last || last;
    options.onMessage(packet);
  };
  channel.onmessage = ({ data }) => {
    // A new tab asks for the state, which it would otherwise learn with the next message.
    if (data === "state?") return isLeading && channel.postMessage({ state });
    hear(data as Packet);
  };
  let isLeading = false;
  let state: StreamState = "connecting";
  const pass = (packet: Packet) => {
    if ("state" in packet) state = packet.state;
    hear(packet);
    channel.postMessage(packet);
  };
  signal.addEventListener("abort", () => channel.close());
  channel.postMessage("state?");
  const lead = () => {
    isLeading = true;
    return connect({ signal, pass, lastId: () => last, onFailure: options.onFailure });
  };
  if (!navigator.locks) return void lead();
  navigator.locks.request(`tocsin-stream:${org}`, { signal }, lead).catch(() => undefined);
}

type Connection = {
  signal: AbortSignal;
  pass: (packet: Packet) => void;
  lastId: () => string;
  onFailure: () => void;
};

/** Keeps a connection open until the signal; resolves then. */
function connect({ signal, pass, lastId, onFailure }: Connection): Promise<void> {
  return new Promise((release) => {
    // The lock may be granted at the moment when the page gives up.
    if (signal.aborted) return release();
    let source: EventSource;
    let timer = 0;
    let waitMs = 500;
    const later = (work: () => void, ms: number) => {
      clearTimeout(timer);
      timer = window.setTimeout(work, ms);
    };
    const open = () => {
      // A new EventSource cannot send the header Last-Event-ID.
      const query = lastId() ? `?last_event_id=${lastId()}` : "";
      source = new EventSource(`/api/v1/dashboard/stream${query}`);
      source.onopen = () => {
        waitMs = 500;
        pass({ state: "live" });
        later(reopen, silenceMs);
      };
      source.onerror = () => {
        onFailure();
        reopen();
      };
      for (const name of names)
        source.addEventListener(name, (event) => {
          later(reopen, silenceMs);
          pass({ name, last: event.lastEventId, data: JSON.parse(event.data) });
        });
    };
    const reopen = () => {
      source.close();
      pass({ state: "reconnecting" });
      waitMs = Math.min(waitMs * 2, maxWaitMs);
      later(open, waitMs * (0.5 + Math.random()));
    };
    open();
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      source.close();
      release();
    });
  });
}
