import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  activity,
  alice,
  at,
  call,
  emit,
  failed,
  start,
  subject,
  word,
} from "../../../test/meters/scripted-activity.ts";
import type { TimedReading } from "../meter.ts";
import { anomalyDetection } from "./anomaly-detection.ts";

const day = 1440;
/** Aligned to a week, so that minutes and hours start at 0. */
const origin = Math.floor(start / 604_800) * 604_800;

/** Builds readings with the given count in each minute, and one more that completes the last minute. */
function minutes(counts: number[]): TimedReading[] {
  const occurrences = counts.flatMap((count, minute) =>
    Array.from({ length: count }, (_, index) => reading(minute * 60 + (index % 60), 1)),
  );
  return [reading(-60, 0), ...occurrences, reading(counts.length * 60, 0)];
}

function reading(seconds: number, value: number): TimedReading {
  return { value, tx_hash: null, position: null, height: 1, time: origin + seconds };
}

function score(config: unknown, counts: number[]) {
  return anomalyDetection.summarise?.(anomalyDetection.config.parse(config), minutes(counts));
}

const usual = (length: number) => Array.from({ length }, (_, minute) => 9 + (minute % 3));

describe("the anomaly score", () => {
  it("is the distance of the last complete minute from the median, in deviations", () => {
    // The median is 10, the median absolute deviation 1.
    expect(score({}, [...usual(300), 60])).toBeCloseTo(50 / (1.4826 + 1));
    expect(score({}, [...usual(300), 0])).toBeCloseTo(10 / (1.4826 + 1));
  });

  it("is 0 within the bounds and in the direction that is not reported", () => {
    expect(score({}, [...usual(300), 15])).toBe(0);
    expect(score({ bounds: 1 }, [...usual(300), 15])).toBeCloseTo(5 / 2.4826);
    expect(score({ direction: "below" }, [...usual(300), 60])).toBe(0);
    expect(score({ direction: "above" }, [...usual(300), 0])).toBe(0);
    expect(score({ direction: "above" }, [...usual(300), 60])).toBeGreaterThan(3);
  });

  it("is null with less than three hours of history", () => {
    expect(score({}, [...usual(179), 60])).toBeNull();
    expect(score({}, [...usual(180), 60])).toBeGreaterThan(3);
    expect(anomalyDetection.summarise?.(anomalyDetection.config.parse({}), [])).toBeNull();
  });

  it("is 0 for a few occurrences on a quiet contract", () => {
    const quiet = Array.from({ length: 300 }, () => 0);
    expect(score({}, [...quiet, 1])).toBe(0);
    expect(score({}, [...quiet, 3])).toBe(0);
    expect(score({}, [...quiet, 10])).toBe(10);
  });

  it("compares with the last day only with the basic algorithm", () => {
    const counts = [...Array.from({ length: 2 * day }, () => 100), ...usual(day), 100];
    expect(score({}, counts)).toBeGreaterThan(3);
    expect(score({ algorithm: "robust" }, counts)).toBe(0);
  });

  it("compares with the same hour of earlier days with daily seasonality", () => {
    const daily = (length: number) => Array.from({ length }, (_, minute) => (minute % day < 60 ? 50 : 2));
    const robust = { algorithm: "robust", seasonality: "daily" };
    expect(score(robust, [...daily(3 * day), 50])).toBe(0);
    expect(score(robust, [...daily(3 * day + 120), 50])).toBeGreaterThan(3);
    expect(score(robust, [...daily(3 * day - 1), 50])).toBeNull();
    expect(score({}, [...daily(3 * day), 50])).toBeGreaterThan(3);
  });

  it("compares with the same part of earlier hours with hourly seasonality", () => {
    const hourly = (length: number) => Array.from({ length }, (_, minute) => (minute % 60 < 5 ? 50 : 2));
    const robust = { algorithm: "robust", seasonality: "hourly" };
    expect(score(robust, [...hourly(240), 50])).toBe(0);
    expect(score(robust, [...hourly(250), 50])).toBeGreaterThan(3);
  });

  it("needs three weeks of history for weekly seasonality, and uses the daily season until then", () => {
    const weekly = (length: number) =>
      Array.from({ length }, (_, minute) => (minute % (7 * day) < 60 ? 30 : 2));
    const robust = { algorithm: "robust", seasonality: "weekly" };
    expect(score(robust, [...weekly(21 * day), 30])).toBe(0);
    expect(score(robust, [...weekly(7 * day), 30])).toBeGreaterThan(3);
    expect(score(robust, weekly(2 * day))).toBeNull();
  });

  it("is null or finite for any readings", () => {
    const readings = fc.array(
      fc.record({ seconds: fc.integer({ min: 0, max: 20_000 }), value: fc.constantFrom(0, 1) }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(readings, (list) => {
        const window = list
          .map(({ seconds, value }) => reading(seconds, value))
          .toSorted((a, b) => a.time - b.time);
        const found = anomalyDetection.summarise?.(anomalyDetection.config.parse({}), window);
        expect(found === null || Number.isFinite(found)).toBe(true);
      }),
    );
  });
});

describe("the anomaly_detection meter", () => {
  const paused = emit("Paused(address account)", [alice]);
  const calls = [
    call(),
    call({ receipt: { is_success: false, gas_used: 1n } }),
    call({ input: "0x8456cb59" }),
  ];

  it.each([
    ["transactions", {}, 3],
    ["failures", { metric: "revert_rate" }, 1],
    ["events", { metric: "event_frequency", event_signature: "Paused(address)" }, 1],
    ["calls of a function", { metric: "function_call_rate", function_signature: "pause()" }, 1],
  ])("counts %s", (_, config, count) => {
    const parsed = anomalyDetection.config.parse(config);
    const readings = anomalyDetection.measure?.(
      parsed,
      activity({ calls, events: [paused] }),
      subject,
      undefined,
    );
    expect(readings?.map(({ value }) => value)).toEqual(Array.from({ length: count }, () => 1));
  });

  it("yields a reading of 0 with every poll, so that minutes without activity are complete", () => {
    const config = anomalyDetection.config.parse({});
    expect(anomalyDetection.interpret?.(config, [word(1n)], subject, at(start))).toMatchObject({ value: 0 });
    expect(anomalyDetection.interpret?.(config, [failed], subject, at(start))).toHaveProperty("problem");
  });

  it.each([
    ["events without event_signature", { metric: "event_frequency" }],
    ["calls without function_signature", { metric: "function_call_rate" }],
    ["seasonality with the basic algorithm", { seasonality: "daily" }],
    ["a metric that is not a count", { metric: "native_balance" }],
  ])("rejects %s", (_, config) => {
    expect(anomalyDetection.config.safeParse(config).success).toBe(false);
  });
});
