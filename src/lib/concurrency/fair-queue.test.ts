import { expect, test } from "vitest";
import { BulkheadFull } from "./bulkhead.ts";
import { makeFairQueue, OwnerBusy } from "./fair-queue.ts";

const limits = {
  maxRunning: 2,
  maxRunningPerOwner: 1,
  maxQueued: 4,
  maxQueuedPerOwner: 2,
  maxWaitMs: 60_000,
};

/** A task that runs until the test finishes it. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { work: () => promise, finish: resolve };
}

test("an owner with many tasks does not delay the first task of another", async () => {
  const queue = makeFairQueue(limits);
  const first = held();
  const busy = [queue.run("a", first.work), queue.run("a", async () => {}), queue.run("a", async () => {})];
  await expect(queue.run("b", async () => "ran")).resolves.toBe("ran");
  expect(queue.counts()).toEqual({ running: 1, queued: 2 });
  first.finish();
  await Promise.all(busy);
  expect(queue.counts()).toEqual({ running: 0, queued: 0 });
});

test("waiting tasks start in turn by owner, each owner's in order", async () => {
  const queue = makeFairQueue({ ...limits, maxRunning: 1, maxQueued: 10 });
  const order: string[] = [];
  const first = held();
  const blocked = queue.run("c", first.work);
  const record = (owner: string, name: string) => queue.run(owner, async () => void order.push(name));
  const all = [record("a", "a1"), record("a", "a2"), record("b", "b1"), record("b", "b2"), record("c", "c1")];
  first.finish();
  await Promise.all([blocked, ...all]);
  expect(order).toEqual(["a1", "b1", "c1", "a2", "b2"]);
});

test("an owner with a full line is rejected, others are not", async () => {
  const queue = makeFairQueue(limits);
  const first = held();
  const busy = [queue.run("a", first.work), queue.run("a", async () => {}), queue.run("a", async () => {})];
  await expect(queue.run("a", async () => {})).rejects.toThrow(OwnerBusy);
  await expect(queue.run("b", async () => "ran")).resolves.toBe("ran");
  first.finish();
  await Promise.all(busy);
});

test("when the queue is full, the longest line makes room for an owner with a shorter one", async () => {
  const queue = makeFairQueue({ ...limits, maxRunning: 1, maxQueued: 3, maxQueuedPerOwner: 3 });
  const first = held();
  const busy = queue.run("a", first.work);
  const waiting = ["a1", "a2", "a3"].map((name) => queue.run("a", async () => name));
  const other = queue.run("b", async () => "b1");
  await expect(waiting[2]).rejects.toThrow(OwnerBusy);
  await expect(queue.run("a", async () => {})).rejects.toThrow(OwnerBusy);
  first.finish();
  await busy;
  expect(await Promise.all([waiting[0], waiting[1], other])).toEqual(["a1", "a2", "b1"]);
  expect(queue.counts()).toEqual({ running: 0, queued: 0 });
});

test("an owner who waited in vain for the tasks of others is not called busy", async () => {
  const queue = makeFairQueue({ ...limits, maxRunning: 1, maxWaitMs: 5 });
  const first = held();
  const busy = queue.run("a", first.work);
  await expect(queue.run("b", async () => {})).rejects.toThrow(BulkheadFull);
  first.finish();
  await busy;
});

test("everyone is rejected when all lines together are full", async () => {
  const queue = makeFairQueue({ ...limits, maxRunning: 1, maxQueued: 1 });
  const first = held();
  const busy = [queue.run("a", first.work), queue.run("b", async () => {})];
  await expect(queue.run("c", async () => {})).rejects.toThrow(BulkheadFull);
  first.finish();
  await Promise.all(busy);
});

test("a task that does not start in time is rejected and never runs", async () => {
  const queue = makeFairQueue({ ...limits, maxWaitMs: 5 });
  const first = held();
  const busy = queue.run("a", first.work);
  let hasRun = false;
  const late = queue.run("a", async () => {
    hasRun = true;
  });
  await expect(late).rejects.toThrow(OwnerBusy);
  first.finish();
  await busy;
  expect([hasRun, queue.counts()]).toEqual([false, { running: 0, queued: 0 }]);
});

test("a task that fails leaves its place to the next", async () => {
  const queue = makeFairQueue(limits);
  const failing = queue.run("a", () => Promise.reject(new Error("broken")));
  const next = queue.run("a", async () => "ran");
  await expect(failing).rejects.toThrow("broken");
  await expect(next).resolves.toBe("ran");
});
