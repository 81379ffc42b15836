import type { Clock } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log/log.ts";
import { parseEndpointUrl } from "../../rpc/transport/post-json.ts";
import { keepConnected, openWebSocket } from "../../rpc/transport/reconnecting-socket.ts";

/** A head that a websocket announces. It only triggers a poll; the block itself is always fetched and verified. */
export type Announcement = { height: number; hash: string };

export type HeadSubscription = {
  clock: Clock;
  log?: Log | undefined;
  /** A socket without a message for this long is considered dead. */
  maxSilenceMs: number;
  signal: AbortSignal;
  onSubscribe(): void;
  onHead(head: Announcement): void;
  /** `closed` if the connection ended or failed, `silent` if it announced nothing for too long. */
  onLost(why: "closed" | "silent"): void;
};

/** Keeps a subscription to new heads alive until the signal aborts. */
export async function subscribeToHeads(url: string, options: HeadSubscription): Promise<void> {
  await keepConnected(url, options, async () => {
    const { received, why } = await listen(url, options);
    if (!options.signal.aborted) options.onLost(why);
    return received > 0 ? "worked" : "failed";
  });
}

/** Listens until the socket closes, falls silent or the signal aborts; returns the number of heads received, and why it ended. */
async function listen(
  url: string,
  options: HeadSubscription,
): Promise<{ received: number; why: "closed" | "silent" }> {
  const { clock, maxSilenceMs, signal, onHead, onSubscribe } = options;
  const ended = new AbortController();
  const end = () => ended.abort();
  let received = 0;
  const { url: address, headers } = parseEndpointUrl(url);
  const socket = openWebSocket(address, headers.authorization);
  if (!socket) return { received: 0, why: "closed" };
  socket.addEventListener("open", () => {
    onSubscribe();
    socket.send(subscription);
  });
  socket.addEventListener("close", end);
  socket.addEventListener("error", end);
  socket.addEventListener("message", ({ data }) => {
    const head = readAnnouncement(data);
    if (!head) return;
    received += 1;
    onHead(head);
  });
  const stop = AbortSignal.any([signal, ended.signal]);
  for (let before = -1; received > before && !stop.aborted; ) {
    before = received;
    await clock.sleep(maxSilenceMs, stop);
  }
  socket.close();
  return { received, why: ended.signal.aborted ? "closed" : "silent" };
}

const subscription = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_subscribe", params: ["newHeads"] });

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
    // The cast is safe: every field is optional and unknown.
    return JSON.parse(text) as Message;
  } catch {
    return undefined;
  }
}
