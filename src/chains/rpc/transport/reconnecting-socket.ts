import type { Clock } from "../../../lib/clock.ts";
import { backoffAfter } from "../../../lib/concurrency/exponential-backoff.ts";
import type { Log } from "../../../lib/log/log.ts";

const backoffMs = { first: 1_000, max: 60_000 };

/** One connection, from opening to its end. `worked`: reconnect soon; `failed`: back off; `changed`: reconnect at once. */
export type ConnectionOutcome = "worked" | "failed" | "changed";

export type ReconnectOptions = { clock: Clock; log?: Log | undefined; signal: AbortSignal };

/** Keeps a websocket connected until the signal aborts, with exponential backoff while connections fail. */
export async function keepConnected(
  url: string,
  { clock, log, signal }: ReconnectOptions,
  connect: () => Promise<ConnectionOutcome>,
): Promise<void> {
  const { host } = new URL(url);
  let failures = 0;
  while (!signal.aborted) {
    const outcome = await connect();
    if (outcome === "changed") continue;
    failures = outcome === "worked" ? 0 : failures + 1;
    log?.debug({ host, outcome }, "websocket subscription ended");
    await clock.sleep(backoffAfter(failures + 1, backoffMs), signal);
  }
}

/**
 * Opens a websocket; undefined when the URL is not valid for one. Node offers compression (permessage-deflate) and limits the
 * size of messages itself.
 */
export function openWebSocket(url: string, authorization?: string): WebSocket | undefined {
  try {
    // Node accepts headers in place of protocols, which the types of browsers do not know.
    const options = authorization ? ({ headers: { authorization } } as unknown as string[]) : [];
    return new WebSocket(url, options);
  } catch {
    return undefined;
  }
}
