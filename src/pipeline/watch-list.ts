import { createHash } from "node:crypto";
import type { Chain } from "../chains/chain.ts";
import type { Meter, Subject } from "../meters/meter.ts";
import { type Matcher, needsReceipts } from "./match.ts";
import type { Rule } from "./rule.ts";

/** What is watched on one chain, as the engine keeps it in memory. */
export class WatchList {
  readonly chain: Chain;
  private readonly contracts = new Map<string, WatchedContract>();
  private readonly byAddress = new Map<string, Set<WatchedContract>>();
  private readonly targets = new Map<string, WatchedTarget>();
  private readonly rules = new Map<string, WatchedRule>();

  constructor(chain: Chain) {
    this.chain = chain;
  }

  /** Puts a contract in, in place of what was known of it. */
  set(contract: WatchedContract): void {
    this.remove(contract.id);
    this.contracts.set(contract.id, contract);
    for (const address of addressesOf(contract)) {
      const group = this.byAddress.get(address) ?? new Set();
      this.byAddress.set(address, group.add(contract));
    }
    for (const target of contract.targets) {
      this.targets.set(target.id, target);
      for (const rule of target.rules) this.rules.set(rule.id, rule);
    }
  }

  remove(contract_id: string): void {
    const contract = this.contracts.get(contract_id);
    if (!contract) return;
    this.contracts.delete(contract_id);
    for (const address of addressesOf(contract)) this.forget(address, contract);
    for (const target of contract.targets) {
      this.targets.delete(target.id);
      for (const rule of target.rules) this.rules.delete(rule.id);
    }
  }

  /** The contracts that want to know what happens at an address. */
  at(address: string): ReadonlySet<WatchedContract> {
    return this.byAddress.get(address) ?? none;
  }

  contract(contract_id: string): WatchedContract | undefined {
    return this.contracts.get(contract_id);
  }

  target(target_id: string): WatchedTarget | undefined {
    return this.targets.get(target_id);
  }

  rule(rule_id: string): WatchedRule | undefined {
    return this.rules.get(rule_id);
  }

  /** Whether anything watched needs receipts to be judged. */
  get needsReceipts(): boolean {
    for (const { targets } of this.contracts.values()) if (targets.some(targetNeedsReceipts)) return true;
    return false;
  }

  get size(): number {
    return this.contracts.size;
  }

  private forget(address: string, contract: WatchedContract): void {
    const group = this.byAddress.get(address);
    group?.delete(contract);
    if (group?.size === 0) this.byAddress.delete(address);
  }
}

const none: ReadonlySet<WatchedContract> = new Set();

export type WatchedContract = {
  id: string;
  org_id: string;
  label: string;
  subject: Subject;
  pollingSeconds: number;
  targets: WatchedTarget[];
};

export type WatchedTarget = {
  id: string;
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
  if (!matcher) return target.id;
  return version === 1 ? id : toUuid(createHash("sha256").update(`${id} ${version}`).digest("hex"));
}

function toUuid(hex: string): string {
  const cuts = [0, 8, 12, 16, 20, 32];
  return cuts
    .slice(1)
    .map((end, index) => hex.slice(cuts[index], end))
    .join("-");
}

function targetNeedsReceipts({ meter, rules }: WatchedTarget): boolean {
  return meter.needs.includes("receipts") || rules.some(({ matcher }) => matcher && needsReceipts(matcher));
}

function addressesOf({ subject, targets }: WatchedContract): Set<string> {
  const others = targets.flatMap(({ meter, config }) => meter.watches?.(config, subject) ?? []);
  return new Set([subject.address, ...others]);
}
