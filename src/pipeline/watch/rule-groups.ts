import type { RuleState } from "../evaluate/rule-state.ts";

/** The length of a rule's id, with which every key starts. */
const idLength = 36;

/** Identifies the state of a rule, or of one of its groups. */
export function ruleKey(rule_id: string, group: string | undefined): string {
  return group === undefined ? rule_id : `${rule_id} ${group}`;
}

export function parseRuleKey(key: string): { rule_id: string; group: string | undefined } {
  const isGroup = key.length > idLength;
  return { rule_id: key.slice(0, idLength), group: isGroup ? key.slice(idLength + 1) : undefined };
}

/** The groups of rules that evaluate each group individually, and which of them are pending or firing. */
export class RuleGroups {
  /** The groups in memory, in the order in which they were last seen. */
  private readonly known = new Map<string, Set<string>>();
  private readonly active = new Map<string, Set<string>>();
  /** Rules of which only some groups are in memory; the readings and states of the others are in the store. */
  readonly partial = new Set<string>();
  /** Rules that may have more groups than before. */
  readonly grown = new Set<string>();

  add(rule_id: string, group: string): void {
    addTo(this.known, rule_id, group);
    this.grown.add(rule_id);
  }

  /** Records a reading of a group. */
  see(rule_id: string, group: string): void {
    this.known.get(rule_id)?.delete(group);
    this.add(rule_id, group);
  }

  has(rule_id: string, group: string): boolean {
    return this.known.get(rule_id)?.has(group) ?? false;
  }

  /** The groups of a rule that are pending or firing. */
  activeOf(rule_id: string): Iterable<string> {
    return this.active.get(rule_id) ?? [];
  }

  /** Returns the quiet groups by which a rule has more than `max`: those that were not seen for the longest time. */
  beyond(rule_id: string, max: number): string[] {
    const groups = this.known.get(rule_id) ?? [];
    const quiet: string[] = [];
    let excess = (this.known.get(rule_id)?.size ?? 0) - max;
    for (const group of groups) {
      if (excess <= 0) break;
      if (this.active.get(rule_id)?.has(group)) continue;
      quiet.push(group);
      excess--;
    }
    return quiet;
  }

  delete(rule_id: string, group: string): void {
    removeFrom(this.known, rule_id, group);
    removeFrom(this.active, rule_id, group);
  }

  of(rule_id: string): Iterable<string> {
    return this.known.get(rule_id) ?? [];
  }

  /** Records the new state of a group. */
  update(key: string, { phase }: RuleState): void {
    const { rule_id, group } = parseRuleKey(key);
    if (group === undefined) return;
    this.add(rule_id, group);
    if (phase === "ok") removeFrom(this.active, rule_id, group);
    else addTo(this.active, rule_id, group);
  }

  /** The number of groups of a rule that are pending or firing. */
  activeCount(rule_id: string): number {
    return this.active.get(rule_id)?.size ?? 0;
  }
}

type Sets = Map<string, Set<string>>;

function addTo(sets: Sets, rule_id: string, group: string): void {
  const set = sets.get(rule_id) ?? new Set();
  sets.set(rule_id, set.add(group));
}

function removeFrom(sets: Sets, rule_id: string, group: string): void {
  const set = sets.get(rule_id);
  set?.delete(group);
  if (set?.size === 0) sets.delete(rule_id);
}
