import type { WindowResult } from "./evaluate-window.ts";
import type { Rule } from "./rule.ts";
import { isUnnotified, type RuleState } from "./rule-state.ts";

/** The reason for a verdict; stored with the event and shown to users. */
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
  | "recovered"
  | "occurred"
  | "too_many_groups";

/** The action to take. */
export type Step =
  | { does: "nothing" }
  /** `endsOther`: it also resolves an episode of the other kind (missing data or breach). */
  | { does: "fire"; notifies: boolean; resolvesPrevious: boolean }
  /** An event that has nothing to resolve. */
  | { does: "occur"; notifies: boolean }
  | { does: "resolve" }
  | { does: "notify" }
  | { does: "remind" };

export type Verdict = { state: RuleState; step: Step; reason: Reason };

/** Advances the state of a rule to block time `now`. Depends on its arguments only, so a replay gives the same verdicts. */
export function advanceRule(
  rule: Rule,
  state: RuleState,
  { holds, isNoData }: Pick<WindowResult, "holds" | "isNoData">,
  now: number,
): Verdict {
  if (holds === null) return { state, step: { does: "nothing" }, reason: "no_data" };
  // If polled state cannot be read, the breach may continue. If there is no more activity to count, it has ended.
  const hasKindChanged = state.is_no_data ? !isNoData : isNoData && !rule.isPolled;
  if (state.phase === "firing" && holds && hasKindChanged) return changeKind(rule, state, isNoData, now);
  if (state.phase === "firing") return holds ? continueFiring(rule, state, now) : clear(rule, state, now);
  if (!holds) return becomeOk(state, now);
  const isOtherKind = state.phase === "ok" || state.is_no_data !== isNoData;
  if (isOtherKind && rule.for_seconds > 0) {
    return keep({ ...state, phase: "pending", since: now, is_no_data: isNoData }, "waiting_for_duration");
  }
  if (state.phase === "pending" && now - state.since < rule.for_seconds) {
    return keep(state, "waiting_for_duration");
  }
  return fire(rule, state, { is_no_data: isNoData, now });
}

type Firing = { is_no_data: boolean; now: number; resolvesPrevious?: boolean };

function fire(rule: Rule, state: RuleState, { is_no_data, now, resolvesPrevious = false }: Firing): Verdict {
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
      notified: notifies ? kindOf(is_no_data) : state.notified,
      is_notified: notifies,
      reminders: 0,
    },
    step: { does: "fire", notifies, resolvesPrevious },
    reason: rule.for_seconds > 0 ? "breached_for_long_enough" : "first_breach",
  };
}

/**
 * A cooldown suppresses notifications, never history; a cooldown that began with a missing-data alert does not suppress a
 * breach.
 */
function mayNotify(rule: Rule, state: RuleState, is_no_data: boolean, now: number): boolean {
  if (state.last_notified_at === null || now - state.last_notified_at >= rule.cooldown_seconds) return true;
  return state.notified === "no_data" && !is_no_data;
}

function kindOf(is_no_data: boolean): "fired" | "no_data" {
  return is_no_data ? "no_data" : "fired";
}

/** Missing data turned into a breach or the reverse: one episode resolves and, after `for_seconds`, another fires. */
function changeKind(rule: Rule, state: RuleState, is_no_data: boolean, now: number): Verdict {
  const resolved = { ...resolve(state, now), is_no_data };
  if (rule.for_seconds > 0) {
    return {
      state: { ...resolved, phase: "pending" },
      step: { does: "resolve" },
      reason: "waiting_for_duration",
    };
  }
  return fire(rule, resolved, { is_no_data, now, resolvesPrevious: true });
}

function continueFiring(rule: Rule, state: RuleState, now: number): Verdict {
  const reason = state.clear_since === null ? "still_breaching" : "breached_again_while_clearing";
  // The same object if nothing changed: the caller writes only states that differ.
  const breaching = state.clear_since === null ? state : { ...state, clear_since: null };
  if (isUnnotified(state) && now - (state.last_notified_at ?? 0) >= rule.cooldown_seconds) {
    const notified = kindOf(state.is_no_data);
    return {
      state: { ...breaching, is_notified: true, notified, last_notified_at: now },
      step: { does: "notify" },
      reason,
    };
  }
  const isReminderDue =
    rule.renotify_seconds !== null &&
    state.last_notified_at !== null &&
    now - state.last_notified_at >= rule.renotify_seconds;
  if (!isReminderDue) return keep(breaching, reason);
  return {
    state: { ...breaching, last_notified_at: now, reminders: state.reminders + 1 },
    step: { does: "remind" },
    reason,
  };
}

/** Hysteresis: a firing rule resolves only when the condition has not held for `resolve_after_seconds`. */
function clear(rule: Rule, state: RuleState, now: number): Verdict {
  const clear_since = state.clear_since ?? now;
  if (now - clear_since < rule.resolve_after_seconds) {
    return keep(state.clear_since === null ? { ...state, clear_since } : state, "clearing");
  }
  return { state: resolve(state, now), step: { does: "resolve" }, reason: "recovered" };
}

function resolve(state: RuleState, now: number): RuleState {
  return {
    ...state,
    phase: "ok",
    since: now,
    event_id: null,
    clear_since: null,
    is_notified: false,
    reminders: 0,
  };
}

function becomeOk(state: RuleState, now: number): Verdict {
  if (state.phase === "ok") return keep(state, "not_met");
  return keep({ ...state, phase: "ok", since: now }, "recovered_while_waiting");
}

function keep(state: RuleState, reason: Reason): Verdict {
  return { state, step: { does: "nothing" }, reason };
}
