import type { Chain } from "../../chain.ts";
import type { PlanContent, ReadingPlan } from "../../reading-plan.ts";
import { makePolling } from "./polling.ts";

/** The interval at which state is read, for an estimate. */
const pollingSeconds = 60;

/** Estimates the calls a day to one endpoint if a chain is read for a single target with these needs. */
export function estimateNeeds(chain: Chain, needs: ReadonlySet<string>): number {
  const readsState = needs.has("state");
  const plan: ReadingPlan = {
    ...contentOf(needs),
    pollingSeconds: readsState ? pollingSeconds : undefined,
    stateTargets: readsState ? 1 : 0,
    ownCalls: 0,
    stateAddresses: new Set(readsState ? [""] : []),
    holders: new Map(),
    awaitsFinality: false,
  };
  const polling = makePolling({ chain });
  polling.follow(plan);
  return polling.pace().callsPerDay;
}

function contentOf(needs: ReadonlySet<string>): PlanContent {
  const receipts = needs.has("receipts");
  const traces = needs.has("traces");
  if (needs.has("transactions") || receipts || traces)
    return { reads: "blocks", needs: { receipts, ...(traces && { traces }) } };
  if (needs.has("logs")) return { reads: "logs", events: new Map(), filter: "", hasRules: false };
  return { reads: needs.has("state") ? "state" : "nothing" };
}
