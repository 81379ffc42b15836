import { expect, test } from "vitest";
import { makeLookupCache } from "./lookup-cache.ts";

function makeCache() {
  let now = 1_000_000;
  const clock = { now: () => new Date(now), sleep: async () => undefined };
  return { cache: makeLookupCache(clock), advance: (ms: number) => (now += ms) };
}

test("an answer is kept for as long as it says, and those who ask at once share one", async () => {
  const { cache, advance } = makeCache();
  let loads = 0;
  const ask = () =>
    cache.get(
      "a",
      () => 1_000,
      async () => ++loads,
    );
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
  advance(999);
  expect(await ask()).toBe(1);
  advance(1);
  expect(await ask()).toBe(2);
});

test("a failure is told to whoever waits, and not kept", async () => {
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

test("the number of answers that are kept is bounded", async () => {
  const { cache } = makeCache();
  let loads = 0;
  const ask = (key: number) =>
    cache.get(
      `key ${key}`,
      () => 1_000,
      async () => ++loads,
    );
  for (let key = 0; key < 301; key++) await ask(key);
  await ask(300);
  expect(loads).toBe(301);
  await ask(0);
  expect(loads).toBe(302);
});
