import type { Subject } from "../../chains/activity.ts";
import type { Chain } from "../../chains/chain.ts";
import { familyOf } from "../../chains/families.ts";
import type { MonitoredContract } from "../../chains/family.ts";
import {
  type EventFilter,
  identifyEvents,
  mergeEvents,
  type PlanContent,
  type ReadingPlan,
} from "../../chains/reading-plan.ts";
import { type Meter, type Need, needsOf } from "../../meters/meter.ts";
import type { GroupBy } from "../measure/group-of.ts";
import { type Matcher, needsOfMatcher } from "../measure/match.ts";

/** The parts of a watched target and contract that a plan depends on. */
export type PlannedTarget = {
  meter: Meter;
  config: Record<string, unknown>;
  rules: readonly {
    matcher: Matcher | undefined;
    group_by: GroupBy | undefined;
    confirmations: string | null;
  }[];
};
type PlannedContract = MonitoredContract & { pollingSeconds: number; targets: readonly PlannedTarget[] };

/** With more addresses than this, whole blocks cost fewer calls than their events. */
const maxAddresses = 10_000;

/** Derives from the watched contracts what the steps of their chain read: the union of what the targets need. */
export function makePlan(
  chain: Chain,
  contracts: readonly PlannedContract[],
  addresses: () => ReadonlySet<string>,
): ReadingPlan {
  const needs = new Set<Need>();
  let pollingSeconds: number | undefined;
  let stateTargets = 0;
  const ownCalls = new Set<string>();
  const stateAddresses = new Set<string>();
  const holders = new Map<string, Set<string>>();
  let awaitsFinality = false;
  for (const { subject, targets, pollingSeconds: interval } of contracts) {
    for (const target of targets) {
      for (const need of targetNeeds(target)) needs.add(need);
      // A target whose changes are events is read so rarely that it does not count.
      if (target.meter.reads && !target.meter.checkSeconds) {
        pollingSeconds = Math.min(pollingSeconds ?? interval, interval);
        const calls = ownCallsOf(chain, target, subject);
        if (calls.length === 0) stateTargets += 1;
        for (const key of calls) ownCalls.add(key);
        stateAddresses.add(subject.address);
        for (const token of target.meter.heldTokens?.(target.config, subject) ?? [])
          holders.set(token, (holders.get(token) ?? new Set()).add(subject.address));
      }
      awaitsFinality ||= target.rules.some(({ confirmations }) =>
        /^(safe|finalized)$/.test(confirmations ?? ""),
      );
    }
  }
  const state = { pollingSeconds, stateTargets, ownCalls: ownCalls.size, stateAddresses, holders };
  return { ...contentOf(chain, contracts, needs, addresses), ...state, awaitsFinality };
}

/** The reads of a target that take a call of their own. Organisations that watch the same share it. */
function ownCallsOf(chain: Chain, { meter, config }: PlannedTarget, subject: Subject): string[] {
  const { needsOwnCall: takesOwnCall } = familyOf(chain);
  if (!takesOwnCall) return [];
  return (meter.reads?.(config, subject) ?? []).filter(takesOwnCall).map((read) => JSON.stringify(read));
}

/** What a target and its rules need from the chain. */
export function targetNeeds({ meter, config, rules }: PlannedTarget): Set<Need> {
  return new Set([
    ...needsOf(meter, config),
    ...rules.flatMap(({ matcher }) => (matcher ? needsOfMatcher(matcher) : [])),
    // A log does not say who sent its transaction.
    ...(rules.some(({ group_by }) => group_by?.by === "sender") ? (["transactions"] as const) : []),
  ]);
}

function contentOf(
  chain: Chain,
  contracts: readonly PlannedContract[],
  needs: ReadonlySet<Need>,
  addresses: () => ReadonlySet<string>,
): PlanContent {
  const wholeBlocks = (): PlanContent => {
    const receipts = needs.has("receipts");
    const traces = needs.has("traces");
    const watched = receipts ? { watched: addresses() } : {};
    return { reads: "blocks", needs: { receipts, ...(traces && { traces }), ...watched } };
  };
  if (needs.has("transactions") || needs.has("receipts") || needs.has("traces")) return wholeBlocks();
  if (needs.has("logs")) {
    const events = mergeEvents(contracts.flatMap((contract) => eventsOf(chain, contract)));
    return events.size > maxAddresses
      ? wholeBlocks()
      : { reads: "logs", events, filter: identifyEvents(events), hasRules: hasEventRules(contracts) };
  }
  return { reads: needs.has("state") ? "state" : "nothing" };
}

function hasEventRules(contracts: readonly PlannedContract[]): boolean {
  return contracts.some(({ targets }) =>
    targets.some((target) => target.rules.length > 0 && targetNeeds(target).has("logs")),
  );
}

/** The events that the targets of a contract need, and those that show a change of the code that decodes them. */
function eventsOf(chain: Chain, contract: PlannedContract): EventFilter[] {
  const targets = contract.targets.filter((target) => targetNeeds(target).has("logs"));
  if (targets.length === 0) return [];
  const { subject } = contract;
  const logFilters = targets.flatMap(
    ({ meter, config }) =>
      meter.events?.(config, subject) ??
      [subject.address, ...(meter.relatedAddresses?.(config, subject) ?? [])].map((address) => ({ address })),
  );
  return [...logFilters, ...familyOf(chain).code.upgradeEvents(contract)];
}
