import { startDeadline } from "../../../lib/outbound/deadline.ts";
import { EndpointFailure } from "../failure.ts";
import type { EndpointAddress, Limits } from "./post-json.ts";
import { openWebSocket } from "./reconnecting-socket.ts";

/** A JSON-RPC request, or several in a batch. */
type RpcPayload = { id: number } | readonly { id: number }[];
type Received = { reply: unknown; bytes: number };

type Pending = {
  ids: ReadonlySet<number>;
  isBatch: boolean;
  settle(result: Received | EndpointFailure): void;
};

/**
 * Sends requests over a websocket, for endpoints without HTTP. It connects when it is needed, and again after the connection
 * was lost; the health of the endpoint decides how soon that is tried.
 */
export class RpcSocket {
  private readonly address: EndpointAddress;
  private readonly closing: AbortSignal;
  private connection: { socket: WebSocket; opened: Promise<void> } | undefined;
  private readonly pending = new Set<Pending>();
  private messages = 0;

  constructor(address: EndpointAddress, closing: AbortSignal) {
    this.address = address;
    this.closing = closing;
    closing.addEventListener("abort", () => this.disconnect(new EndpointFailure("down", "was closed")));
  }

  /** Sends a payload and resolves with the reply that has its ids. Rejects with an EndpointFailure. */
  async exchange(payload: RpcPayload, { timeoutMs, maxBytes }: Limits): Promise<Received> {
    const { signal, clear } = startDeadline({ timeoutMs, signal: this.closing });
    const messagesBefore = this.messages;
    try {
      const { socket, opened } = this.connect();
      await unlessAborted(opened, signal);
      const received = await this.send(socket, payload, signal);
      if (received.bytes <= maxBytes) return received;
      throw new EndpointFailure("too_large", "returned a reply that exceeds the size limit");
    } catch (error) {
      // A slow reply must not end the other requests, but a connection without any message is dead.
      if (signal.aborted && this.messages === messagesBefore) this.disconnect(timedOut());
      throw error;
    } finally {
      clear();
    }
  }

  private connect(): { socket: WebSocket; opened: Promise<void> } {
    if (this.connection) return this.connection;
    if (this.closing.aborted) throw new EndpointFailure("down", "was closed");
    const { url, headers } = this.address;
    const socket = openWebSocket(url, headers.authorization);
    if (!socket) throw new EndpointFailure("down", "could not be reached");
    const opened = new Promise<void>((resolve, reject) => {
      let wasOpen = false;
      socket.addEventListener("open", () => {
        wasOpen = true;
        resolve();
      });
      const end = () => {
        const failure = new EndpointFailure(
          "down",
          wasOpen ? "closed the connection" : "could not be reached",
        );
        reject(failure);
        // A connection that was replaced must not end its successor.
        if (this.connection?.socket === socket) this.disconnect(failure);
      };
      socket.addEventListener("error", end);
      socket.addEventListener("close", end);
    });
    // Each request that waits for it gets the failure.
    opened.catch(() => undefined);
    socket.addEventListener("message", ({ data }) => this.receive(data));
    this.connection = { socket, opened };
    return this.connection;
  }

  private send(socket: WebSocket, payload: RpcPayload, signal: AbortSignal): Promise<Received> {
    const isBatch = Array.isArray(payload);
    const ids = new Set((isBatch ? payload : [payload]).map(({ id }) => id));
    return new Promise((resolve, reject) => {
      const pending: Pending = {
        ids,
        isBatch,
        settle: (result) => {
          this.pending.delete(pending);
          if (result instanceof EndpointFailure) reject(result);
          else resolve(result);
        },
      };
      this.pending.add(pending);
      signal.addEventListener("abort", () => pending.settle(timedOut()), { once: true });
      socket.send(JSON.stringify(payload));
    });
  }

  private receive(data: unknown): void {
    this.messages += 1;
    if (typeof data !== "string") return;
    const reply = parse(data);
    this.findPending(reply)?.settle({ reply, bytes: data.length });
  }

  /** The request of a reply. An error without an id is about the oldest batch, which the endpoint could not read. */
  private findPending(reply: unknown): Pending | undefined {
    const ids = (Array.isArray(reply) ? reply : [reply]).map(idOf);
    const waiting = [...this.pending];
    const owner = waiting.find((pending) => ids.some((id) => id !== undefined && pending.ids.has(id)));
    const isUnnamed = ids.every((id) => id === undefined) && isError(reply);
    return owner ?? (isUnnamed ? waiting.find(({ isBatch }) => isBatch) : undefined);
  }

  private disconnect(failure: EndpointFailure): void {
    const { connection } = this;
    this.connection = undefined;
    for (const pending of [...this.pending]) pending.settle(failure);
    connection?.socket.close();
  }
}

function timedOut(): EndpointFailure {
  return new EndpointFailure("timeout", "timed out");
}

function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(timedOut()), { once: true });
    work.then(resolve, reject);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function idOf(entry: unknown): number | undefined {
  if (typeof entry !== "object" || entry === null) return undefined;
  const { id } = entry as { id?: unknown };
  const number = typeof id === "string" && id !== "" ? Number(id) : id;
  return typeof number === "number" && Number.isSafeInteger(number) ? number : undefined;
}

function isError(reply: unknown): boolean {
  return typeof reply === "object" && reply !== null && "error" in reply;
}
