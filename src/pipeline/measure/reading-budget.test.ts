import { expect, test } from "vitest";
import type { Reading } from "../../meters/meter.ts";
import type { WatchedRule, WatchedTarget } from "../watch/watch-list.ts";
import { type FoundReadings, limitReadings } from "./reading-budget.ts";

const reading = (value: number): Reading => ({ value, tx_hash: null, position: null });
const readings = (length: number) => Array.from({ length }, (_, n) => reading(n));

/** What was found for a target of an organisation, of which only the names matter here. */
function foundBy(org_id: string, own: number, ...ofRules: number[]): FoundReadings {
  const target = { contract: { org_id } } as unknown as WatchedTarget;
  const lists = ofRules.map((length, n) => [{ id: String(n) } as WatchedRule, readings(length)] as const);
  return { target, ofTarget: readings(own), ofRules: new Map(lists) };
}

test("readings within the budget of an organisation are all kept, whatever others have", () => {
  const all = [foundBy("a", 60, 40), foundBy("b", 1_000)];
  expect(limitReadings(all, 100).size).toBe(1);
  expect([all[0]?.ofTarget.length, all[0]?.ofRules.values().next().value?.length]).toEqual([60, 40]);
});

test("beyond the budget, the targets and rules with the most readings keep as many of the latest ones, and the others all", () => {
  const [small, large, matching] = [foundBy("a", 10), foundBy("a", 500), foundBy("a", 10, 900)];
  const limited = limitReadings([small, large, matching], 180);
  expect([...limited]).toEqual([
    [large.target, { found: 500, counted: 80 }],
    [matching.target, { found: 900, counted: 80 }],
  ]);
  expect(small.ofTarget).toEqual(readings(10));
  expect(large.ofTarget).toEqual(readings(500).slice(-80));
  expect([...matching.ofRules.values()]).toEqual([readings(900).slice(-80)]);
});

test("an organisation with very many targets keeps a few readings of each", () => {
  const all = Array.from({ length: 200 }, () => foundBy("a", 30));
  limitReadings(all, 100);
  expect(new Set(all.map(({ ofTarget }) => ofTarget.length))).toEqual(new Set([20]));
});
