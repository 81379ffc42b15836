import { expect, test } from "vitest";
import { makeLoadingCache } from "./loading-cache.ts";

function makeCache() {
  let now = 1_000_000;
  const clock = { now: () => new Date(now), sleep: async () => undefined };
  return { cache: makeLoadingCache<unknown>({ clock, max: 300 }), advance: (ms: number) => (now += ms) };
}

test("a loading cache keeps a value for its TTL, and concurrent requests share one load", async () => {
  const { cache, advance } = makeCache();
  let loads = 0;
  const request = () =>
    cache.get(
      "a",
      () => 1_000,
      async () => ++loads,
    );
  expect(await Promise.all([request(), request(), request()])).toEqual([1, 1, 1]);
  advance(999);
  expect(await request()).toBe(1);
  advance(1);
  expect(await request()).toBe(2);
});

test("a failed load rejects every waiting request and is not cached", async () => {
  const { cache } = makeCache();
  const failing = () =>
    cache.get(
      "a",
      () => 1_000,
      () => Promise.reject(new Error("away")),
    );
  const both = await Promise.allSettled([failing(), failing()]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(
    await cache.get(
      "a",
      () => 1_000,
      async () => "here",
    ),
  ).toBe("here");
});

test("a loading cache evicts the least recently used entry beyond its size", async () => {
  const { cache } = makeCache();
  let loads = 0;
  const request = (key: number) =>
    cache.get(
      `key ${key}`,
      () => 1_000,
      async () => ++loads,
    );
  for (let key = 0; key < 301; key++) await request(key);
  await request(300);
  expect(loads).toBe(301);
  await request(0);
  expect(loads).toBe(302);
});

test("a value that was being loaded during an invalidation is returned and not cached", async () => {
  const { cache } = makeCache();
  const { promise, resolve } = Promise.withResolvers<string>();
  const early = cache.get(
    "a",
    () => 1_000,
    () => promise,
  );
  cache.invalidate(() => true);
  resolve("old");
  expect(await early).toBe("old");
  expect(
    await cache.get(
      "a",
      () => 1_000,
      async () => "new",
    ),
  ).toBe("new");
});

test("a value with a TTL of zero is not cached", async () => {
  const { cache } = makeCache();
  let loads = 0;
  const request = () =>
    cache.get(
      "a",
      () => 0,
      async () => ++loads,
    );
  expect([await request(), await request()]).toEqual([1, 2]);
});
