import type { Subject } from "../../chains/activity.ts";
import type { Chain } from "../../chains/chain.ts";
import type { FoundAddress } from "../../chains/reader.ts";
import type { ReadingPlan } from "../../chains/reading-plan.ts";
import type { Severity } from "../../lib/severity.ts";
import type { Meter } from "../../meters/meter.ts";
import type { Code } from "../../store/engine/contract-code.ts";
import { seriesIdFor } from "../../store/engine/series-id.ts";
import type { ConditionPart, Rule } from "../evaluate/rule.ts";
import type { GroupBy } from "../measure/group-of.ts";
import type { Matcher } from "../measure/match.ts";
import { followedTokensOf } from "./followed-tokens.ts";
import { makePlan, targetNeeds } from "./make-plan.ts";
import { parseRuleKey, ruleKey } from "./rule-groups.ts";
import { transactionAddressesOf } from "./transaction-addresses.ts";

/** The monitored contracts of one chain with their targets and rules, indexed for the engine. */
export class WatchList {
  readonly chain: Chain;
  private readonly contracts = new Map<string, WatchedContract>();
  private readonly byAddress = new Map<string, Set<WatchedContract>>();
  private readonly byBeacon = new Map<string, Set<WatchedContract>>();
  private readonly targets = new Map<string, WatchedTarget>();
  private readonly targetsBySeries = new Map<string, WatchedTarget>();
  private readonly rules = new Map<string, WatchedRule>();
  /** The groups of rules that evaluate each group individually. They end with the rule, which a change replaces. */
  private readonly groups = new WeakMap<WatchedRule, Map<string, WatchedRule>>();
  /** Contracts that were paused later than the newest processed block. */
  readonly leaving = new Set<WatchedContract>();
  /** Targets that need the calls between contracts. */
  readonly tracing = new Set<WatchedTarget>();
  private cachedPlan: ReadingPlan | undefined;
  private cachedAddresses: ReadonlySet<string> | undefined;
  private cachedHolders: readonly WatchedContract[] | undefined;

  constructor(chain: Chain) {
    this.chain = chain;
  }

  /** Adds a contract, or replaces it. */
  set(contract: WatchedContract): void {
    this.remove(contract.id);
    this.cachedPlan = undefined;
    this.cachedAddresses = undefined;
    this.cachedHolders = undefined;
    this.contracts.set(contract.id, contract);
    if (contract.pausedAt !== undefined) this.leaving.add(contract);
    for (const address of addressesOf(contract)) addTo(this.byAddress, address, contract);
    if (contract.code?.beacon) addTo(this.byBeacon, contract.code.beacon, contract);
    for (const target of contract.targets) {
      this.targets.set(target.id, target);
      this.targetsBySeries.set(target.series_id, target);
      if (targetNeeds(target).has("traces")) this.tracing.add(target);
      for (const rule of target.rules) this.rules.set(rule.id, rule);
    }
  }

  remove(contract_id: string): void {
    const contract = this.contracts.get(contract_id);
    if (!contract) return;
    this.cachedPlan = undefined;
    this.cachedAddresses = undefined;
    this.cachedHolders = undefined;
    this.contracts.delete(contract_id);
    this.leaving.delete(contract);
    for (const address of addressesOf(contract)) removeFrom(this.byAddress, address, contract);
    if (contract.code?.beacon) removeFrom(this.byBeacon, contract.code.beacon, contract);
    for (const target of contract.targets) {
      this.targets.delete(target.id);
      this.targetsBySeries.delete(target.series_id);
      this.tracing.delete(target);
      for (const rule of target.rules) this.rules.delete(rule.id);
    }
  }

  /** Returns the contracts that observe an address: its own and any that a meter adds. */
  at(address: string): ReadonlySet<WatchedContract> {
    return this.byAddress.get(address) ?? none;
  }

  /** Returns the proxies that get their implementation from a beacon. */
  on(beacon: string): ReadonlySet<WatchedContract> {
    return this.byBeacon.get(beacon) ?? none;
  }

  /** Whether a target of the contract counts calls by other contracts. */
  needsTraces({ targets }: WatchedContract): boolean {
    return targets.some((target) => this.tracing.has(target));
  }

  /** Returns every observed address. */
  addresses(): ReadonlySet<string> {
    return new Set(this.byAddress.keys());
  }

  /** Returns the addresses whose transactions targets need, on a chain that is read by address. */
  transactionAddresses(): ReadonlySet<string> {
    this.cachedAddresses ??= new Set(
      [...this.contracts.values()].flatMap(({ targets, suspended }) =>
        targets
          .flatMap((target) => transactionAddressesOf(target))
          .filter((address) => !suspended.has(address)),
      ),
    );
    return this.cachedAddresses;
  }

  /** Returns the addresses that are to be followed again after a height below the newest block. */
  resumingAddresses(): ReadonlyMap<string, number> {
    const all = new Map<string, number>();
    for (const { resuming } of this.contracts.values())
      for (const [address, height] of resuming)
        all.set(address, Math.min(height, all.get(address) ?? height));
    return all;
  }

  /** Returns the contracts whose token accounts were found and are followed; the vaults of programs are found in another way. */
  holders(): readonly WatchedContract[] {
    this.cachedHolders ??= [...this.contracts.values()].filter(
      (contract) => accountsOf(contract).length > 0 && followedTokensOf(contract).length > 0,
    );
    return this.cachedHolders;
  }

  /** Returns the token accounts that were found for a holder, with the height after which each counts. */
  foundAddresses(): ReadonlyMap<string, FoundAddress> {
    const all = new Map<string, FoundAddress>();
    for (const contract of this.holders())
      for (const { account, since, found_height } of accountsOf(contract)) {
        const isEarlier = since !== undefined && since < (all.get(account)?.since ?? Infinity);
        if (isEarlier && !contract.suspended.has(account))
          all.set(account, { holder: contract.subject.address, since, found_height });
      }
    return all;
  }

  /** Returns the number of tokens of which the accounts of a holder are searched. */
  holderTokens(): number {
    return new Set(
      this.holders().flatMap((one) =>
        followedTokensOf(one).map((token) => `${one.subject.address} ${token}`),
      ),
    ).size;
  }

  contract(contract_id: string): WatchedContract | undefined {
    return this.contracts.get(contract_id);
  }

  target(target_id: string): WatchedTarget | undefined {
    return this.targets.get(target_id);
  }

  /** Returns the target of a series; undefined for the series of a rule and of an earlier generation. */
  targetOf(series_id: string): WatchedTarget | undefined {
    return this.targetsBySeries.get(series_id);
  }

  /** Returns the rule of a key, or one of its groups. */
  rule(key: string): WatchedRule | undefined {
    const { rule_id, group } = parseRuleKey(key);
    const rule = this.rules.get(rule_id);
    return rule && (group === undefined ? rule : this.group(rule, group));
  }

  /** Returns every rule, each as a whole. */
  allRules(): Iterable<WatchedRule> {
    return this.rules.values();
  }

  /** Returns the rule as it applies to one group: with a state and a series of its own. */
  group(rule: WatchedRule, group: string): WatchedRule {
    const groups = this.groups.get(rule) ?? new Map<string, WatchedRule>();
    this.groups.set(rule, groups);
    const members = groups.get(group);
    if (members) return members;
    const fresh = { ...rule, group, key: ruleKey(rule.id, group) };
    groups.set(group, fresh);
    return fresh;
  }

  /** Forgets a group that is not in memory any more. */
  forgetGroup({ id, group }: WatchedRule): void {
    const rule = this.rules.get(id);
    if (rule && group !== undefined) this.groups.get(rule)?.delete(group);
  }

  /** What the steps of the chain have to read for everything that is watched. */
  get plan(): ReadingPlan {
    this.cachedPlan ??= makePlan(this.chain, [...this.contracts.values()], () => this.addresses());
    return this.cachedPlan;
  }

  get size(): number {
    return this.contracts.size;
  }
}

function accountsOf({ subject: { tokenAccounts = [] } }: WatchedContract) {
  return tokenAccounts.filter(({ owner }) => owner === undefined);
}

type Groups = Map<string, Set<WatchedContract>>;

function addTo(groups: Groups, address: string, contract: WatchedContract): void {
  groups.set(address, (groups.get(address) ?? new Set()).add(contract));
}

function removeFrom(groups: Groups, address: string, contract: WatchedContract): void {
  const group = groups.get(address);
  group?.delete(contract);
  if (group?.size === 0) groups.delete(address);
}

const none: ReadonlySet<WatchedContract> = new Set();

export type WatchedContract = {
  id: string;
  org_id: string;
  label: string;
  subject: Subject;
  pollingSeconds: number;
  /** The implementation behind a proxy; undefined until it was discovered. */
  code: Code | undefined;
  /** The addresses whose transactions cannot be followed now. */
  suspended: ReadonlySet<string>;
  /** The addresses that are to be followed again, with the last height that was counted. */
  resuming: ReadonlyMap<string, number>;
  /** The block time from which the contract is no longer monitored, if it was paused. */
  pausedAt?: number;
  targets: WatchedTarget[];
};

/** Returns whether the implementation is unknown: not discovered yet, or the beacon could not be read. */
export function lacksImplementation(code: Code | undefined): boolean {
  return !code || (code.implementation === null && code.beacon !== null);
}

export type WatchedTarget = {
  id: string;
  /** Incremented when the target is changed to measure something else. */
  generation: number;
  /** The series of this generation's readings. */
  series_id: string;
  contract: WatchedContract;
  target_type: string;
  meter: Meter;
  config: Record<string, unknown>;
  rules: WatchedRule[];
  /** Rules on other targets of the contract that have a condition on this one. */
  observers: WatchedRule[];
};

/** A rule with its target and the fields that its events copy. */
export type WatchedRule = Rule & {
  /** Identifies the state of the rule, or of one of its groups. */
  key: string;
  target: WatchedTarget;
  /** Further conditions, on other targets of the same contract. */
  others: readonly { part: ConditionPart; target: WatchedTarget }[];
  /** By what the readings are grouped; each group fires and resolves independently. */
  group_by: GroupBy | undefined;
  /** The group, if this is the rule as it applies to one. */
  group: string | undefined;
  name: string;
  severity: Severity;
  agent_id: string | null;
  mode: "live" | "shadow";
  confirmations: string | null;
  notify_on_resolve: boolean;
  message_template: string | null;
  /** Filters the target's activity; the rule then has a separate series. */
  matcher: Matcher | undefined;
};

/** Returns the series of a rule: that of its target, or with a matcher or groups a separate one per version of the rule. */
export function seriesIdOf({ matcher, group_by, id, version, target }: WatchedRule): string {
  if (!matcher && !group_by) return target.series_id;
  return seriesIdFor(id, version);
}

/** Returns the key of a series in memory, where each group has its own. */
export function seriesKey(series_id: string, group: string | undefined): string {
  return group === undefined ? series_id : `${series_id} ${group}`;
}

function addressesOf({ subject, targets }: WatchedContract): Set<string> {
  const others = targets.flatMap(({ meter, config }) => meter.relatedAddresses?.(config, subject) ?? []);
  return new Set([subject.address, ...others]);
}

/** Returns the ids of the series of a target and of its rules. */
export function seriesOf({ series_id, rules }: WatchedTarget): string[] {
  return [...new Set([series_id, ...rules.map(seriesIdOf)])];
}
