import { expect, test } from "vitest";
import { BulkheadFull, makeBulkhead } from "./bulkhead.ts";

/** A task that runs until the test finishes it. */
function held() {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return { work: () => promise, finish: resolve, fail: reject };
}

test("a bulkhead runs up to its limit, queues up to its limit, and rejects the next task immediately", async () => {
  const bulkhead = makeBulkhead({ maxConcurrent: 2, maxQueued: 1 });
  const order: string[] = [];
  const [first, second] = [held(), held()];
  const running = [bulkhead.run(first.work), bulkhead.run(second.work)];
  const queued = bulkhead.run(async () => order.push("third"));

  await expect(bulkhead.run(async () => order.push("fourth"))).rejects.toThrow(BulkheadFull);
  expect(order).toEqual([]);
  first.finish();
  await queued;
  expect(order).toEqual(["third"]);
  second.finish();
  await Promise.all(running);
});

test("a task that fails releases its slot", async () => {
  const bulkhead = makeBulkhead({ maxConcurrent: 1, maxQueued: 1 });
  const first = held();
  const failing = bulkhead.run(first.work);
  const next = bulkhead.run(async () => "ran");
  first.fail(new Error("broken"));
  await expect(failing).rejects.toThrow("broken");
  await expect(next).resolves.toBe("ran");
  await expect(bulkhead.run(async () => "again")).resolves.toBe("again");
});

test("a bulkhead never exceeds its concurrency limit in any order of arrival", async () => {
  const bulkhead = makeBulkhead({ maxConcurrent: 3, maxQueued: 100 });
  let running = 0;
  let most = 0;
  const work = async (turns: number) => {
    most = Math.max(most, ++running);
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    running -= 1;
  };
  await Promise.all(Array.from({ length: 60 }, (_, index) => bulkhead.run(() => work(index % 7))));
  expect(most).toBe(3);
});
