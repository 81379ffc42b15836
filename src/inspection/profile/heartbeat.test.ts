import { describe, expect, it } from "vitest";
import { seeded } from "../../../test/detection/traffic.ts";
import { heartbeatOf, type Interval, latenessOf } from "./heartbeat.ts";

/** A Wednesday, so that a few hours or days do not reach the weekend. */
const wednesday = Date.UTC(2026, 0, 7) / 1000;

/** Intervals of these lengths, one after the other. */
function after(start: number, lengths: readonly number[]): Interval[] {
  let from = start;
  return lengths.map((length) => {
    const interval = { from, to: from + length };
    from = interval.to;
    return interval;
  });
}

const learned = (...lengths: number[]) => heartbeatOf(after(wednesday, lengths));
const times = (count: number, seconds: number) =>
  Array.from({ length: count }, (_, index) => seconds + (index % 12));

describe("the heartbeat of a feed", () => {
  it("is the smallest usual one that all intervals keep to", () => {
    expect(learned(...times(10, 3_600))).toBe(3_600);
    expect(learned(...times(10, 86_400))).toBe(86_400);
  });

  it("is that of the longest interval if it is a usual one and the other updates follow the price", () => {
    expect(learned(120, 900, 60, 4_000, 300, 86_390)).toBe(86_400);
  });

  it("leaves room beyond the longest interval if no update waited for it", () => {
    expect(learned(120, 900, 60, 3_000, 300, 700)).toBe(7_200);
    expect(learned(20, 90, 30, 300, 40, 70)).toBe(3_600);
  });

  it("does not follow an outage among many updates, of which only some waited for the heartbeat", () => {
    expect(learned(...times(20, 3_600), 9_000)).toBe(3_600);
    const mixed = [...times(6, 3_600), ...times(15, 700), ...times(10, 2_200)];
    for (const outage of [3_850, 3_930, 4_100, 30_000]) expect(learned(...mixed, outage)).toBe(3_600);
    expect(learned(...times(4, 3_600), 60, 70, 9_000)).toBeGreaterThanOrEqual(9_000);
  });

  it("is at least the regular interval of a feed with an unusual one", () => {
    expect(learned(...times(20, 2_600))).toBe(3_600);
    expect(learned(...new Array<number>(20).fill(27))).toBe(60);
  });

  it("covers gaps that recur, such as those of a market that closes at night", () => {
    const days = Array.from({ length: 4 }, () => [...times(6, 3_600), 63_000]).flat();
    expect(learned(...days)).toBeGreaterThanOrEqual(63_000);
  });

  it("covers the gap of a weekend, even one among many regular updates", () => {
    const friday = Date.UTC(2026, 0, 9, 21) / 1000;
    const hours = after(friday - 60 * 3_600, times(60, 3_598));
    const closed = { from: friday, to: friday + 48 * 3_600 };
    expect(heartbeatOf([...hours, closed])).toBeGreaterThanOrEqual(48 * 3_600);
    const weekdays = { from: wednesday, to: wednesday + 48 * 3_600 };
    expect(heartbeatOf([...hours, weekdays])).toBe(3_600);
  });

  it("is rarely exceeded by updates that follow the price alone", () => {
    const random = seeded(7);
    const draw = () => Math.ceil(-900 * Math.log(1 - random()));
    let [late, total] = [0, 0];
    for (let feed = 0; feed < 200; feed++) {
      const heartbeat = learned(...Array.from({ length: 48 }, draw));
      for (let update = 0; update < 96; update++, total++) if (draw() > heartbeat * 1.02 + 60) late++;
    }
    // 96 updates of 15 minutes are a day: there is at most one late update a week.
    expect(late / (total / 96)).toBeLessThan(0.14);
  });
});

describe("the lateness of updates", () => {
  it("is the most by which updates that waited exceeded the heartbeat", () => {
    const intervals = after(wednesday, [...times(6, 3_600), 3_640, 9_000, 120]);
    expect(latenessOf(intervals, 3_600)).toBe(40);
    expect(latenessOf(intervals.slice(-3), 3_600)).toBeUndefined();
  });
});
