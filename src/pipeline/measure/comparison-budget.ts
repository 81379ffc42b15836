import type { Activity } from "../../chains/activity.ts";
import { type Expression, expressionSize } from "../../lib/expression/expression.ts";
import { filterSize } from "../../meters/config-filters.ts";
import type { WatchedContract, WatchedRule, WatchedTarget } from "../watch/watch-list.ts";
import { FairShares } from "./fair-share.ts";

/**
 * What may be compared for an organisation in a block of a chain: one part of an expression with one call or event. It takes
 * about a second. The limit depends on nothing but the block and the configuration, so that a block that is processed
 * again, by whichever process, gives the same readings.
 */
export const maxComparisons = 3_000_000;

/** What the comparison of a call or event costs, relative to a part of an expression. */
const comparisonCost = 5;
/** The hex digits of data that cost as much as one more event: an expression may search in them. */
const digitsPerEvent = 512;

/** So many calls or events, weighed by their data, are always compared: an organisation may have thousands of contracts. */
const minWeight = 20;

/** Who compares calls and events: a target, or the `match` of a rule. */
type Comparing = WatchedTarget | WatchedRule;

/** What the targets and rules of a block may compare. */
export class ComparisonBudget {
  private readonly shares: FairShares;

  constructor(touched: ReadonlyMap<WatchedContract, Activity>, available = maxComparisons) {
    this.shares = new FairShares(available);
    for (const [contract, activity] of touched) {
      const weight = weightOf(activity);
      for (const target of contract.targets)
        for (const compared of [target, ...target.rules.filter(({ matcher }) => matcher)])
          this.shares.add(contract.org_id, weight * costOf(compared));
    }
  }

  /** Returns what a target or rule may see of an activity: the latest calls and events, if all would be too many. */
  limit(org_id: string, comparing: Comparing, activity: Activity): Activity {
    const share = this.shares.of(org_id);
    if (share === Number.POSITIVE_INFINITY) return activity;
    const allowed = Math.max(share / costOf(comparing), minWeight);
    const weight = weightOf(activity);
    return weight <= allowed ? activity : latestOf(activity, allowed / weight);
  }
}

export function countOf({ calls, events, internal = [] }: Activity): number {
  return calls.length + events.length + internal.length;
}

function costOf(comparing: Comparing): number {
  if ("meter" in comparing) return comparisonCost + filterSize(comparing.config);
  const { expression, events = [], functions = [] } = comparing.matcher ?? {};
  const clauses = [...events, ...functions].map((clause) => comparisonCost + sizeOf(clause.expression));
  return clauses.reduce((sum, size) => sum + size, comparisonCost + sizeOf(expression));
}

function sizeOf(expression: Expression | undefined): number {
  return expression ? expressionSize(expression) : 0;
}

function weightOf({ calls, events, internal = [] }: Activity): number {
  return sum(calls.map(callWeight)) + sum(internal.map(callWeight)) + sum(events.map(eventWeight));
}

function callWeight({ input }: Activity["calls"][number]): number {
  return 1 + input.length / digitsPerEvent;
}

function eventWeight({ data }: Activity["events"][number]): number {
  return 1 + data.length / digitsPerEvent;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function latestOf(activity: Activity, fraction: number): Activity {
  const { calls, events, internal = [] } = activity;
  return {
    ...activity,
    calls: latest(calls, callWeight, fraction),
    events: latest(events, eventWeight, fraction),
    internal: latest(internal, callWeight, fraction),
  };
}

/** By weight and not by number, because the sender of transactions chooses where the large ones are. */
function latest<Item>(items: readonly Item[], weigh: (item: Item) => number, fraction: number): Item[] {
  let rest = sum(items.map(weigh)) * fraction;
  const from = items.findLastIndex((item) => {
    rest -= weigh(item);
    return rest < 0;
  });
  return items.slice(from + 1);
}
