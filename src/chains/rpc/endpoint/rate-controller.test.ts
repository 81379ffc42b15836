import { describe, expect, it } from "vitest";
import type { Clock } from "../../../lib/clock.ts";
import { EndpointFailure } from "../failure.ts";
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
  it("is unlimited until the endpoint reports a rate limit", () => {
    const rate = makeRateController(movableClock().clock);
    expect(Array.from({ length: 500 }, () => rate.reserve(10)).every((wait) => wait === 0)).toBe(true);
  });

  it("halves and pauses at a rate limit, and grows again with successful replies", () => {
    const { clock, advance } = movableClock();
    const rate = makeRateController(clock);
    for (let index = 0; index < 100; index++) rate.reserve(1);
    rate.onRateLimited(undefined);
    expect(rate.perSecond()).toBe(50);
    expect(rate.pauseMs()).toBe(1000);
    advance(1000);
    expect(rate.pauseMs()).toBe(0);
    for (let index = 0; index < 100; index++) rate.onSuccess(1);
    expect(rate.perSecond()).toBeGreaterThan(55);
    expect(rate.perSecond()).toBeLessThan(100);
  });

  it("counts rate limits of concurrent requests as one", () => {
    const rate = makeRateController(movableClock().clock);
    for (let index = 0; index < 100; index++) rate.reserve(1);
    for (let index = 0; index < 10; index++) rate.onRateLimited(undefined);
    expect(rate.perSecond()).toBe(50);
  });

  it("pauses for as long as the endpoint requests, up to a maximum", () => {
    const rate = makeRateController(movableClock().clock);
    rate.onRateLimited(7000);
    expect(rate.pauseMs()).toBe(7000);
    rate.onRateLimited(86_400_000);
    expect(rate.pauseMs()).toBe(30_000);
  });

  it("pauses longer with every consecutive rate limit, and never falls below one call per second", () => {
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

  it("admits calls at the rate, in the order of their reservations", () => {
    const { clock, advance } = movableClock();
    const rate = makeRateController(clock);
    for (let index = 0; index < 20; index++) rate.reserve(1);
    rate.onRateLimited(undefined);
    advance(1000);
    const waits = Array.from({ length: 30 }, () => rate.reserve(1));
    expect(waits[0]).toBe(0);
    expect(waits.at(-1)).toBeCloseTo(2000, -2);
  });

  it("does not pause longer when the clock is set back", () => {
    const { clock, advance } = movableClock();
    const rate = makeRateController(clock);
    rate.onRateLimited(5000);
    advance(-3_600_000);
    expect(rate.pauseMs()).toBe(0);
  });
});

describe("work that may wait", () => {
  it("leaves half of a second's calls to work that may not, and gets the rest in time", () => {
    const { clock, advance } = movableClock();
    const rate = makeRateController(clock);
    for (let index = 0; index < 40; index++) rate.reserve(1);
    rate.onRateLimited(undefined);
    advance(60_000);
    const perSecond = rate.perSecond();
    let spare = 0;
    while (rate.reserveSpare(1) === 0) spare += 1;
    expect(spare).toBe(Math.floor(perSecond / 2));
    expect(rate.reserve(Math.floor(perSecond / 2))).toBe(0);
    const waitMs = rate.reserveSpare(1);
    expect(waitMs).toBeGreaterThan(0);
    advance(waitMs + 1);
    expect(rate.reserveSpare(1)).toBe(0);
  });
});

describe("the health of an endpoint", () => {
  it("has a longer cooldown with every consecutive failure, and recovers with time", () => {
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
