import { beforeAll, expect, test } from "vitest";
import { atLeast, emits, freshWorld, transferSignature, transfers } from "../pipeline/world.ts";
import { type Harness, harness } from "../support/harness.ts";
import { casesOf, runSize } from "../support/run-size.ts";
import { measureStandstill } from "./loop-probe.ts";
import { maxStandstillMs } from "./world.ts";

/** The long run has as many as fit in a block of 20 million gas, at 2,000 gas each. */
const events = runSize("CROWDED_EVENTS", { short: 2_500, long: 10_000 });
let h: Harness;
beforeAll(async () => {
  h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });
});

const count = atLeast(events - 10);
const filtered = {
  target_type: "event_frequency",
  config: { event_signature: transferSignature, filter: "value > 5" },
};
const named = { events: [{ signature: transferSignature, expression: "value > 5" }] };

const measures: [string, object, object][] = [
  ["counted", transfers, count],
  ["counted by a filter", filtered, count],
  ["counted by a match", transfers, { ...count, match: named }],
  ["counted by group", transfers, { ...count, group_by: "args.from" }],
  ["each an alert", transfers, { operator: "gte", threshold: 0, aggregation: "each" }],
  ["each another group", transfers, { ...atLeast(1), group_by: "args.value" }],
  ["a change", transfers, { operator: "changed", window_seconds: 60 }],
  ["an extreme", transfers, { operator: "gt", threshold: 5, window_seconds: 60, aggregation: "p95" }],
  ["counted transactions", { target_type: "tx_rate" }, { ...atLeast(1), match: named }],
];
/** The most expensive ones. */
const essential = ["counted by a match", "each an alert", "each another group"];

test.each(casesOf(measures, ([name]) => essential.includes(name)))(
  "a block with as many events as its gas allows does not block the event loop: %s",
  async (_, target, condition) => {
    expect(await standstillWith(events, target, condition)).toBeLessThan(maxStandstillMs);
  },
);

/** Takes about 0.2 ms for each event. It is never true, so that all events are compared. */
const expensive = `${Array.from({ length: 14 }, (_, n) => `(value + 2.${n}7e70) / (value - ${n + 1}9.3)`).join(" * ")} == 0.5`;
const expensiveFilter = { ...filtered, config: { ...filtered.config, filter: expensive } };
const expensiveMatch = { events: [{ signature: transferSignature, expression: expensive }] };

const filters: [string, object, object][] = [
  ["of a target", expensiveFilter, count],
  ["of a match of transactions", { target_type: "tx_rate" }, { ...atLeast(1), match: expensiveMatch }],
];

test.each(casesOf(filters, ([name]) => name === "of a target"))(
  "a block with thousands of events does not block the event loop with the most expensive filter %s",
  async (_, target, condition) => {
    expect(await standstillWith(2_000, target, condition)).toBeLessThan(maxStandstillMs);
  },
);

/** The CPU time, in milliseconds, for which a block with so many events of one transaction blocks the event loop. */
async function standstillWith(length: number, target: object, condition: object): Promise<number> {
  const world = await freshWorld(h);
  const target_id = await world.watch(target as { target_type: string });
  await world.rule(target_id, condition);
  await world.catchUp();
  world.chain.mine([emits(...Array.from({ length }, (_, n) => n))]);
  return (await measureStandstill(() => world.catchUp())).cpuMs;
}
