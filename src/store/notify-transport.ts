import pg from "pg";
import type { BusTransport } from "../lib/bus/shared-bus.ts";
import type { Clock } from "../lib/clock.ts";
import { runEvery } from "../lib/concurrency/poll-loop.ts";
import type { Address } from "./open-store.ts";

const channel = "tocsin_hints";
const retryMs = 1_000;

/** A bus transport over PostgreSQL's NOTIFY. A dedicated connection listens and is replaced when it breaks. */
export function makeNotifyTransport(pool: pg.Pool, address: Address, clock: Clock): BusTransport {
  const closing = new AbortController();
  let listening: Promise<void> | undefined;
  return {
    send: async (line) => void (await pool.query("select pg_notify($1, $2)", [channel, line])),
    listen(listener) {
      listening = keepListening(address, clock, closing.signal, listener);
    },
    async close() {
      closing.abort();
      await listening;
    },
  };
}

async function keepListening(
  address: Address,
  clock: Clock,
  closing: AbortSignal,
  listener: (line: string) => void,
): Promise<void> {
  const loop = { clock, signal: closing, intervalMs: retryMs, onError: () => undefined };
  await runEvery(loop, () => listenOnce(address, closing, listener));
}

/** Listens until the connection breaks or the signal aborts. */
async function listenOnce(
  address: Address,
  closing: AbortSignal,
  listener: (line: string) => void,
): Promise<void> {
  const client = new pg.Client({
    ...address,
    connectionTimeoutMillis: 2_500,
    application_name: "tocsin bus",
    keepAlive: true,
  });
  // The abort listener must be removed with its connection.
  const over = new AbortController();
  const lost = new Promise<void>((resolve) => {
    client.on("error", () => resolve());
    client.on("end", () => resolve());
    closing.addEventListener("abort", () => resolve(), { once: true, signal: over.signal });
  });
  client.on("notification", ({ payload }) => listener(payload ?? ""));
  try {
    await client.connect();
    await client.query(`listen ${channel}`);
    await lost;
  } catch {
    // The next iteration reconnects.
  } finally {
    over.abort();
    await client.end().catch(() => undefined);
  }
}
