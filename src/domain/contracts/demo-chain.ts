import { z } from "zod";
import type { App } from "../../app.ts";
import { firstIncident } from "../../chains/demo/cast.ts";
import { AppError } from "../../errors/app-error.ts";
import { DemoIncident, type DemoIncidentQuery } from "../../wire/contracts/demo.ts";

/** How long a request waits for a chain that is being opened, and how long between attempts to connect. */
const opening = { maxMs: 30_000, pauseMs: 250 };

/**
 * Waits until the demo chain is open. A service that has just started opens it last, on a busy machine some seconds later, and
 * the nodes of a real chain are given less time.
 */
export async function waitForDemoChain(app: App): Promise<void> {
  const until = performance.now() + opening.maxMs;
  for (;;) {
    const timeoutMs = until - performance.now();
    if (timeoutMs <= 0) throw notOpen();
    try {
      return void (await call(app, "eth_chainId", [], timeoutMs));
    } catch {
      await app.clock.sleep(opening.pauseMs);
    }
  }
}

function notOpen(): AppError {
  const message = `The demo chain did not open within ${opening.maxMs / 1000} s. Try again.`;
  return new AppError("chain_unavailable", message, { retryAfterSeconds: 5 });
}

/** Asks for the first incident. If it fails, the demo works as well: the next incident comes within five minutes. */
export async function requestFirstIncident(app: App): Promise<void> {
  await tryCall(app, "demo_requestIncident", [firstIncident.name, firstIncident.delayBlocks]);
}

const Incidents = z.object({ result: z.array(DemoIncident) });

/** Returns the incidents of the demo chain that an alert in a block may be about; none while the chain does not reply. */
export async function listDemoIncidents(app: App, { block }: DemoIncidentQuery): Promise<DemoIncident[]> {
  const reply = Incidents.safeParse(await tryCall(app, "demo_incidentsAround", [block]));
  return reply.success ? reply.data.result : [];
}

async function tryCall(app: App, method: string, params: unknown[]): Promise<unknown> {
  try {
    return await call(app, method, params);
  } catch (error) {
    app.log.warn({ err: error, method }, "demo chain does not reply");
    return undefined;
  }
}

async function call(app: App, method: string, params: unknown[], timeoutMs?: number): Promise<unknown> {
  const url = app.config.rpc.get("demo")?.[0];
  if (!url) return undefined;
  const reply = await app.services.send({
    ...{ method: "POST", url, headers: { "content-type": "application/json" } },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  return JSON.parse(reply.body.toString("utf8"));
}
