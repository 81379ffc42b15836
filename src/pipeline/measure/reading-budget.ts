import type { Reading } from "../../meters/meter.ts";
import type { WatchedRule, WatchedTarget } from "../watch/watch-list.ts";
import { FairShares } from "./fair-share.ts";

/**
 * The readings that may be stored for an organisation in a block of a chain. Anyone can send a transaction with ten thousands of
 * events, and each target and rule on them would store its own: all organisations of the chain would wait for them.
 */
export const maxReadings = 20_000;

/** So many readings of a target are always stored: an organisation may have thousands of contracts. */
const minReadings = 20;

/** The readings of a target in a block, and those of its rules that have readings of their own. */
export type FoundReadings = {
  target: WatchedTarget;
  ofTarget: Reading[];
  ofRules: Map<WatchedRule, Reading[]>;
};

/** Leaves the latest readings where there are too many, and returns how many there were and are, by target. */
export function limitReadings(
  foundByTarget: readonly FoundReadings[],
  available = maxReadings,
): Map<WatchedTarget, { found: number; counted: number }> {
  const shares = new FairShares(available);
  for (const foundReadings of foundByTarget)
    for (const { length } of listsOf(foundReadings)) shares.add(foundReadings.target.contract.org_id, length);
  const limited = new Map<WatchedTarget, { found: number; counted: number }>();
  for (const foundReadings of foundByTarget) {
    const share = Math.max(Math.floor(shares.of(foundReadings.target.contract.org_id)), minReadings);
    const largest = Math.max(...listsOf(foundReadings).map(({ length }) => length));
    if (largest <= share) continue;
    for (const list of listsOf(foundReadings)) list.splice(0, list.length - share);
    limited.set(foundReadings.target, { found: largest, counted: share });
  }
  return limited;
}

function listsOf({ ofTarget, ofRules }: FoundReadings): Reading[][] {
  return [ofTarget, ...ofRules.values()];
}
