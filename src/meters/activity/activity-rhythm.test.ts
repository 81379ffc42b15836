import { describe, expect, it } from "vitest";
import { activity, at, call, start, subject, timed, word } from "../../../test/meters/scripted-activity.ts";
import type { Reading, TimedReading } from "../meter.ts";
import { activityRhythm } from "./activity-rhythm.ts";

const config = activityRhythm.config.parse({});

/** The readings of transactions that follow each other after these seconds, each with its predecessor. */
function transactionsAfter(...intervals: number[]): TimedReading {
  let [time, previous]: [number, TimedReading | undefined] = [start, undefined];
  for (const interval of [0, ...intervals]) {
    time += interval;
    const readings = activityRhythm.measure?.(
      config,
      { ...activity({ calls: [call()] }), time },
      subject,
      previous,
    );
    previous = timed(readings?.[0], time);
  }
  return previous as TimedReading;
}

function poll(previous: TimedReading, secondsLater: number): TimedReading {
  const time = previous.time + secondsLater;
  const reading = activityRhythm.interpret?.(config, [word(5n)], subject, at(time, previous));
  return timed(reading as Reading, time);
}

const measured = (reading: TimedReading) => activityRhythm.summarise?.(config, [reading]);

describe("the activity_rhythm meter", () => {
  const regular = [300, 290, 310, 300, 305, 300, 295, 300];

  it("measures the time since the last transaction in usual intervals", () => {
    const last = transactionsAfter(...regular);
    expect(measured(last)).toBe(0);
    expect(measured(poll(last, 300))).toBe(1);
    expect(measured(poll(poll(last, 300), 900))).toBe(4);
  });

  it("has no value before eight intervals", () => {
    expect(measured(poll(transactionsAfter(...regular.slice(1)), 3000))).toBe(null);
  });

  it("has no value for activity without a rhythm", () => {
    expect(measured(poll(transactionsAfter(10, 4000, 60, 900, 5, 7200, 300, 20, 2500), 30_000))).toBe(null);
  });

  it("has no value for activity at random that had no long interval yet", () => {
    expect(measured(poll(transactionsAfter(40, 500, 700, 90, 450, 600, 20, 550), 3000))).toBe(null);
  });

  it("has no value for activity at random in blocks that are as far apart", () => {
    expect(measured(poll(transactionsAfter(12, 12, 24, 12, 12, 24, 12, 24, 12), 3000))).toBe(null);
  });

  it("tolerates a retry", () => {
    expect(measured(poll(transactionsAfter(...regular.slice(1), 12, 300), 600))).toBe(2);
  });

  it("continues after a late transaction, which does not change the usual interval", () => {
    const last = transactionsAfter(...regular, 300, 1500, 300);
    expect(measured(poll(last, 600))).toBe(2);
  });

  it("counts several transactions of one block as one activity", () => {
    expect(transactionsAfter(300, 0, 0, 300).evidence).toMatchObject({ intervals: [300, 300] });
  });
});
