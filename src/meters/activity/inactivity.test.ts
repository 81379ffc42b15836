import { describe, expect, it } from "vitest";
import {
  activity,
  at,
  call,
  emit,
  failed,
  hash,
  start,
  subject,
  timed,
  token,
  word,
} from "../../../test/meters/scripted-activity.ts";
import type { TimedReading } from "../meter.ts";
import { inactivity } from "./inactivity.ts";

const paused = "Paused(address account)";

function poll(time: number, previous?: TimedReading) {
  return inactivity.interpret?.({}, [word(5n)], subject, at(time, previous));
}

describe("the inactivity meter", () => {
  it("is 0 in a block with a transaction or an event, and grows with every poll", () => {
    const [reading] = inactivity.measure?.({}, activity({ calls: [call()] }), subject, undefined) ?? [];
    expect(reading).toMatchObject({ value: 0, tx_hash: hash(1), evidence: { last_activity: start } });
    const first = poll(start + 60, timed(reading));
    expect(first).toMatchObject({ value: 60, tx_hash: null });
    expect(poll(start + 120, timed(first, start + 60))).toMatchObject({ value: 120 });
  });

  it("counts events of the contract, but not those of related addresses", () => {
    const own = emit(paused, [token], { tx_hash: hash(9), tx_index: 4 });
    const foreign = emit(paused, [token], { address: token });
    const measure = (events: (typeof own)[]) =>
      inactivity.measure?.({}, activity({ events }), subject, undefined);
    expect(measure([own])?.[0]?.tx_hash).toBe(hash(9));
    expect(measure([foreign])).toEqual([]);
  });

  it("gives one reading per block, with the last transaction", () => {
    const calls = [call({ tx_hash: hash(1), tx_index: 1 }), call({ tx_hash: hash(2), tx_index: 5 })];
    const readings = inactivity.measure?.({}, activity({ calls }), subject, undefined);
    expect(readings?.map(({ tx_hash }) => tx_hash)).toEqual([hash(2)]);
  });

  it("starts at the first poll if there is no earlier reading", () => {
    const first = poll(start);
    expect(first).toMatchObject({ value: 0 });
    expect(poll(start + 30, timed(first))).toMatchObject({ value: 30 });
  });

  it("is never negative, and is a problem while the chain cannot be read", () => {
    const later = timed({ value: 0, tx_hash: null, position: null, evidence: { last_activity: start + 5 } });
    expect(poll(start, later)).toMatchObject({ value: 0 });
    expect(inactivity.interpret?.({}, [failed], subject, at(start))).toHaveProperty("problem");
  });
});
