import type { Subject } from "../../chains/activity.ts";
import type { Chain } from "../../chains/chain.ts";
import type { Meter } from "../../meters/meter.ts";
import type { Code } from "../../store/engine/contract-code.ts";
import { seriesIdFor } from "../../store/engine/series-id.ts";
import type { Rule } from "../evaluate/rule.ts";
import { type Matcher, needsReceipts } from "../measure/match.ts";

/** What is watched on one chain, as the engine keeps it in memory. */
export class WatchList {
  readonly chain: Chain;
  private readonly contracts = new Map<string, WatchedContract>();
  private readonly byAddress = new Map<string, Set<WatchedContract>>();
  private readonly byBeacon = new Map<string, Set<WatchedContract>>();
  private readonly targets = new Map<string, WatchedTarget>();
  private readonly targetsBySeries = new Map<string, WatchedTarget>();
  private readonly rules = new Map<string, WatchedRule>();
  /** Targets that look at the calls contracts make. */
  readonly tracing = new Set<WatchedTarget>();
  /** Targets that cannot be judged without receipts. */
  private readonly auditing = new Set<WatchedTarget>();

  constructor(chain: Chain) {
    this.chain = chain;
  }

  /** Puts a contract in, in place of what was known of it. */
  set(contract: WatchedContract): void {
    this.remove(contract.id);
    this.contracts.set(contract.id, contract);
    for (const address of addressesOf(contract)) join(this.byAddress, address, contract);
    if (contract.code?.beacon) join(this.byBeacon, contract.code.beacon, contract);
    for (const target of contract.targets) {
      this.targets.set(target.id, target);
      this.targetsBySeries.set(target.series_id, target);
      if (target.meter.traces?.(target.config)) this.tracing.add(target);
      if (targetNeedsReceipts(target)) this.auditing.add(target);
      for (const rule of target.rules) this.rules.set(rule.id, rule);
    }
  }

  remove(contract_id: string): void {
    const contract = this.contracts.get(contract_id);
    if (!contract) return;
    this.contracts.delete(contract_id);
    for (const address of addressesOf(contract)) leave(this.byAddress, address, contract);
    if (contract.code?.beacon) leave(this.byBeacon, contract.code.beacon, contract);
    for (const target of contract.targets) {
      this.targets.delete(target.id);
      this.targetsBySeries.delete(target.series_id);
      this.tracing.delete(target);
      this.auditing.delete(target);
      for (const rule of target.rules) this.rules.delete(rule.id);
    }
  }

  /** The contracts that want to know what happens at an address. */
  at(address: string): ReadonlySet<WatchedContract> {
    return this.byAddress.get(address) ?? none;
  }

  /** The proxies whose code a beacon names. */
  on(beacon: string): ReadonlySet<WatchedContract> {
    return this.byBeacon.get(beacon) ?? none;
  }

  /** Whether a target of the contract counts calls by other contracts. */
  needsTraces({ targets }: WatchedContract): boolean {
    return targets.some(({ meter, config }) => meter.traces?.(config));
  }

  /** Every address at which something may happen that matters. */
  addresses(): ReadonlySet<string> {
    return new Set(this.byAddress.keys());
  }

  contract(contract_id: string): WatchedContract | undefined {
    return this.contracts.get(contract_id);
  }

  target(target_id: string): WatchedTarget | undefined {
    return this.targets.get(target_id);
  }

  /** The target whose readings a series holds; undefined for that of a rule, and for that of an earlier generation. */
  targetOf(series_id: string): WatchedTarget | undefined {
    return this.targetsBySeries.get(series_id);
  }

  rule(rule_id: string): WatchedRule | undefined {
    return this.rules.get(rule_id);
  }

  /** Whether anything watched needs receipts to be judged. */
  get needsReceipts(): boolean {
    return this.auditing.size > 0;
  }

  get size(): number {
    return this.contracts.size;
  }
}

type Groups = Map<string, Set<WatchedContract>>;

function join(groups: Groups, address: string, contract: WatchedContract): void {
  groups.set(address, (groups.get(address) ?? new Set()).add(contract));
}

function leave(groups: Groups, address: string, contract: WatchedContract): void {
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
  /** The code behind it; undefined while nobody has looked. */
  code: Code | undefined;
  targets: WatchedTarget[];
};

/** Whether it is still to be found out which code runs: nobody looked, or its beacon has not said. */
export function lacksImplementation(code: Code | undefined): boolean {
  return !code || (code.implementation === null && code.beacon !== null);
}

export type WatchedTarget = {
  id: string;
  /** Grows when it comes to measure something else. */
  generation: number;
  /** Of what this generation measures. */
  series_id: string;
  contract: WatchedContract;
  target_type: string;
  meter: Meter;
  config: Record<string, unknown>;
  rules: WatchedRule[];
};

/** A rule with what it decides over and what its events say. */
export type WatchedRule = Rule & {
  target: WatchedTarget;
  name: string;
  severity: "info" | "warning" | "critical";
  agent_id: string | null;
  mode: "live" | "shadow";
  confirmations: string | null;
  notify_on_resolve: boolean;
  message_template: string | null;
  /** Present when the rule narrows its target; its readings then form a series of their own. */
  matcher: Matcher | undefined;
};

/** A rule without a match reads its target's series; one with a match has its own, and a new one when it is changed. */
export function seriesIdOf({ matcher, id, version, target }: WatchedRule): string {
  if (!matcher) return target.series_id;
  return seriesIdFor(id, version);
}

function targetNeedsReceipts({ meter, rules }: WatchedTarget): boolean {
  return meter.needs.includes("receipts") || rules.some(({ matcher }) => matcher && needsReceipts(matcher));
}

function addressesOf({ subject, targets }: WatchedContract): Set<string> {
  const others = targets.flatMap(({ meter, config }) => meter.watches?.(config, subject) ?? []);
  return new Set([subject.address, ...others]);
}
