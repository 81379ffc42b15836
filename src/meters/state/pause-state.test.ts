import { describe, expect, it } from "vitest";
import {
  activity,
  alice,
  at,
  emit,
  failed,
  nothing,
  returned,
  start,
  subject,
  token,
} from "../../../test/meters/scripted-activity.ts";
import { pauseState } from "./pause-state.ts";

function interpret(result: typeof failed) {
  return pauseState.interpret?.({}, [result], subject, at(start));
}

describe("the pause_state meter", () => {
  it("follows the pause events of the contract, in order", () => {
    const events = [
      emit("Paused(address account)", [alice]),
      emit("Unpaused(address account)", [alice]),
      emit("Pause()", []),
      emit("Unpause()", []),
      emit("Paused(address account)", [alice], { address: token }),
    ];
    const readings = pauseState.measure?.({}, activity({ events }), subject, undefined) ?? [];
    expect(readings.map(({ value }) => value)).toEqual([1, 0, 1, 0]);
    expect(readings[0]?.evidence).toMatchObject({ decoded: { args: { account: alice } } });
  });

  it("polls paused()", () => {
    expect(interpret(returned("bool", true))).toMatchObject({ value: 1 });
    expect(interpret(returned("bool", false))).toMatchObject({ value: 0 });
  });

  it("reports a problem if the contract has no paused()", () => {
    expect(interpret(failed)).toHaveProperty("problem");
    expect(interpret(nothing)).toHaveProperty("problem");
  });
});
