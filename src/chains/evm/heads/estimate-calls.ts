import type { Chain } from "../../chain.ts";
import type { ReadingPlan } from "../../reading-plan.ts";

const daySeconds = 86_400;
/** The polls per block where each block is waited for: some are a little late. */
const pollsPerBlock = 1.25;
/** The calls that one call of Multicall3 replaces, and the addresses in one log request. */
const callsPerMulticall = 150;
const addressesPerRequest = 1_000;

/** Estimates the calls a day of a plan with one endpoint. Blocks with watched events may need one more each. */
export function estimateCalls(chain: Chain, plan: ReadingPlan, pollSeconds: number): number {
  const blockSeconds = chain.block_time_ms / 1000;
  const blocks = daySeconds / blockSeconds;
  const isEachBlock = pollSeconds <= blockSeconds;
  const polls = isEachBlock ? blocks * pollsPerBlock : daySeconds / pollSeconds;
  /** The polls that find something new, and the header that compares the branch when they find several blocks. */
  const finds = Math.min(polls, blocks);
  const comparisons = isEachBlock ? 0 : finds;
  const total = {
    nothing: polls + comparisons,
    state: polls + comparisons,
    logs:
      polls +
      finds * logRequests(plan) +
      (chain.block_time_ms < 2_000 ? comparisons : Math.max(0, blocks - finds)),
    blocks: polls + Math.max(0, blocks - finds) + blocks * perBlock(plan) + comparisons,
  }[plan.reads];
  const state = plan.reads === "nothing" ? 0 : stateCalls(chain, plan);
  return Math.round(total + state + finds * activityRequests(plan) + finalityCalls(plan, blockSeconds));
}

function logRequests(plan: ReadingPlan): number {
  return plan.reads === "logs" ? Math.max(1, Math.ceil(plan.events.size / addressesPerRequest)) : 0;
}

/** The requests that show which contracts with polled state were active; whole blocks show it anyway. */
function activityRequests({ reads, stateAddresses, holders }: ReadingPlan): number {
  if (reads === "blocks" || reads === "nothing") return 0;
  // Transfers from and to holders are two requests.
  return Math.ceil(stateAddresses.size / addressesPerRequest) + (holders.size > 0 ? 2 : 0);
}

function perBlock(plan: ReadingPlan): number {
  if (plan.reads !== "blocks") return 0;
  return 1 + (plan.needs.traces ? 1 : 0);
}

function stateCalls({ multicall3 }: Chain, { pollingSeconds, stateTargets }: ReadingPlan): number {
  if (pollingSeconds === undefined) return 0;
  const calls = multicall3 ? Math.ceil(stateTargets / callsPerMulticall) : stateTargets;
  return (daySeconds / pollingSeconds) * calls;
}

/** The heights of safe and final blocks. */
function finalityCalls({ reads, awaitsFinality }: ReadingPlan, blockSeconds: number): number {
  if (reads === "nothing") return 0;
  return (2 * daySeconds) / finalitySeconds(awaitsFinality, blockSeconds);
}

/** How often the safe and final heights are read: rarely while no alert waits for them. */
export function finalitySeconds(awaitsFinality: boolean, blockSeconds: number): number {
  return awaitsFinality ? Math.max(12, blockSeconds) : 300;
}
