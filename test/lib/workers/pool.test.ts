import { threadId } from "node:worker_threads";
import { afterAll, expect, test } from "vitest";
import { OwnerBusy } from "../../../src/lib/concurrency/fair-queue.ts";
import { makeWorkerPool, WorkLimitExceeded, workerTask } from "../../../src/lib/concurrency/worker-pool.ts";
import { allocate, fail, rest, spin, threadOf } from "./tasks.ts";

const pool = makeWorkerPool({ maxWaitMs: 60_000, heapMegabytes: 24 });
afterAll(() => pool.close());

const tasks = "test/lib/workers/tasks.ts";

test("a task runs in another thread", async () => {
  const found = await pool.run(workerTask(tasks, threadOf, 30_000), "a", { echo: [1, "two"] });
  expect(found).toEqual({ threadId: expect.any(Number), echo: [1, "two"] });
  expect(found.threadId).not.toBe(threadId);
});

test("a task that never ends is stopped at its deadline, and the pool works afterwards", async () => {
  const endless = pool.run(workerTask(tasks, spin, 300), "a", undefined);
  await expect(endless).rejects.toThrow(WorkLimitExceeded);
  await expect(endless).rejects.toMatchObject({ limit: "time" });
  await expect(pool.run(workerTask(tasks, threadOf, 30_000), "a", {})).resolves.toBeDefined();
});

test("a task that needs too much memory is stopped, and the pool works afterwards", async () => {
  const greedy = pool.run(workerTask(tasks, allocate, 60_000), "a", undefined);
  await expect(greedy).rejects.toMatchObject({ name: "WorkLimitExceeded", limit: "memory" });
  await expect(pool.run(workerTask(tasks, threadOf, 30_000), "a", {})).resolves.toBeDefined();
});

test("an error in a task rejects with its message", async () => {
  await expect(pool.run(workerTask(tasks, fail, 30_000), "a", undefined)).rejects.toThrow("broken");
});

test("an owner whose tasks occupy its threads and its line is rejected, while another owner's task runs", async () => {
  const task = workerTask(tasks, spin, 50);
  const busy = Array.from({ length: 30 }, () =>
    pool.run(task, "a", undefined).catch((error: Error) => error),
  );
  await expect(pool.run(workerTask(tasks, threadOf, 30_000), "b", {})).resolves.toBeDefined();
  expect((await Promise.all(busy)).filter((error) => error instanceof OwnerBusy).length).toBeGreaterThan(5);
});

test("two owners whose tasks take long leave a thread to an owner who has used little", async () => {
  const own = makeWorkerPool({ burstMs: 1 });
  const resting = (owner: string) => own.run(workerTask(tasks, rest, 30_000), owner, 20);
  for (const owner of ["a", "b"]) await resting(owner);
  const busy = Array.from({ length: 20 }, (_, index) => resting(index % 2 ? "a" : "b"));
  const { running, queued } = own.counts();
  expect(queued).toBeGreaterThan(0);
  const other = own.run(workerTask(tasks, threadOf, 30_000), "c", {});
  expect(own.counts().running).toBe(running + 1);
  await Promise.all([other, ...busy]);
  await own.close();
});
