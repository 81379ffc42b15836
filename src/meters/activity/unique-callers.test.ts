import { describe, expect, it } from "vitest";
import { activity, alice, bob, call, subject, timed } from "../../../test/meters/scripted-activity.ts";
import { uniqueCallers } from "./unique-callers.ts";

describe("the unique_callers meter", () => {
  it("counts each sender once", () => {
    const calls = [
      call({ from: alice }),
      call({ from: bob }),
      call({ from: alice }),
      call({ direction: "from" }),
    ];
    const readings = uniqueCallers.measure?.({}, activity({ calls }), subject, undefined) ?? [];
    const window = readings.map((reading) => timed(reading));
    expect(readings).toHaveLength(3);
    expect(uniqueCallers.summarise?.({}, window)).toBe(2);
  });
});
