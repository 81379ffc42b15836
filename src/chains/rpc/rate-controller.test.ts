import { describe, expect, it } from "vitest";
import type { Clock } from "../../lib/clock.ts";
import { EndpointFailure } from "./failure.ts";
import { makeHealth } from "./health.ts";
import { makeRateController } from "./rate-controller.ts";

function movableClock() {
  let now = 1_000_000;
  const clock: Clock = { now: () => new Date(now), sleep: async () => undefined };
  const advance = (ms: number) => {
    now += ms;
  };
  return { clock, advance };
}

describe("the rate", () => {
  it("knows no limit until the endpoint complains", () => {
    const rate = makeRateController(movableClock().clock);
    expect(Array.from({ length: 500 }, () => rate.reserve(10)).every((wait) => wait === 0)).toBe(true);
  });

  it("halves at a complaint, pauses, and grows again with answers", () => {
    const { clock, advance } = movableClock();
    const rate = makeRateController(clock);
    for (let at = 0; at < 100; at++) rate.reserve(1);
    rate.onRateLimited(undefined);
    expect(rate.perSecond()).toBe(50);
    expect(rate.pauseMs()).toBe(1000);
    advance(1000);
    expect(rate.pauseMs()).toBe(0);
    for (let at = 0; at < 100; at++) rate.onSuccess(1);
    expect(rate.perSecond()).toBeGreaterThan(55);
    expect(rate.perSecond()).toBeLessThan(100);
  });

  it("counts the complaints of requests that were under way together as one", () => {
    const rate = makeRateController(movableClock().clock);
    for (let at = 0; at < 100; at++) rate.reserve(1);
    for (let at = 0; at < 10; at++) rate.onRateLimited(undefined);
    expect(rate.perSecond()).toBe(50);
  });

  it("leaves the endpoint alone for as long as it asks, within reason", () => {
    const rate = makeRateController(movableClock().clock);
    rate.onRateLimited(7000);
    expect(rate.pauseMs()).toBe(7000);
    rate.onRateLimited(86_400_000);
    expect(rate.pauseMs()).toBe(30_000);
  });

  it("pauses longer with every complaint in a row, and never falls below one call a second", () => {
    const { clock, advance } = movableClock();
    const rate = makeRateController(clock);
    const pauses = Array.from({ length: 8 }, () => {
      rate.onRateLimited(undefined);
      const pause = rate.pauseMs();
      advance(pause);
      return pause;
    });
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
    expect(rate.perSecond()).toBe(1);
  });

  it("lets through what the rate allows, each in their turn", () => {
    const { clock, advance } = movableClock();
    const rate = makeRateController(clock);
    for (let at = 0; at < 20; at++) rate.reserve(1);
    rate.onRateLimited(undefined);
    advance(1000);
    const waits = Array.from({ length: 30 }, () => rate.reserve(1));
    expect(waits[0]).toBe(0);
    expect(waits.at(-1)).toBeCloseTo(2000, -2);
  });

  it("is not held up by a clock that is set back", () => {
    const { clock, advance } = movableClock();
    const rate = makeRateController(clock);
    rate.onRateLimited(5000);
    advance(-3_600_000);
    expect(rate.pauseMs()).toBe(0);
  });
});

describe("health", () => {
  it("rests an endpoint for longer with every failure in a row, and forgets with time", () => {
    const { clock, advance } = movableClock();
    const health = makeHealth(clock);
    const down = new EndpointFailure("down", "is down");
    const rests = Array.from({ length: 10 }, () => {
      health.recordFailure(down);
      return health.cooldownMs();
    });
    expect(rests.slice(0, 3)).toEqual([500, 1000, 2000]);
    expect(rests.at(-1)).toBe(30_000);
    health.recordSuccess();
    expect(health.cooldownMs()).toBe(0);
    const before = health.score();
    advance(30_000);
    expect(health.score()).toBeCloseTo(before / 2);
  });
});
