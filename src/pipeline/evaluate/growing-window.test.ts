import fc from "fast-check";
import { expect, test } from "vitest";
import type { TimedReading } from "../../meters/meter.ts";
import { aggregate } from "./aggregate.ts";
import { growingWindow } from "./growing-window.ts";

const toReading = (value: number): TimedReading => ({
  value,
  time: 0,
  height: 0,
  tx_hash: null,
  position: null,
});
const readings = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }).map(toReading), { maxLength: 60 });
const aggregations = ["count", "sum", "rate", "last", "avg", "min", "max", "p95"] as const;
const middle = (window: readonly TimedReading[]) => window[window.length >> 1]?.value ?? null;

test("a growing window has the aggregate of each of its prefixes", () => {
  fc.assert(
    fc.property(
      readings,
      readings,
      fc.constantFrom(...aggregations),
      fc.constantFrom(undefined, middle),
      (older, added, aggregation, summarise) => {
        const valueAt = growingWindow({ aggregation, window_seconds: 60 }, { older, added }, summarise);
        for (const at of added.keys()) {
          const window = [...older, ...added.slice(0, at + 1)];
          expect(valueAt(at)).toBe(aggregate(aggregation, window, 60, summarise));
        }
      },
    ),
  );
});
