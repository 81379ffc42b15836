import type { Clock } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";

/** A head as a websocket announces it. Only a reason to look: what it says is never taken for the block. */
export type Announcement = { height: number; hash: string };

export type SocketOptions = {
  clock: Clock;
  log?: Log | undefined;
  /** A socket that says nothing for so long is taken for dead. */
  silenceMs: number;
  signal: AbortSignal;
  onHead(head: Announcement): void;
  onLost(): void;
};

const firstPauseMs = 1000;
const maxPauseMs = 60_000;

/** Keeps a subscription to new heads alive until the signal aborts, with longer and longer pauses while it fails. */
export async function followSocket(url: string, options: SocketOptions): Promise<void> {
  const { clock, signal, log } = options;
  // Node has had websockets since 22; before, looking now and then has to do.
  if (typeof WebSocket === "undefined") return;
  const { host } = new URL(url);
  let pauseMs = firstPauseMs;
  while (!signal.aborted) {
    const heard = await listen(url, options);
    options.onLost();
    pauseMs = heard > 0 ? firstPauseMs : Math.min(maxPauseMs, pauseMs * 2);
    log?.debug({ host, heard }, "the subscription to new heads ended");
    await clock.sleep(pauseMs, signal);
  }
}

/** Listens until the socket closes, falls silent or is no longer wanted; how many heads it heard. */
async function listen(url: string, { clock, silenceMs, signal, onHead }: SocketOptions): Promise<number> {
  const ended = new AbortController();
  const end = () => ended.abort();
  let heard = 0;
  const socket = open(url);
  if (!socket) return 0;
  socket.addEventListener("open", () => socket.send(subscription));
  socket.addEventListener("close", end);
  socket.addEventListener("error", end);
  socket.addEventListener("message", ({ data }) => {
    const head = readAnnouncement(data);
    if (!head) return;
    heard += 1;
    onHead(head);
  });
  const stop = AbortSignal.any([signal, ended.signal]);
  for (let before = -1; heard > before && !stop.aborted; ) {
    before = heard;
    await clock.sleep(silenceMs, stop);
  }
  socket.close();
  return heard;
}

const subscription = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_subscribe", params: ["newHeads"] });

function open(url: string): WebSocket | undefined {
  try {
    return new WebSocket(url);
  } catch {
    return undefined;
  }
}

function readAnnouncement(data: unknown): Announcement | undefined {
  if (typeof data !== "string") return undefined;
  const head = parse(data)?.params?.result;
  const height = Number(head?.number);
  return typeof head?.hash === "string" && Number.isSafeInteger(height)
    ? { height, hash: head.hash }
    : undefined;
}

type Message = { params?: { result?: { number?: unknown; hash?: unknown } } };

function parse(text: string): Message | undefined {
  try {
    // A cast that claims nothing: every field is optional and unknown.
    return JSON.parse(text) as Message;
  } catch {
    return undefined;
  }
}
