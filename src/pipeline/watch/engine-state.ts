import type { Subject } from "../../chains/activity.ts";
import type { Chain } from "../../chains/chain.ts";
import { defaultWindowSeconds, type TimedReading } from "../../meters/meter.ts";
import type { Code } from "../../store/engine/contract-code.ts";
import type { BlockPoint } from "../block-point.ts";
import type { PartSource } from "../evaluate/evaluate-parts.ts";
import { nextDue } from "../evaluate/next-due.ts";
import type { RuleState } from "../evaluate/rule-state.ts";
import { summariserOf } from "../evaluate/summariser.ts";
import { secondsUntilCheck } from "../measure/slow-checks.ts";
import { DueList } from "./due-list.ts";
import { EvidenceBudget } from "./evidence-budget.ts";
import { lookbackOf, lookbackSeconds } from "./lookback.ts";
import { retentionOf } from "./retention.ts";
import { ruleKey } from "./rule-groups.ts";
import { RuleStates } from "./rule-states.ts";
import { mayBeOverdue, readsState } from "./rule-timing.ts";
import { Series } from "./series.ts";
import {
  lacksImplementation,
  seriesIdOf,
  seriesKey,
  seriesOf,
  type WatchedContract,
  type WatchedRule,
  type WatchedTarget,
  WatchList,
} from "./watch-list.ts";

/** The minimum block time between two readings of a target whose contract is active in every block. */
const minPollSeconds = 2;

/** The engine's in-memory state of one chain. All of it can be loaded again from the store. */
export class EngineState {
  readonly watchList: WatchList;
  /** Rules to evaluate at a block time even without new readings. */
  readonly due = new DueList();
  /** Targets whose state to read at a block time. */
  readonly polls = new DueList();
  /** Contracts whose implementation to discover at a block time. */
  readonly unread = new DueList();
  /** The evidence stored for each organisation. */
  readonly evidence = new EvidenceBudget();
  /** Kept beyond the longest window, because a rollback evaluates windows that end earlier. */
  readonly slackSeconds: number;
  /** The age from which readings are folded where only minutes count. */
  readonly foldAfterSeconds: number;
  private readonly seriesById = new Map<string, Series>();
  readonly states = new RuleStates();
  /** Groups that were forgotten since the last commit: the store still has their former states. */
  private readonly forgotten = new Set<string>();
  /** The latest block time for which series were trimmed, on any branch. */
  private latestTime = Number.NEGATIVE_INFINITY;
  private headTime = Number.NEGATIVE_INFINITY;

  /** The maximum of groups of a rule in memory between two commits. */
  readonly maxGroups: number;

  constructor(chain: Chain, { maxGroups }: { maxGroups: number }) {
    this.watchList = new WatchList(chain);
    this.maxGroups = maxGroups;
    const { slackSeconds, foldAfterSeconds } = retentionOf(chain);
    this.slackSeconds = slackSeconds;
    this.foldAfterSeconds = foldAfterSeconds;
  }

  /** Adds or replaces a contract and schedules its targets and rules. */
  watch(contract: WatchedContract, now: number): void {
    // A new config or interval applies at once, not after the interval that the target had.
    const renewed = contract.targets.filter((target) => isRenewed(this.watchList.target(target.id), target));
    this.watchList.set(contract);
    if (lacksImplementation(contract.code)) {
      this.unread.set(contract.id, this.unread.timeOf(contract.id) ?? now);
    }
    for (const target of contract.targets) {
      if (target.meter.windowSeconds)
        this.series(target.series_id).keepFor(defaultWindowSeconds(target) + this.slackSeconds);
      if (target.meter.baseline)
        for (const id of seriesOf(target)) this.series(id).foldAfter(this.foldAfterSeconds);
      const scheduled = renewed.includes(target) ? now : this.polls.timeOf(target.id);
      if (target.meter.reads) this.polls.set(target.id, scheduled ?? this.firstPoll(target, now));
      for (const rule of target.rules) this.schedule(rule, now);
    }
    for (const rule of contract.targets.flatMap(({ rules }) => rules))
      for (const group of rule.group_by ? this.states.groups.of(rule.id) : [])
        this.schedule(this.watchList.group(rule, group), now);
  }

  /** A target that was read before, and whose changes are events, need not be read again after a restart. */
  private firstPoll(target: WatchedTarget, now: number): number {
    const newest = this.newest(target.series_id);
    return newest ? now + secondsUntilCheck(target, newest, now) : now;
  }

  /** Replaces the code of a contract. A contract whose code is unknown is examined at the next block. */
  changeCode(contract: WatchedContract, subject: Subject, code: Code | undefined, now: number): void {
    this.watchList.remove(contract.id);
    contract.subject = subject;
    contract.code = code;
    this.watchList.set(contract);
    if (lacksImplementation(code)) this.unread.set(contract.id, this.unread.timeOf(contract.id) ?? now);
  }

  schedule(rule: WatchedRule, now: number): void {
    const state = this.states.get(rule.key);
    this.due.set(rule.key, mayBeOverdue(rule, state) ? now : this.nextDue(rule, state, now));
  }

  /** Returns the next block time at which a rule must be evaluated, or a group may be forgotten. */
  nextDue(
    rule: WatchedRule,
    state: RuleState,
    now: number,
    sources: readonly PartSource[] = this.sourcesOf(rule),
  ): number | null {
    // Only its groups have readings.
    if (rule.group_by && rule.group === undefined) return null;
    const due = nextDue(rule, state, sources, now);
    return due ?? (rule.group === undefined ? null : this.forgettableAt(rule, state, now));
  }

  series(series_id: string): Series {
    const existing = this.seriesById.get(series_id);
    if (existing) return existing;
    const fresh = new Series(this.slackSeconds);
    this.seriesById.set(series_id, fresh);
    return fresh;
  }

  /** Returns the series that a rule reads, extended to keep as much as the rule looks back on. */
  private prepareSeries(rule: WatchedRule): Series {
    const series = this.series(seriesKey(seriesIdOf(rule), rule.group));
    series.keepFor(lookbackSeconds(rule) + this.slackSeconds);
    return series;
  }

  /** Returns the conditions of a rule with the series that they are evaluated on. */
  sourcesOf(rule: WatchedRule): PartSource[] {
    const ownSource = {
      part: rule,
      series: this.prepareSeries(rule),
      summarise: summariserOf(rule),
      target: rule.target,
    };
    if (rule.others.length === 0) return [ownSource];
    return [
      ownSource,
      ...rule.others.map(({ part, target }) => {
        const series = this.series(target.series_id);
        series.keepFor(lookbackOf(part) + this.slackSeconds);
        return { part, series, summarise: summariserOf({ target }), target };
      }),
    ];
  }

  /** A group without readings in reach of a rollback, and without a cooldown, is as if it had never been seen. */
  private forgettableAt(rule: WatchedRule, state: RuleState, now: number): number {
    const newest = this.prepareSeries(rule).newest?.time ?? 0;
    const quietAt = newest + lookbackSeconds(rule) + this.slackSeconds;
    return Math.max(now, quietAt, (state.last_notified_at ?? 0) + rule.cooldown_seconds) + 1;
  }

  /** Forgets a group if nothing depends on it any more. Returns whether it did. */
  forgetIfQuiet(rule: WatchedRule, now: number): boolean {
    const state = this.states.get(rule.key);
    if (state.phase !== "ok" || this.forgettableAt(rule, state, 0) > now) return false;
    if (this.states.groups.partial.has(rule.id)) this.forgotten.add(rule.key);
    this.dropGroup(rule);
    return true;
  }

  /** Returns whether a group is not in memory, but may be in the store. */
  isEvicted({ id }: WatchedRule, group: string): boolean {
    const { groups } = this.states;
    return groups.partial.has(id) && !groups.has(id, group) && !this.forgotten.has(ruleKey(id, group));
  }

  /**
   * Drops the groups that a rule has beyond the maximum. They are quiet and were not seen for the longest time. Everything about
   * them must be in the store, from which they are loaded again when it concerns them.
   */
  evictGroups(): void {
    const { groups } = this.states;
    for (const rule_id of groups.grown) {
      const rule = this.watchList.rule(rule_id);
      if (rule) for (const group of groups.beyond(rule_id, this.maxGroups)) this.evictGroup(rule, group);
    }
    groups.grown.clear();
    this.forgotten.clear();
  }

  /** Drops a group whose readings and state are in the store. */
  evictGroup(rule: WatchedRule, group: string): void {
    this.states.groups.partial.add(rule.id);
    this.dropGroup({ ...rule, group, key: ruleKey(rule.id, group) });
  }

  private dropGroup(rule: WatchedRule): void {
    this.seriesById.delete(seriesKey(seriesIdOf(rule), rule.group));
    this.due.set(rule.key, null);
    this.states.deleteGroup(rule);
    this.watchList.forgetGroup(rule);
  }

  /** Has the state of a target read again, which a block has probably changed; not more often than is useful. */
  pollSoon({ id, series_id }: WatchedTarget, now: number): void {
    const readAt = this.seriesById.get(series_id)?.newest?.time ?? Number.NEGATIVE_INFINITY;
    const due = this.polls.timeOf(id);
    const at = Math.max(now, readAt + minPollSeconds);
    // Without a due time, it is being read.
    if (due !== undefined && at < due) this.polls.set(id, at);
  }

  /** Forgets the readings of targets, so that they are loaded from the store when the targets are watched again. */
  forgetReadings(targets: readonly WatchedTarget[]): void {
    const ids = new Set(targets.flatMap(seriesOf));
    for (const key of [...this.seriesById.keys()])
      if (ids.has(key.split(" ")[0] as string)) this.seriesById.delete(key);
  }

  newest(series_id: string): TimedReading | undefined {
    return this.seriesById.get(series_id)?.newest;
  }

  /** Records the time of the newest block that the nodes show. */
  observeHead(time: number): void {
    this.headTime = time;
  }

  /**
   * Returns whether a block is older than a rule, which then must not fire on it. A chain whose head is older than the rule has
   * another clock than ours, as a development chain may have, so that the times cannot be compared.
   */
  precedes({ time }: { time: number }, { since }: { since: number }): boolean {
    return time < since && since <= this.headTime;
  }

  /**
   * Removes contracts that are paused at a block time. If the newest block is long before the pause, the chain has another
   * clock than ours, and the pause applies at once.
   */
  removePaused(time: number): void {
    for (const { id, pausedAt = 0 } of this.watchList.leaving) {
      const isComparable = this.headTime + clockSlackSeconds >= pausedAt;
      if (time >= pausedAt || !isComparable) this.watchList.remove(id);
    }
  }

  /** Records the time of a block before its readings are added. */
  startBlock(time: number): void {
    this.removePaused(time);
    this.latestTime = Math.max(this.latestTime, time);
  }

  /** Returns whether the series still hold every reading of the windows that end at a block time. */
  coversWindowsAt(time: number): boolean {
    return this.latestTime - time <= this.slackSeconds;
  }

  /** Drops every reading above a height and restores the states of rules. */
  rollBackTo(ref: BlockPoint, states: { key: string; state: RuleState }[]): void {
    for (const [series_id, series] of this.seriesById) {
      const { hasDropped } = series.rollBackTo(ref.height);
      // The reading was dropped with its block, and must not be missing until the next interval.
      const target = hasDropped ? this.watchList.targetOf(series_id) : undefined;
      if (target?.meter.reads) this.polls.set(target.id, ref.time);
    }
    for (const key of this.states.rollBackTo(ref.height, states)) {
      const rule = this.watchList.rule(key);
      if (!rule) continue;
      this.schedule(rule, ref.time);
      this.scheduleLateState(rule, ref);
    }
  }

  /** Has every rule about state evaluated after a rollback for which everything was loaded again. */
  scheduleAllLateState(ref: BlockPoint): void {
    for (const rule of this.watchList.allRules()) this.scheduleLateState(rule, ref);
  }

  /**
   * A late reading stays when blocks after its own are rolled back, but the evaluation that it led to is gone. The rule is
   * evaluated once more, so that it need not wait for another reading.
   */
  private scheduleLateState(rule: WatchedRule, ref: BlockPoint): void {
    if (readsState(rule) && !rule.isEach && !this.precedes(ref, rule)) this.due.set(rule.key, ref.time);
  }
}

/** The newest block of a chain that is followed is at most this old, unless the chain is idle. */
const clockSlackSeconds = 300;

function isRenewed(before: WatchedTarget | undefined, target: WatchedTarget): boolean {
  if (!before) return false;
  const isSameInterval = before.contract.pollingSeconds === target.contract.pollingSeconds;
  return before.generation !== target.generation || !isSameInterval;
}
