import { expect } from "vitest";
import type { App } from "../../src/app.ts";
import type { Chain } from "../../src/chains/chain.ts";
import { nextDue } from "../../src/pipeline/evaluate/next-due.ts";
import type { Following } from "../../src/pipeline/follow/apply-batch.ts";
import { type EngineState, lookbackSeconds } from "../../src/pipeline/watch/engine-state.ts";
import { loadEngineState } from "../../src/pipeline/watch/load-state.ts";
import { seriesIdOf } from "../../src/pipeline/watch/watch-list.ts";

/** Compares an engine's memory with what a new engine would load: rule versions, states, windows, and due times that are not late. */
export async function compareMemory(
  app: App,
  chain: Chain,
  { engine, cursor, watchVersion }: Following,
  rule_ids: string[],
): Promise<void> {
  const loaded = await loadEngineState(app, chain, cursor);
  // A change by the user that the engine has not applied yet.
  if (loaded.watchVersion !== watchVersion) return;
  for (const rule_id of rule_ids) {
    expect({ rule_id, ...describeRule(engine, rule_id, cursor.time) }).toEqual({
      rule_id,
      ...describeRule(loaded.engine, rule_id, cursor.time),
    });
  }
}

function describeRule(engine: EngineState, rule_id: string, now: number) {
  const rule = engine.watchList.rule(rule_id);
  if (!rule) return { version: undefined };
  const readings = engine.series(seriesIdOf(rule)).between(now - lookbackSeconds(rule), now);
  return {
    version: rule.version,
    state: engine.state(rule_id),
    window: readings.map(({ height, value, tx_hash, position }) => ({ height, value, tx_hash, position })),
  };
}

/** A rule that is due too early costs an evaluation; one that is due too late or never loses an alert. */
export function checkDueTimes(engine: EngineState, rule_ids: string[], now: number): void {
  for (const rule_id of rule_ids) checkDue(engine, rule_id, now);
}

function checkDue(engine: EngineState, rule_id: string, now: number): void {
  const rule = engine.watchList.rule(rule_id);
  if (!rule) return;
  const latest = nextDue(rule, engine.state(rule_id), engine.sourcesOf(rule), now);
  if (latest === null) return;
  expect({ rule_id, due: engine.due.timeOf(rule_id) ?? Number.POSITIVE_INFINITY }).toEqual({
    rule_id,
    due: expect.toSatisfy((due: number) => due <= latest, `due by ${latest}`),
  });
}
