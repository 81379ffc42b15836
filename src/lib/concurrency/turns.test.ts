import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { nextTurn } from "./turns.ts";

// Only pauses of owners use timers.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

test("computations of the service continue although the pause of an owner does not end", async () => {
  const paused = nextTurn("an org");
  for (let times = 0; times < 3; times++) await nextTurn("");
  await Promise.all([nextTurn(""), nextTurn("")]);
  await vi.runAllTimersAsync();
  await paused;
});

test("an owner with several computations pauses for longer, unless another owner waits", async () => {
  const order: string[] = [];
  const take = (owner: string) => nextTurn(owner).then(() => order.push(owner));
  const both = [take("a"), take("a")];
  await vi.advanceTimersByTimeAsync(2);
  expect(order).toEqual(["a"]);
  await vi.advanceTimersByTimeAsync(4);
  expect(order).toEqual(["a"]);
  const other = take("b");
  await vi.advanceTimersByTimeAsync(2);
  expect(order).toEqual(["a", "b"]);
  await vi.runAllTimersAsync();
  await Promise.all([...both, other]);
  expect(order).toEqual(["a", "b", "a"]);
});
