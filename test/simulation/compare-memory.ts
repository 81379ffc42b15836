import { expect } from "vitest";
import type { App } from "../../src/app.ts";
import type { Chain } from "../../src/chains/chain.ts";
import { nextDue } from "../../src/pipeline/evaluate/next-due.ts";
import type { ChainState } from "../../src/pipeline/follow/apply-batch.ts";
import type { EngineState } from "../../src/pipeline/watch/engine-state.ts";
import { loadEngineState } from "../../src/pipeline/watch/load-state.ts";
import { lookbackOf } from "../../src/pipeline/watch/lookback.ts";
import { ruleKey } from "../../src/pipeline/watch/rule-groups.ts";
import type { WatchedRule } from "../../src/pipeline/watch/watch-list.ts";

/**
 * Compares an engine's memory with what a new engine would load: rule versions, states, windows, and due times that are not
 * late.
 */
export async function compareMemory(
  app: App,
  chain: Chain,
  { engine, cursor, watchVersion }: ChainState,
  rule_ids: string[],
): Promise<void> {
  const loaded = await loadEngineState(app, chain, cursor);
  // A change by the user that the engine has not applied yet.
  if (loaded.watchVersion !== watchVersion) return;
  for (const rule_id of rule_ids) {
    // Of a rule with many groups, the two may have different ones in memory.
    const isPartial = [engine, loaded.engine].some(({ states }) => states.groups.partial.has(rule_id));
    const isInBoth = (group: string) =>
      !isPartial || [engine, loaded.engine].every(({ states }) => states.groups.has(rule_id, group));
    expect({ rule_id, ...describeRule(engine, rule_id, cursor.time, isInBoth) }).toEqual({
      rule_id,
      ...describeRule(loaded.engine, rule_id, cursor.time, isInBoth),
    });
  }
}

function describeRule(
  engine: EngineState,
  rule_id: string,
  now: number,
  isCompared: (group: string) => boolean,
) {
  const rule = engine.watchList.rule(rule_id);
  if (!rule) return { version: undefined };
  const groups = rule.group_by ? [...engine.states.groups.of(rule_id)].filter(isCompared) : [];
  const parts = [rule, ...groups.map((group) => engine.watchList.group(rule, group))];
  const described = parts.map((part) => describePart(engine, part, now));
  // A group of which nothing is left may be forgotten or not.
  return { version: rule.version, parts: described.filter((one) => !isQuiet(one)).sort(byKey) };
}

function describePart(engine: EngineState, rule: WatchedRule, now: number) {
  const windows = engine.sourcesOf(rule).map(({ part, series }) => {
    const readings = series.between(now - lookbackOf(part), now);
    return readings.map(({ height, value, tx_hash, position }) => ({ height, value, tx_hash, position }));
  });
  return { key: rule.key, state: describeState(engine, rule, now), windows: rule.isEach ? [] : windows };
}

/** A group that was forgotten and seen again is as one that rests and whose cooldown has passed. */
function describeState(engine: EngineState, { key, group, cooldown_seconds }: WatchedRule, now: number) {
  const state = engine.states.get(key);
  const isCool = now - (state.last_notified_at ?? Number.NEGATIVE_INFINITY) >= cooldown_seconds;
  return group !== undefined && state.phase === "ok" && isCool ? { phase: "ok" } : state;
}

type Part = ReturnType<typeof describePart>;

function isQuiet({ key, state, windows }: Part): boolean {
  return key.includes(" ") && state.phase === "ok" && windows.every((window) => window.length === 0);
}

function byKey(a: Part, b: Part): number {
  return a.key.localeCompare(b.key);
}

/** A rule that is due too early costs an evaluation; one that is due too late or never loses an alert. */
export function checkDueTimes(engine: EngineState, rule_ids: string[], now: number): void {
  for (const rule_id of rule_ids) checkDue(engine, rule_id, now);
}

function checkDue(engine: EngineState, rule_id: string, now: number): void {
  const rule = engine.watchList.rule(rule_id);
  if (!rule) return;
  if (rule.group_by && rule.group === undefined) {
    for (const group of engine.states.groups.of(rule_id)) checkDue(engine, ruleKey(rule_id, group), now);
    return;
  }
  const latest = nextDue(rule, engine.states.get(rule_id), engine.sourcesOf(rule), now);
  if (latest === null) return;
  expect({ rule_id, due: engine.due.timeOf(rule_id) ?? Number.POSITIVE_INFINITY }).toEqual({
    rule_id,
    due: expect.toSatisfy((due: number) => due <= latest, `due by ${latest}`),
  });
}
