import { expect, test } from "vitest";
import { makeReadingQueue } from "./reading-queue.ts";

const mebibyte = 1024 * 1024;

/** A queue whose pauses end when the test ends them. */
function makeWorld() {
  const pauses: number[] = [];
  const resumed = Promise.withResolvers<void>();
  const inTurn = makeReadingQueue({
    now: () => new Date(),
    sleep: (ms) => {
      pauses.push(ms);
      return resumed.promise;
    },
  });
  return { pauses, inTurn, resume: resumed.resolve };
}

test("an owner that has read much waits before the next replies, and other owners do not", async () => {
  const { pauses, inTurn, resume } = makeWorld();
  for (let read = 0; read < 3; read++) await inTurn("large", async () => 2 * mebibyte);
  expect(pauses).toEqual([]);
  // Both places of the owner are taken after these.
  for (let read = 0; read < 2; read++) await inTurn("large", async () => 20 * mebibyte);
  expect(pauses).toHaveLength(2);
  let isRead = false;
  const later = inTurn("large", async () => {
    isRead = true;
    return 1;
  });
  await inTurn("other", async () => 2 * mebibyte);
  expect(isRead).toBe(false);
  resume();
  await later;
  expect(isRead).toBe(true);
});

test("a read that fails keeps no place", async () => {
  const { inTurn } = makeWorld();
  const fail = () => inTurn("one", () => Promise.reject(new Error("broken")));
  for (let read = 0; read < 3; read++) await expect(fail()).rejects.toThrow("broken");
});

test("owners that read much at the same time share what one of them may read", async () => {
  const { pauses, inTurn } = makeWorld();
  for (const owner of ["a", "b", "c"]) await inTurn(owner, async () => 9 * mebibyte);
  expect(pauses.map((ms) => Math.round(ms / 1000))).toEqual([1, 2, 3]);
});
