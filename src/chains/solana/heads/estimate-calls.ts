import type { ReadingPlan } from "../../reading-plan.ts";

const daySeconds = 86_400;
/** The accounts that one call reads. */
const accountsPerCall = 100;
/** How often the final slot is read while no transaction and no alert waits for it. */
export const finalitySeconds = 60;

type Reading = {
  plan: ReadingPlan | undefined;
  /** The addresses whose transactions are listed. */
  addresses: number;
  /** The calls of a poll that search the token accounts of holders. */
  searches?: number;
  pollSeconds: number;
  /** The calls a day of the searches for vaults. */
  searchCalls: number;
};

/**
 * Estimates the calls a day to one endpoint: the head, a listing of each address, the final slot, the state and the
 * searches for token accounts and vaults. Each transaction takes one more, and each slot with transactions one.
 */
export function estimateSolanaCalls({
  plan,
  addresses,
  searches = 0,
  pollSeconds,
  searchCalls,
}: Reading): number {
  const polls = daySeconds / pollSeconds;
  const finality = daySeconds / Math.max(finalitySeconds, pollSeconds);
  return Math.round(polls * (1 + addresses + searches) + finality + stateCalls(plan) + searchCalls);
}

function stateCalls(plan: ReadingPlan | undefined): number {
  if (plan?.pollingSeconds === undefined) return 0;
  return (
    (daySeconds / plan.pollingSeconds) * (plan.ownCalls + Math.ceil(plan.stateTargets / accountsPerCall))
  );
}

/** Estimates the calls a day if the chain is read for a single target with these needs. */
export function estimateSolanaNeeds(needs: ReadonlySet<string>): number {
  const readsTransactions = [...needs].some((need) => need !== "state");
  const readsState = needs.has("state");
  const plan: ReadingPlan = {
    ...(readsTransactions ? { reads: "blocks", needs: { receipts: false } } : { reads: "state" }),
    pollingSeconds: readsState ? 60 : undefined,
    stateTargets: readsState ? 1 : 0,
    ownCalls: 0,
    stateAddresses: new Set(),
    holders: new Map(),
    awaitsFinality: false,
  };
  const addresses = readsTransactions ? 1 : 0;
  return estimateSolanaCalls({ plan, addresses, pollSeconds: readsTransactions ? 10 : 30, searchCalls: 0 });
}
