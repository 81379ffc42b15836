import { expect, test } from "vitest";
import { makeRetrySchedule } from "./retry-schedule.ts";

test("a retry schedule gives the wait after each attempt and none after the last", () => {
  const { lastAttempt, waitSeconds } = makeRetrySchedule([5, 30]);
  expect([1, 2, 3].map(waitSeconds)).toEqual([5, 30, undefined]);
  expect(lastAttempt).toBe(3);
});
