import type { WindowResult } from "./evaluate-window.ts";
import type { Rule } from "./rule.ts";

/** Where a rule stands. Plain data: it is stored with each block and restored when the block goes. */
export type RuleState = {
  phase: "ok" | "pending" | "firing";
  /** Block time at which the phase began. */
  since: number;
  /** Of the episode while firing. */
  event_id: string | null;
  /** While firing: since when the condition has not held. */
  clear_since: number | null;
  last_fired_at: number | null;
  last_notified_at: number | null;
  /** Whether what is pending or firing is that there is no data, rather than the condition. */
  is_no_data: boolean;
  /** What people were last told of. */
  told: "fired" | "no_data" | null;
  /** Whether the present episode was for people to hear, or began while the cooldown kept it quiet. */
  is_told: boolean;
  /** How often people were reminded of the present episode. */
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

/** A state as it was stored; what it did not know of yet is as at the beginning. */
export function toState(stored: unknown): RuleState {
  return { ...initialState, ...(stored as Partial<RuleState> | null) };
}

/** Why a rule did what it did; stored with the event and shown. */
export type Reason =
  | "not_met"
  | "no_data"
  | "first_breach"
  | "breached_for_long_enough"
  | "waiting_for_duration"
  | "recovered_while_waiting"
  | "still_breaching"
  | "clearing"
  | "breached_again_while_clearing"
  | "recovered";

/** What to do about it. */
export type Step =
  | { does: "nothing" }
  /** `endsOther`: an episode of the other kind, of no data or of a breach, is over with it. */
  | { does: "fire"; notifies: boolean; endsOther: boolean }
  | { does: "resolve" }
  | { does: "tell" }
  | { does: "remind" };

export type Verdict = { state: RuleState; step: Step; reason: Reason };

/** Takes a rule one moment further. Nothing but its arguments decides, so a replay decides the same. */
export function advance(
  rule: Rule,
  state: RuleState,
  { holds, isNoData }: Pick<WindowResult, "holds" | "isNoData">,
  now: number,
): Verdict {
  if (holds === null) return { state, step: { does: "nothing" }, reason: "no_data" };
  // A state that cannot be read may be as bad as before; where nothing happens, what happened is over.
  const isOver = state.is_no_data ? !isNoData : isNoData && !rule.isPolled;
  if (state.phase === "firing" && holds && isOver) return changeOver(rule, state, isNoData, now);
  if (state.phase === "firing") return holds ? continueFiring(rule, state, now) : clear(rule, state, now);
  if (!holds) return startResolving(state, now);
  const isOther = state.phase === "ok" || state.is_no_data !== isNoData;
  if (isOther && rule.for_seconds > 0) {
    return nothing({ ...state, phase: "pending", since: now, is_no_data: isNoData }, "waiting_for_duration");
  }
  if (state.phase === "pending" && now - state.since < rule.for_seconds) {
    return nothing(state, "waiting_for_duration");
  }
  return fire(rule, state, isNoData, now);
}

/** The block time at which a rule must be looked at again although nothing happens. */
export function dueAt(rule: Rule, state: RuleState): number | null {
  const times = [
    state.phase === "pending" ? state.since + rule.for_seconds : null,
    state.clear_since !== null ? state.clear_since + rule.resolve_after_seconds : null,
    isQuiet(state) ? (state.last_notified_at ?? 0) + rule.cooldown_seconds : null,
    state.phase === "firing" && rule.renotify_seconds !== null && state.last_notified_at !== null
      ? state.last_notified_at + rule.renotify_seconds
      : null,
  ].filter((time) => time !== null);
  return times.length > 0 ? Math.min(...times) : null;
}

function fire(rule: Rule, state: RuleState, is_no_data: boolean, now: number, endsOther = false): Verdict {
  const notifies = mayNotify(rule, state, is_no_data, now);
  return {
    state: {
      ...state,
      phase: "firing",
      since: now,
      clear_since: null,
      last_fired_at: now,
      last_notified_at: notifies ? now : state.last_notified_at,
      is_no_data,
      told: notifies ? kindOf(is_no_data) : state.told,
      is_told: notifies,
      reminders: 0,
    },
    step: { does: "fire", notifies, endsOther },
    reason: rule.for_seconds > 0 ? "breached_for_long_enough" : "first_breach",
  };
}

/** The cooldown spares people, never the history; and having heard of silence is not having heard of a breach. */
function mayNotify(rule: Rule, state: RuleState, is_no_data: boolean, now: number): boolean {
  if (state.last_notified_at === null || now - state.last_notified_at >= rule.cooldown_seconds) return true;
  return state.told === "no_data" && !is_no_data;
}

function kindOf(is_no_data: boolean): "fired" | "no_data" {
  return is_no_data ? "no_data" : "fired";
}

/** The condition holds where nothing could be told before, or the reverse: one episode is over, another begins in time. */
function changeOver(rule: Rule, state: RuleState, is_no_data: boolean, now: number): Verdict {
  const over = { ...endOf(state, now), is_no_data };
  if (rule.for_seconds > 0) {
    return {
      state: { ...over, phase: "pending" },
      step: { does: "resolve" },
      reason: "waiting_for_duration",
    };
  }
  return fire(rule, over, is_no_data, now, true);
}

function continueFiring(rule: Rule, state: RuleState, now: number): Verdict {
  const reason = state.clear_since === null ? "still_breaching" : "breached_again_while_clearing";
  // The same object where nothing changed, so that nothing is written for it.
  const next = state.clear_since === null ? state : { ...state, clear_since: null };
  if (isQuiet(state) && now - (state.last_notified_at ?? 0) >= rule.cooldown_seconds) {
    const told = kindOf(state.is_no_data);
    return { state: { ...next, is_told: true, told, last_notified_at: now }, step: { does: "tell" }, reason };
  }
  const isDue =
    rule.renotify_seconds !== null &&
    state.last_notified_at !== null &&
    now - state.last_notified_at >= rule.renotify_seconds;
  if (!isDue) return nothing(next, reason);
  return {
    state: { ...next, last_notified_at: now, reminders: state.reminders + 1 },
    step: { does: "remind" },
    reason,
  };
}

/** An alarm that began during the cooldown is told when that is over, if it goes on: spared is not the same as lost. */
function isQuiet(state: RuleState): boolean {
  return state.phase === "firing" && !state.is_told;
}

/** Hysteresis: a firing rule is over only when the opposite has held long enough. */
function clear(rule: Rule, state: RuleState, now: number): Verdict {
  const clear_since = state.clear_since ?? now;
  if (now - clear_since < rule.resolve_after_seconds) {
    return nothing(state.clear_since === null ? { ...state, clear_since } : state, "clearing");
  }
  return { state: endOf(state, now), step: { does: "resolve" }, reason: "recovered" };
}

function endOf(state: RuleState, now: number): RuleState {
  return {
    ...state,
    phase: "ok",
    since: now,
    event_id: null,
    clear_since: null,
    is_told: false,
    reminders: 0,
  };
}

function startResolving(state: RuleState, now: number): Verdict {
  if (state.phase === "ok") return nothing(state, "not_met");
  return nothing({ ...state, phase: "ok", since: now }, "recovered_while_waiting");
}

function nothing(state: RuleState, reason: Reason): Verdict {
  return { state, step: { does: "nothing" }, reason };
}
