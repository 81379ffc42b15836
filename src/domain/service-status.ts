import { type App, inSeconds } from "../app.ts";
import { listProgress } from "../store/cursors.ts";
import { measureService } from "../store/service-status.ts";
import type { ServiceStatus } from "../wire/status.ts";
import { listEnabledChains } from "./chains.ts";

/** How the service is, for everybody to see. */
export async function getStatus(app: App): Promise<ServiceStatus> {
  const [chains, progress, measured] = await Promise.all([
    listEnabledChains(app),
    listProgress(app.db),
    measureService(app.db, inSeconds(app, -3600)),
  ]);
  const degraded = new Set(progress.filter((one) => one.degraded_reason).map((one) => one.chain));
  const shown = chains.map(({ chain, chain_id, state, head_block, lag_seconds }) => ({
    chain,
    chain_id,
    state: state === "live" && degraded.has(chain) ? ("degraded" as const) : state,
    head_block,
    lag_seconds,
  }));
  const { p50_ms, p95_ms, pending } = measured;
  return {
    status: overall(shown.map((chain) => chain.state)),
    version: app.config.version,
    chains: shown,
    delivery: { pending, p95_ms: measured.delivery_p95_ms },
    detection: { p50_ms, p95_ms },
  };
}

function overall(states: string[]): ServiceStatus["status"] {
  if (states.every((state) => state === "live")) return "ok";
  return states.every((state) => state === "stalled") ? "down" : "degraded";
}
