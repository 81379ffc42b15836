import { describe, expect, it } from "vitest";
import { heartbeatOf } from "./feed-rhythm.ts";

const times = (count: number, seconds: number) =>
  Array.from({ length: count }, (_, at) => seconds + (at % 12));

describe("the heartbeat of a feed", () => {
  it("is the smallest usual one that all intervals keep to", () => {
    expect(heartbeatOf(times(10, 3_600))).toBe(3_600);
    expect(heartbeatOf(times(10, 86_400))).toBe(86_400);
  });

  it("is that of the longest interval if updates follow the price", () => {
    expect(heartbeatOf([120, 900, 60, 4_000, 300, 86_390])).toBe(86_400);
  });

  it("does not follow one outage among many regular updates", () => {
    expect(heartbeatOf([...times(20, 3_600), 9_000])).toBe(3_600);
    expect(heartbeatOf([...times(4, 3_600), 60, 70, 9_000])).toBe(14_400);
  });
});
