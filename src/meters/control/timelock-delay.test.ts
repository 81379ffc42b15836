import { describe, expect, it } from "vitest";
import { at, failed, nothing, returned, start, subject } from "../../../test/meters/scripted-activity.ts";
import { timelockDelay } from "./timelock-delay.ts";

function interpret(...results: (typeof failed)[]) {
  return timelockDelay.interpret?.({}, results, subject, at(start));
}

const days = returned("uint256", 172_800n);

describe("the timelock_delay meter", () => {
  it("reads OpenZeppelin and Compound timelocks", () => {
    expect(timelockDelay.reads?.({}, subject)).toHaveLength(2);
    expect(interpret(days, failed)).toMatchObject({ value: 172_800, evidence: { delay: 172_800n } });
    expect(interpret(failed, days)).toMatchObject({ value: 172_800 });
    expect(interpret(nothing, days)).toMatchObject({ value: 172_800 });
  });

  it("reports a problem if the contract is not a timelock", () => {
    expect(interpret(failed, failed)).toHaveProperty("problem");
    expect(interpret(nothing, nothing)).toHaveProperty("problem");
  });
});
