import { expect, test } from "vitest";
import {
  activity,
  alice,
  at,
  bob,
  emit,
  failed,
  returned,
  start,
  subject,
  timed,
} from "../../../test/meters/scripted-activity.ts";
import type { ReadResult } from "../../chains/block.ts";
import type { TimedReading } from "../meter.ts";
import { fullWords, noNames } from "../words.ts";
import { configurationChange as meter } from "./configuration-change.ts";

const replaced = "StrategyReplaced(address from, address to)";
const config = meter.config.parse({
  events: [replaced],
  functions: ["oracle() view returns (address)", "fee() view returns (uint256)"],
});

const results = (oracle: string, fee = 1n): ReadResult[] => [
  returned("address", oracle),
  returned("uint256", fee),
];

function poll(read: ReadResult[], time: number, previous?: TimedReading): TimedReading {
  return timed(meter.interpret?.(config, read, subject, at(time, previous)), time);
}

test("a function that returns another value shows a change, without any event", () => {
  const first = poll(results(alice), start);
  expect(first.value).toBe(0);
  const second = poll(results(bob), start + 60, first);
  expect(second.value).toBe(1);
  const text = meter.describe?.(
    config,
    {
      reading: second,
      value: 1,
      isEach: true,
      aggregation: "count",
      window_seconds: 300,
      words: fullWords(noNames),
    },
    subject,
  );
  expect(text).toMatch(/^oracle\(\) changed: 0x7099.* → 0x3C44/);
  expect(poll(results(bob), start + 120, second).value).toBe(0);
});

test("an event of the config counts, and what the poll after it finds is its change", () => {
  const first = poll(results(alice), start);
  const events = [emit("StrategyReplaced(address,address)", [alice, bob])];
  const [reading] = meter.measure?.(config, activity({ events }), subject, first) ?? [];
  expect(reading).toMatchObject({ value: 1, evidence: { decoded: { name: "StrategyReplaced" } } });
  expect(poll(results(bob), start + 60, timed(reading, start + 12)).value).toBe(0);
});

test("a number that moves in the first hour, and whatever moves three times within a day, is no setting", () => {
  let reading = poll(results(alice), start);
  reading = poll(results(alice, 2n), start + 60, reading);
  expect(reading.value).toBe(0);
  reading = poll(results(alice, 3n), start + 7_200, reading);
  expect(reading.value).toBe(0);
  const values = [bob, alice, bob, alice].map((oracle, index) => {
    reading = poll(results(oracle, 3n), start + 7_260 + 60 * index, reading);
    return reading.value;
  });
  expect(values).toEqual([1, 1, 0, 0]);
  expect(poll(results(alice, 4n), start + 200_000, reading).value).toBe(1);
});

test("a function that cannot be read leaves the others", () => {
  const first = poll([failed, returned("uint256", 1n)], start);
  expect(poll([failed, returned("uint256", 2n)], start + 7_200, first).value).toBe(1);
  expect(meter.interpret?.(config, [failed, failed], subject, at(start))).toHaveProperty("problem");
});

test("without functions, only events are needed", () => {
  expect(meter.needsOf?.({})).toEqual(["logs"]);
  expect(meter.config.safeParse({ functions: ["balanceOf(address) view returns (uint256)"] }).success).toBe(
    false,
  );
  expect(meter.config.safeParse({ functions: ["oracle()"] }).success).toBe(false);
});
