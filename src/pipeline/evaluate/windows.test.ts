import fc from "fast-check";
import { expect, test } from "vitest";
import { compareNewestMinute } from "../../meters/anomaly/anomaly-score.ts";
import type { Aggregation, TimedReading } from "../../meters/meter.ts";
import { DueList } from "../watch/due-list.ts";
import { Series } from "../watch/series.ts";
import { aggregate } from "./aggregate.ts";
import { evaluateWindow } from "./evaluate-window.ts";
import { growingWindow } from "./growing-window.ts";
import { replay } from "./replay.ts";
import type { ConditionPart, Operator, Rule } from "./rule.ts";

const runs = { numRuns: process.env.TEST_LONG ? 20_000 : 400 };

const reading = (time: number, value: number, height = time): TimedReading => ({
  time,
  height,
  value,
  tx_hash: null,
  position: null,
});

/** Readings in the order of their times, several of which may be equal. */
const readings = fc
  .array(fc.record({ gap: fc.integer({ min: 0, max: 40 }), value: fc.integer({ min: -50, max: 50 }) }), {
    maxLength: 60,
  })
  .map((steps) => {
    let time = 1_000;
    return steps.map(({ gap, value }, index) => {
      time += gap;
      return reading(time, value, index);
    });
  });

const ruleWith = (condition: Partial<Rule["condition"]>, more: Partial<Rule> = {}): Rule => ({
  id: "rule",
  version: 1,
  condition: {
    operator: "gte",
    threshold: 1,
    threshold_high: 10,
    aggregation: "count",
    window_seconds: 60,
    ...condition,
  },
  isEach: false,
  for_seconds: 0,
  resolve_after_seconds: 0,
  cooldown_seconds: 0,
  renotify_seconds: null,
  combines: "all",
  no_data: "ignore",
  isPolled: false,
  isScore: false,
  since: 0,
  ...more,
});

test("a window holds exactly the readings after its start and not after its end", () => {
  fc.assert(
    fc.property(
      readings,
      fc.integer({ min: 900, max: 4_000 }),
      fc.integer({ min: 1, max: 900 }),
      (all, end, width) => {
        const series = new Series(10_000);
        for (const one of all) series.add(one);
        const expected = all.filter((one) => one.time > end - width && one.time <= end);
        expect(series.between(end - width, end)).toEqual(expected);
        expect(series.at(end)).toEqual(all.filter((one) => one.time <= end).at(-1));
        expect(series.nextAfter(end)).toEqual(all.find((one) => one.time > end));
      },
    ),
    runs,
  );
});

test("trimming and rolling back never change a window that can still be read", () => {
  fc.assert(
    fc.property(
      readings,
      fc.integer({ min: 0, max: 60 }),
      fc.integer({ min: 60, max: 600 }),
      (all, height, keep) => {
        const series = new Series(keep);
        for (const one of all) {
          series.add(one);
          series.trim(one.time);
        }
        series.rollBackTo(height);
        const kept = all.filter((one) => one.height <= height);
        const end = kept.at(-1)?.time ?? 0;
        const newest = all.at(-1)?.time ?? 0;
        const from = Math.max(end - keep, newest - keep);
        expect(series.between(from, end)).toEqual(kept.filter((one) => one.time > from && one.time <= end));
      },
    ),
    runs,
  );
});

test("per-minute counts are the same in a series that folds old readings into minutes, also after a reorganisation", () => {
  const steps = fc.array(fc.integer({ min: 0, max: 45 }), { minLength: 900, maxLength: 1_500 });
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 200 }), (gaps, orphans) => {
      const [plain, folding] = [new Series(90_000), new Series(90_000)];
      // The engine folds only what a rollback cannot reach; after a deeper one it loads the series again.
      const orphanedSeconds = gaps.slice(-orphans).reduce((total, gap) => total + gap, 0);
      folding.foldAfter(Math.max(3_600, orphanedSeconds));
      let [time, height] = [1_000_000, 0];
      for (const gap of [...gaps, ...gaps.slice(0, 300)]) {
        time += gap;
        height++;
        if (height === gaps.length)
          for (const series of [plain, folding]) series.rollBackTo(height - orphans);
        for (const series of [plain, folding]) {
          series.add(reading(time, gap % 7, height));
          series.trim(time);
        }
      }
      const scoreOf = (series: Series) =>
        compareNewestMinute({ algorithm: "basic", seasonality: "none" }, series.between(0, time));
      expect(scoreOf(folding)).toEqual(scoreOf(plain));
      expect(folding.between(0, time).length).toBeLessThan(plain.between(0, time).length);
    }),
    { numRuns: process.env.TEST_LONG ? 500 : 20 },
  );
});

test("300,000 older readings can be added in front of a series", () => {
  const series = new Series(10_000);
  series.add(reading(300_000, 1));
  series.addOlder(Array.from({ length: 300_001 }, (_, time) => reading(time, 0)));
  expect(series.between(-1, 300_000)).toHaveLength(300_001);
});

test("each aggregation equals its naive definition", () => {
  const naive: Record<Aggregation, (values: number[]) => number | null> = {
    count: (values) => values.length,
    sum: (values) => values.reduce((a, b) => a + b, 0),
    rate: (values) => (values.reduce((a, b) => a + b, 0) / 120) * 60,
    last: (values) => values.at(-1) ?? null,
    avg: (values) => (values.length ? values.reduce((a, b) => a + b, 0) / values.length : null),
    min: (values) => (values.length ? Math.min(...values) : null),
    max: (values) => (values.length ? Math.max(...values) : null),
    p95: (values) => {
      const sorted = [...values].sort((a, b) => a - b);
      return (
        sorted.find((value) => sorted.filter((one) => one <= value).length >= 0.95 * sorted.length) ?? null
      );
    },
  };
  fc.assert(
    fc.property(
      readings,
      fc.constantFrom(...(Object.keys(naive) as Aggregation[])),
      (window, aggregation) => {
        const expected = naive[aggregation](window.map((one) => one.value));
        expect(aggregate(aggregation, window, 120, undefined)).toBe(expected);
      },
    ),
    runs,
  );
});

test("a replay finds the same episodes as evaluating the rule every second", async () => {
  const operators: Operator[] = [
    "gt",
    "gte",
    "lt",
    "lte",
    "eq",
    "neq",
    "between",
    "outside",
    "absent",
    "changed",
  ];
  const aggregations: Aggregation[] = ["count", "sum", "last", "avg", "min", "max"];
  const rules = fc
    .record({
      operator: fc.constantFrom(...operators),
      aggregation: fc.constantFrom(...aggregations),
      threshold: fc.integer({ min: -5, max: 5 }),
      window_seconds: fc.constantFrom(60, 90, 120),
      for_seconds: fc.constantFrom(0, 0, 30),
      resolve_after_seconds: fc.constantFrom(0, 45),
      isPolled: fc.boolean(),
    })
    .map(({ for_seconds, resolve_after_seconds, isPolled, ...condition }) =>
      ruleWith(condition, { for_seconds, resolve_after_seconds, isPolled, since: 1_000 }),
    );
  await fc.assert(
    fc.asyncProperty(readings, rules, async (all, rule) => {
      const until = (all.at(-1)?.time ?? 1_000) + 300;
      const { episodes } = await replay(rule, [sourceOf(rule, all)], until, async () => undefined);
      expect(episodes.map(({ fired_at, resolved_at }) => ({ fired_at, resolved_at }))).toEqual(
        episodesBySecond(rule, [{ part: rule, all }], until),
      );
    }),
    { numRuns: process.env.TEST_LONG ? 5_000 : 300 },
  );
});

test("a due list returns each id once, when the time that was last set for it is reached", () => {
  const time = fc.integer({ min: 0, max: 50 });
  const steps = fc.array(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({ id: fc.integer({ min: 0, max: 30 }).map(String), time: fc.option(time) }),
      },
      { weight: 1, arbitrary: fc.record({ now: time, max: fc.integer({ min: 0, max: 5 }) }) },
    ),
    { maxLength: 200 },
  );
  fc.assert(
    fc.property(steps, (all) => {
      const [list, naive] = [new DueList(), new Map<string, number>()];
      for (const step of all) {
        if ("now" in step) {
          const removed = list.removeDue(step.now, step.max);
          const due = [...naive.values()].filter((one) => one <= step.now).sort((a, b) => a - b);
          expect(removed.map((id) => naive.get(id))).toEqual(due.slice(0, step.max));
          for (const id of removed) naive.delete(id);
        } else {
          list.set(step.id, step.time);
          if (step.time === null) naive.delete(step.id);
          else naive.set(step.id, step.time);
        }
        expect(list.nextTime()).toBe(naive.size > 0 ? Math.min(...naive.values()) : undefined);
      }
      expect(list.removeDue(50).sort()).toEqual([...naive.keys()].sort());
    }),
    runs,
  );
});

const sourceOf = (part: ConditionPart, all: TimedReading[]) => ({
  part,
  readings: all,
  summarise: undefined,
  target: { id: "target", target_type: "tx_rate" },
});

test("a rule with several conditions has the episodes of a naive evaluation at every second", async () => {
  const part = fc
    .record({
      operator: fc.constantFrom<Operator>("gt", "gte", "lt", "lte", "neq"),
      aggregation: fc.constantFrom<Aggregation>("count", "sum", "max", "last"),
      threshold: fc.integer({ min: -5, max: 5 }),
      window_seconds: fc.constantFrom(60, 90, 120),
      isPolled: fc.boolean(),
    })
    .map(({ isPolled, ...condition }) => ruleWith(condition, { isPolled, since: 1_000 }));
  const parts = fc.array(fc.record({ part, all: readings }), { minLength: 2, maxLength: 5 });
  const combines = fc.constantFrom<Rule["combines"]>("all", "any");
  await fc.assert(
    fc.asyncProperty(parts, combines, fc.constantFrom(0, 30), async (given, how, for_seconds) => {
      const rule = { ...(given[0]?.part as Rule), combines: how, for_seconds };
      const until = Math.max(...given.map(({ all }) => all.at(-1)?.time ?? 1_000)) + 300;
      const sources = given.map((source) => sourceOf(source.part, source.all));
      const { episodes } = await replay(rule, sources, until, async () => undefined);
      expect(episodes.map(({ fired_at, resolved_at }) => ({ fired_at, resolved_at }))).toEqual(
        episodesBySecond(rule, given, until),
      );
    }),
    { numRuns: process.env.TEST_LONG ? 5_000 : 150 },
  );
});

/** All: false as soon as one is false. Any: true as soon as one is true. Otherwise what is unknown decides. */
function combineNaively(combines: Rule["combines"], results: (boolean | null)[]): boolean | null {
  if (combines === "all" && results.includes(false)) return false;
  if (combines === "any" && results.includes(true)) return true;
  return results.includes(null) ? null : combines === "all";
}

/** A naive reference: fires and resolves by the same rules, evaluated every second over a series built from scratch. */
function episodesBySecond(rule: Rule, parts: { part: ConditionPart; all: TimedReading[] }[], until: number) {
  const episodes: { fired_at: number; resolved_at: number | null }[] = [];
  let breachSince: number | null = null;
  let clearSince: number | null = null;
  let isFiring = false;
  const first = Math.min(...parts.flatMap(({ all }) => all[0]?.time ?? []));
  const shortest = Math.min(...parts.map(({ part }) => part.condition.window_seconds));
  // Without readings, a rule is first evaluated when one of its conditions has observed a whole window.
  const start = Number.isFinite(first) ? first : rule.since + shortest;
  for (let now = start; now < until; now++) {
    const results = parts.map(({ part, all }) => {
      const series = new Series(100_000);
      for (const one of all) if (one.time <= now) series.add(one);
      return evaluateWindow(part, series, now, undefined).holds;
    });
    const holds = combineNaively(rule.combines, results);
    if (holds === null) continue;
    if (isFiring) {
      clearSince = holds ? null : (clearSince ?? now);
      if (clearSince !== null && now - clearSince >= rule.resolve_after_seconds) {
        (episodes.at(-1) as { resolved_at: number | null }).resolved_at = now;
        isFiring = false;
        breachSince = clearSince = null;
      }
      continue;
    }
    breachSince = holds ? (breachSince ?? now) : null;
    if (breachSince === null || now - breachSince < rule.for_seconds) continue;
    episodes.push({ fired_at: now, resolved_at: null });
    isFiring = true;
    breachSince = null;
  }
  return episodes;
}

test("a long replay yields regularly and finds the same episodes", async () => {
  const all = Array.from({ length: 3_000 }, (_, index) => reading(1_000 + index, index % 500 === 0 ? 9 : 1));
  const rule = ruleWith({ operator: "gt", threshold: 5, aggregation: "max", window_seconds: 300 });
  let yields = 0;
  const result = await replay(rule, [sourceOf(rule, all)], 4_000, async () => {
    yields++;
  });
  expect(yields).toBeGreaterThan(2);
  expect(result.episodes.map(({ fired_at }) => fired_at)).toEqual([1_000, 1_500, 2_000, 2_500, 3_000, 3_500]);
});

test("a change in percent is measured from the value at the start of the window, which the result names", () => {
  const series = new Series(10_000);
  for (const one of [reading(900, 80), reading(990, 100), reading(1_010, 60)]) series.add(one);
  const rule = ruleWith({ operator: "change_pct_lt", threshold: -10, aggregation: "last" });
  expect(evaluateWindow(rule, series, 1_050, undefined)).toMatchObject({
    value: -40,
    base: 100,
    holds: true,
  });
});

const values = fc
  .array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { maxLength: 60 })
  .map((list) => list.map((value) => reading(0, value)));
const aggregations = ["count", "sum", "rate", "last", "avg", "min", "max", "p95"] as const;
const middleOf = (window: readonly TimedReading[]) => window[window.length >> 1]?.value ?? null;

test("a growing window has the aggregate of each of its prefixes", () => {
  const summaries = fc.constantFrom(undefined, middleOf);
  fc.assert(
    fc.property(
      values,
      values,
      fc.constantFrom(...aggregations),
      summaries,
      (older, added, aggregation, summarise) => {
        const valueAt = growingWindow({ aggregation, window_seconds: 60 }, { older, added }, summarise);
        for (const index of added.keys()) {
          const window = [...older, ...added.slice(0, index + 1)];
          expect(valueAt(index)).toBe(aggregate(aggregation, window, 60, summarise));
        }
      },
    ),
    runs,
  );
});
