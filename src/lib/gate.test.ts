import { expect, test } from "vitest";
import { makeGate } from "./gate.ts";

/** Work that runs until it is told to stop. */
function held() {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return { work: () => promise, finish: resolve, fail: reject };
}

test("runs so many at once, queues so many, and turns the next away at once", async () => {
  const gate = makeGate({ atOnce: 2, waiting: 1 });
  const order: string[] = [];
  const [first, second] = [held(), held()];
  const running = [gate.run(first.work), gate.run(second.work)];
  const queued = gate.run(async () => order.push("third"));

  await expect(gate.run(async () => order.push("fourth"))).rejects.toMatchObject({
    code: "unavailable",
    retryAfterSeconds: 1,
  });
  expect(order).toEqual([]);
  first.finish();
  await queued;
  expect(order).toEqual(["third"]);
  second.finish();
  await Promise.all(running);
});

test("frees the place of work that failed", async () => {
  const gate = makeGate({ atOnce: 1, waiting: 1 });
  const first = held();
  const failing = gate.run(first.work);
  const next = gate.run(async () => "ran");
  first.fail(new Error("broken"));
  await expect(failing).rejects.toThrow("broken");
  await expect(next).resolves.toBe("ran");
  await expect(gate.run(async () => "again")).resolves.toBe("again");
});

test("never runs more than its number at once, whatever the order of arrivals", async () => {
  const gate = makeGate({ atOnce: 3, waiting: 100 });
  let running = 0;
  let most = 0;
  const work = async (turns: number) => {
    most = Math.max(most, ++running);
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    running -= 1;
  };
  await Promise.all(Array.from({ length: 60 }, (_, index) => gate.run(() => work(index % 7))));
  expect(most).toBe(3);
});
