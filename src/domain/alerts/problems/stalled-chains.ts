import { type App, inSeconds } from "../../../app.ts";
import { listOrgsOnChain } from "../../../store/alerts/system-alerts.ts";
import type { NewEvent } from "../../../store/engine/alert-events.ts";
import type { ChainInfo } from "../../../wire/contracts/chains.ts";
import { stalledAfterSeconds } from "../../contracts/chains.ts";
import { systemEvent } from "../system-event.ts";

/** Finds stalled chains, and chains without any block long after a contract was added. */
export async function findStalledChains(app: App, enabled: ChainInfo[]): Promise<NewEvent[]> {
  const stalled = enabled.filter(({ state }) => state === "stalled" || state === "off");
  const perChain = stalled.map(async (chain) => {
    const before = chain.last_block_at ? app.clock.now() : inSeconds(app, -stalledAfterSeconds(chain));
    const orgs = await listOrgsOnChain(app.db, chain.chain, before);
    return orgs.map((org_id) => stalledEvent(app, org_id, chain));
  });
  return (await Promise.all(perChain)).flat();
}

/** The reason names no host: those are for staff only. */
function stalledEvent(app: App, org_id: string, chain: ChainInfo): NewEvent {
  const { lag_seconds, status_reason: last_error } = chain;
  const summary =
    lag_seconds === null
      ? `No block of ${chain.name} could be read so far. Nothing on this chain is monitored until then.`
      : `No new block of ${chain.name} has been processed for ${lag_seconds} seconds. Alerts on this chain are delayed.`;
  const message = last_error ? `${summary} ${last_error}` : summary;
  return systemEvent(app, {
    org_id,
    kind: "error",
    chain: chain.chain,
    chain_id: String(chain.chain_id),
    subject: `stalled:${org_id}:${chain.chain}`,
    target_type: "chain",
    title: `${chain.name} is not being followed`,
    message,
    value: lag_seconds,
    unit: "seconds",
    explanation: { reason: "chain_stalled", head_block: chain.head_block },
  });
}
