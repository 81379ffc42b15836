import { expect, test } from "vitest";
import { evidenceRows } from "./evidence-rows.ts";

const [code, admin, zero] = [`0x${"1".repeat(40)}`, `0x${"2".repeat(40)}`, `0x${"0".repeat(40)}`];
const proxy = {
  kind: "eip1967",
  state: `implementation ${code}, admin ${admin}, beacon ${zero}`,
  ...{ implementation: code, admin, beacon: zero },
};

test("evidence is shown without a state that repeats it and without addresses that were never set", () => {
  expect(evidenceRows({ ...proxy, decoded: {} }).map(([name]) => name)).toEqual([
    "kind",
    "implementation",
    "admin",
  ]);
});

test("an address that was removed is shown, and so is a state that says more", () => {
  expect(evidenceRows({ ...proxy, previous_beacon: admin }).map(([name]) => name)).toContain("beacon");
  expect(evidenceRows({ state: `owner ${code}`, previous_state: `owner ${admin}` })).toHaveLength(2);
  expect(evidenceRows({ state: "paused" })).toEqual([["state", "paused"]]);
});
