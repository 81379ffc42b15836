/** The state of a rule. Plain data: it is stored per block and restored when a reorganisation removes the block. */
export type RuleState = {
  phase: "ok" | "pending" | "firing";
  /** Block time at which the phase began. */
  since: number;
  /** The event of the current episode while firing. */
  event_id: string | null;
  /** While firing: the block time since which the condition has not held. */
  clear_since: number | null;
  last_fired_at: number | null;
  last_notified_at: number | null;
  /** The pending or firing episode is about missing data, not about the condition. */
  is_no_data: boolean;
  /** The kind of episode that people were last notified of. */
  told: "fired" | "no_data" | null;
  /** People were notified of the current episode; false while the cooldown suppresses that. */
  is_told: boolean;
  /** The number of reminders sent in the current episode. */
  reminders: number;
};

export const initialState: RuleState = {
  phase: "ok",
  since: 0,
  event_id: null,
  clear_since: null,
  last_fired_at: null,
  last_notified_at: null,
  is_no_data: false,
  told: null,
  is_told: false,
  reminders: 0,
};

/** Restores a stored state; fields that an older version did not store get their initial values. */
export function toState(stored: unknown): RuleState {
  return { ...initialState, ...(stored as Partial<RuleState> | null) };
}

/** An episode that began during the cooldown: people are notified when the cooldown ends, if it still lasts. */
export function isUnnotified(state: RuleState): boolean {
  return state.phase === "firing" && !state.is_told;
}
