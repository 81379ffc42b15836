import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { BulkheadFull } from "./bulkhead.ts";
import { type FairQueue, makeFairQueue, OwnerBusy } from "./fair-queue.ts";

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

/** Starts tasks of an owner that run until the end of the test, and returns how many of them started. */
function occupy(queue: FairQueue, owner: string, count: number): number {
  const before = queue.counts().running;
  for (let task = 0; task < count; task++) queue.run(owner, () => new Promise(() => {})).catch(() => {});
  return queue.counts().running - before;
}

const shared = { ...limits, maxRunning: 12, maxRunningPerOwner: 12, maxQueued: 100, maxQueuedPerOwner: 100 };

test("few owners with any number of tasks leave places to others", async () => {
  const queue = makeFairQueue({ ...shared, leavesRoom: true, reserved: 2, burstMs: 60_000 });
  expect(["a", "b", "c", "d"].map((owner) => occupy(queue, owner, 20))).toEqual([6, 3, 1, 1]);
  await expect(queue.run("e", async () => "ran")).resolves.toBe("ran");
});

test("an owner who used a place for long gets none of those that are left to others", async () => {
  const queue = makeFairQueue({ ...shared, maxRunning: 2, reserved: 1 });
  const long = held();
  const used = queue.run("long", long.work);
  await setTimeout(2);
  long.finish();
  await used;
  expect(occupy(queue, "other", 1)).toBe(1);
  expect(occupy(queue, "long", 1)).toBe(0);
  await expect(queue.run("new", async () => "ran")).resolves.toBe("ran");
});

test("a released place goes to the owner who runs fewest tasks", async () => {
  const queue = makeFairQueue({ ...shared, maxRunning: 3 });
  occupy(queue, "a", 2);
  const first = held();
  const running = queue.run("b", first.work);
  const order: string[] = [];
  const waiting = ["a", "c"].map((owner) => queue.run(owner, async () => void order.push(owner)));
  first.finish();
  await Promise.all([running, ...waiting]);
  expect(order).toEqual(["c", "a"]);
});
