import { expect, test } from "vitest";
import { makeLocalBus } from "../bus/bus.ts";
import { systemClock } from "../clock.ts";
import { runEvery, runPollLoop } from "./poll-loop.ts";

const never = 3_600_000;
const onError = () => undefined;

test("a poll loop goes on without waiting while there is more work, and ends when aborted", async () => {
  const stopping = new AbortController();
  let rounds = 0;
  await runPollLoop({ clock: systemClock, signal: stopping.signal, intervalMs: never, onError }, async () => {
    rounds += 1;
    if (rounds === 3) stopping.abort();
    return { hasMore: true };
  });
  expect(rounds).toBe(3);
});

test("a hint that arrives during a round causes another", async () => {
  const stopping = new AbortController();
  const bus = makeLocalBus();
  let rounds = 0;
  const wakeOn = { bus, topic: "work" };
  await runPollLoop(
    { clock: systemClock, signal: stopping.signal, intervalMs: never, wakeOn, onError },
    async () => {
      rounds += 1;
      if (rounds === 2) stopping.abort();
      bus.publish({ topic: "work" });
      return { hasMore: false };
    },
  );
  expect(rounds).toBe(2);
});

test("a round that fails is reported and the loop continues after the interval", async () => {
  const stopping = new AbortController();
  const errors: unknown[] = [];
  const loop = { clock: systemClock, signal: stopping.signal, intervalMs: 1 };
  await runEvery({ ...loop, onError: (error) => errors.push(error) }, async () => {
    if (errors.length === 2) return stopping.abort();
    throw new Error("failed");
  });
  expect(errors).toHaveLength(2);
});

test("a poll loop that starts with a wait does not run when it is aborted during it", async () => {
  const stopping = new AbortController();
  stopping.abort();
  let rounds = 0;
  const loop = {
    clock: systemClock,
    signal: stopping.signal,
    intervalMs: never,
    startsWithWait: true,
    onError,
  };
  await runEvery(loop, async () => {
    rounds += 1;
  });
  expect(rounds).toBe(0);
});
