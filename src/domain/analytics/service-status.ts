import { type App, inSeconds } from "../../app.ts";
import { measureDelivery, measureDetection } from "../../store/analytics/service-status.ts";
import { listProgress } from "../../store/engine/cursors.ts";
import type { ServiceStatus } from "../../wire/analytics/service-status.ts";
import { listEnabledChains } from "../contracts/chains.ts";

/** Returns the public status of the service. */
export async function getStatus(app: App): Promise<ServiceStatus> {
  const since = inSeconds(app, -3600);
  const [chains, progress, delivery, detection] = await Promise.all([
    listEnabledChains(app),
    listProgress(app.db),
    measureDelivery(app.db, since),
    measureDetection(app.db, since),
  ]);
  const degraded = new Set(
    progress
      .filter((chainProgress) => chainProgress.degraded_reason)
      .map((chainProgress) => chainProgress.chain),
  );
  const shown = chains.map(({ chain, chain_id, state, head_block, lag_seconds }) => ({
    chain,
    chain_id,
    state: state === "live" && degraded.has(chain) ? ("degraded" as const) : state,
    head_block,
    lag_seconds,
    detection: detection.byChain.get(chain) ?? { p50_ms: null, p95_ms: null },
  }));
  return {
    status: overall(shown.map((chain) => chain.state)),
    version: app.config.version,
    chains: shown,
    delivery,
    detection: detection.overall,
  };
}

function overall(states: string[]): ServiceStatus["status"] {
  if (states.every((state) => state === "live")) return "ok";
  return states.every((state) => state === "stalled") ? "down" : "degraded";
}
