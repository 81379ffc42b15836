import type { Chain } from "../../chains/chain.ts";
import { ownWindowSeconds, type TimedReading } from "../../meters/meter.ts";
import { nextDue } from "../evaluate/next-due.ts";
import { initialState, type RuleState, toState } from "../evaluate/rule-state.ts";
import { DueList } from "./due-list.ts";
import { Series } from "./series.ts";
import {
  lacksImplementation,
  seriesIdOf,
  type WatchedContract,
  type WatchedRule,
  type WatchedTarget,
  WatchList,
} from "./watch-list.ts";

/** What is kept of a series although no rule looks back so far: enough to see change and to draw a little. */
const minRetentionSeconds = 600;
/** An anomaly is judged against the day before. */
const anomalySeconds = 25 * 60 * 60;

/** How long readings are kept one by one where only minutes count: longer than any block that is still remembered. */
export const singleSeconds = 2 * 60 * 60;

/** Everything the engine holds of one chain between blocks. All of it can be read again from the store. */
export class EngineState {
  readonly watchList: WatchList;
  /** Rules to look at by a block time although nothing happens. */
  readonly due = new DueList();
  /** State targets to read by a block time. */
  readonly polls = new DueList();
  /** Contracts of which it is to be found out, by a block time, which code is behind them. */
  readonly unread = new DueList();
  /** Kept beyond what rules look back on, so that a rollback finds what the time before it needs. */
  readonly slackSeconds: number;
  private readonly seriesById = new Map<string, Series>();
  private readonly states = new Map<string, RuleState>();
  /** The block at which each rule was last looked at. */
  private readonly evaluatedAt = new Map<string, number>();

  constructor(chain: Chain) {
    this.watchList = new WatchList(chain);
    this.slackSeconds = Math.max(
      minRetentionSeconds,
      (2 * chain.finality_depth * chain.block_time_ms) / 1000,
    );
  }

  /** Takes a contract in, or in anew, and sees to it that its targets and rules are looked at in time. */
  watch(contract: WatchedContract, now: number): void {
    this.watchList.set(contract);
    if (lacksImplementation(contract.code)) {
      this.unread.set(contract.id, this.unread.timeOf(contract.id) ?? now);
    }
    for (const target of contract.targets) {
      if (target.meter.windowSeconds)
        this.series(target.series_id).keepFor(ownWindowSeconds(target) + this.slackSeconds);
      if (target.meter.scores) for (const id of seriesOf(target)) this.series(id).foldAfter(singleSeconds);
      if (target.meter.reads) this.polls.set(target.id, this.polls.timeOf(target.id) ?? now);
      for (const rule of target.rules) this.schedule(rule, now);
    }
  }

  schedule(rule: WatchedRule, now: number): void {
    const state = this.state(rule.id);
    const next = nextDue(rule, state, this.prepareSeries(rule), now);
    this.due.set(rule.id, mayBeOverdue(rule, state) ? now : next);
  }

  series(series_id: string): Series {
    const known = this.seriesById.get(series_id);
    if (known) return known;
    const fresh = new Series(this.slackSeconds);
    this.seriesById.set(series_id, fresh);
    return fresh;
  }

  /** The series that a rule reads, made to keep as much as the rule looks back on. */
  prepareSeries(rule: WatchedRule): Series {
    const series = this.series(seriesIdOf(rule));
    series.keepFor(lookbackSeconds(rule) + this.slackSeconds);
    return series;
  }

  newest(series_id: string): TimedReading | undefined {
    return this.seriesById.get(series_id)?.newest;
  }

  state(rule_id: string): RuleState {
    return this.states.get(rule_id) ?? initialState;
  }

  setState(rule_id: string, state: RuleState): void {
    this.states.set(rule_id, state);
  }

  markEvaluated(rule_id: string, height: number): void {
    this.evaluatedAt.set(rule_id, height);
  }

  /** Gives provisional ids of events their final ones. */
  renameEvents(ids: ReadonlyMap<string, string>): void {
    const isRenamed = [...ids].some(([provisional, id]) => id !== provisional);
    if (!isRenamed) return;
    for (const [rule_id, state] of this.states) {
      const id = state.event_id && ids.get(state.event_id);
      if (id && id !== state.event_id) this.states.set(rule_id, { ...state, event_id: id });
    }
  }

  /** Forgets every reading above a height and puts rules back to where they stood. */
  rollBackTo(ref: { height: number; time: number }, states: { rule_id: string; state: unknown }[]): void {
    for (const [series_id, series] of this.seriesById) {
      const { hasLost } = series.rollBackTo(ref.height);
      // What was read of the state is gone with its block, and must not be missing until the next interval.
      const target = hasLost ? this.watchList.targetOf(series_id) : undefined;
      if (target?.meter.reads) this.polls.set(target.id, ref.time);
    }
    for (const { rule_id, state } of states) this.states.set(rule_id, toState(state));
    for (const [rule_id, height] of this.evaluatedAt)
      if (height > ref.height) this.scheduleEvaluation(rule_id, ref.time);
  }

  /** When a rule is next due was worked out from blocks that are gone. */
  private scheduleEvaluation(rule_id: string, now: number): void {
    this.evaluatedAt.delete(rule_id);
    const rule = this.watchList.rule(rule_id);
    if (rule) this.schedule(rule, now);
  }
}

/** Of a target and of its rules. */
export function seriesOf({ series_id, rules }: WatchedTarget): string[] {
  return [...new Set([series_id, ...rules.map(seriesIdOf)])];
}

/** Its time may have come while it was paused or another rule, so that the next block is the moment to look. */
function mayBeOverdue({ condition, no_data }: WatchedRule, { phase }: RuleState): boolean {
  return phase !== "ok" || condition.operator === "absent" || no_data === "alert";
}

/** How much block time before now a rule's judgement depends on. */
export function lookbackSeconds({ condition }: WatchedRule): number {
  return condition.operator === "anomaly"
    ? Math.max(anomalySeconds, condition.window_seconds * 2)
    : condition.window_seconds;
}
