import { expect, test } from "vitest";
import {
  activity,
  alice,
  emit,
  hash,
  start,
  subject,
  timed,
} from "../../../test/meters/scripted-activity.ts";
import type { TimedReading } from "../meter.ts";
import { rareEvent as meter } from "./rare-event.ts";

const declaration = "NewRouteAdded(uint32 indexed routeId, address indexed route)";
const added = (id: bigint) => emit(declaration, [id, alice]);
const unknown = { ...added(1n), topics: [hash(9)], decoded: undefined };
const config = meter.config.parse({ events: [declaration], topics: [hash(9)] });

const valuesOf = (events: (typeof unknown | ReturnType<typeof added>)[], previous?: TimedReading) =>
  meter.measure?.(config, activity({ events }), subject, previous) ?? [];

test("the first events count, with and without a declaration, and others do not", () => {
  const readings = valuesOf([added(1n), unknown, emit("Paused(address account)", [alice])]);
  expect(readings.map(({ value }) => value)).toEqual([1, 1]);
  expect(readings[0]?.evidence).toMatchObject({ decoded: { args: { routeId: 1n } } });
});

test("an event that came within a week before is not rare", () => {
  const [first, second] = valuesOf([added(1n), added(2n)]);
  expect([first, second].map((reading) => reading?.value)).toEqual([1, 0]);
  const last = timed(second, start);
  expect(valuesOf([added(4n)], last)[0]?.value).toBe(0);
  expect(valuesOf([unknown], last)[0]?.value).toBe(1);
});

test("an event that came more than a week before is rare again", () => {
  const [only] = valuesOf([added(1n)]);
  const after = (seconds: number) =>
    meter.measure?.(config, activity({ events: [added(2n)], time: start + seconds }), subject, timed(only));
  expect(after(7 * 86_400 - 1)?.[0]?.value).toBe(0);
  expect(after(7 * 86_400)?.[0]?.value).toBe(1);
});

test("only the newest reading of a block has the times of all events, which fit into its evidence", () => {
  const topics = Array.from({ length: 300 }, (_, n) => hash(n + 1));
  const all = meter.config.parse({ topics });
  const events = topics.map((topic) => ({ ...unknown, topics: [topic] }));
  const readings = meter.measure?.(all, activity({ events }), subject, undefined) ?? [];
  expect(readings.filter(({ evidence }) => evidence?.last_seen !== undefined)).toEqual([readings.at(-1)]);
  expect(JSON.stringify(readings.at(-1)?.evidence).length).toBeLessThan(12_000);
});

test("a config names an event or a topic", () => {
  expect(meter.config.safeParse({}).success).toBe(false);
  expect(meter.config.safeParse({ topics: ["0x12"] }).success).toBe(false);
});
