import { initialState, type RuleState } from "../evaluate/rule-state.ts";
import { RuleGroups, ruleKey } from "./rule-groups.ts";

/** The states of rules and of their groups, by key, with the block as of which each was last evaluated or scheduled. */
export class RuleStates {
  readonly groups = new RuleGroups();
  private readonly byKey = new Map<string, RuleState>();
  private readonly evaluatedAt = new Map<string, number>();

  get(key: string): RuleState {
    return this.byKey.get(key) ?? initialState;
  }

  set(key: string, state: RuleState): void {
    this.byKey.set(key, state);
    this.groups.update(key, state);
  }

  /** Resets the states of the groups of a rule. They stay known, because they may have readings. */
  resetGroups(rule_id: string): void {
    for (const group of [...this.groups.of(rule_id)]) this.set(ruleKey(rule_id, group), initialState);
  }

  markEvaluated(key: string, height: number): void {
    this.evaluatedAt.set(key, height);
  }

  /** Deletes everything about a group. */
  deleteGroup({ key, id, group }: { key: string; id: string; group?: string | undefined }): void {
    this.byKey.delete(key);
    this.evaluatedAt.delete(key);
    this.groups.delete(id, group ?? "");
  }

  /** Replaces provisional event ids by the ids under which the events were stored. */
  renameEvents(ids: ReadonlyMap<string, string>): void {
    const hasChanges = [...ids].some(([provisional, id]) => id !== provisional);
    if (!hasChanges) return;
    for (const [key, state] of this.byKey) {
      const id = state.event_id && ids.get(state.event_id);
      if (id && id !== state.event_id) this.byKey.set(key, { ...state, event_id: id });
    }
  }

  /**
   * Restores states as of a block. Returns the keys that were evaluated after it, whose due times are from blocks that are
   * gone.
   */
  rollBackTo(height: number, states: { key: string; state: RuleState }[]): string[] {
    for (const { key, state } of states) {
      this.set(key, state);
      // A group may have been forgotten since, with the block of its last evaluation.
      this.evaluatedAt.set(key, Math.max(this.evaluatedAt.get(key) ?? 0, height + 1));
    }
    const later = [...this.evaluatedAt].filter(([, evaluated]) => evaluated > height).map(([key]) => key);
    // Not deleted: a rollback below this block must schedule the rules once more.
    for (const key of later) this.evaluatedAt.set(key, height);
    return later;
  }
}
