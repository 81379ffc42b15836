import { type ChildProcess, spawn } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../clock.ts";
import { makeLog } from "../log/log.ts";
import { ChildService } from "./child-service.ts";

/** A service whose process runs a script; `lines` are the log of the parent. */
function makeService(script: (start: number) => string, mayStart?: Promise<unknown>) {
  const lines: string[] = [];
  const children: ChildProcess[] = [];
  const service = new ChildService({
    name: "part",
    log: makeLog("info", (line) => lines.push(line)),
    clock: systemClock,
    backoffMs: [1],
    ...(mayStart && { mayStart }),
    spawn() {
      const stdio = ["ignore", "ignore", "inherit", "ipc"] as const;
      const child = spawn(process.execPath, ["-e", script(children.length)], { stdio: [...stdio] });
      children.push(child);
      return child;
    },
  });
  onTestFinished(() => service.kill());
  return { service, lines, children };
}

const ready = `process.send({ kind: "ready", content: "here" });`;
const untilStopped = "process.on('disconnect', () => process.exit()); setInterval(() => {}, 1000);";

test("a process reports that it is ready, answers requests and stops at a signal", async () => {
  const answers = `process.on("message", ({ request }) => process.send({ answer: request, content: 42 }));`;
  const { service, children, lines } = makeService(() => `${answers}${ready}`);
  expect(await service.start()).toBe("here");
  expect(await service.request("number", 60_000)).toBe(42);
  await service.stop();
  expect([children[0]?.signalCode, children.length, lines]).toEqual(["SIGTERM", 1, []]);
});

test("a process loads at once and starts when it may", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const waits = `process.on("message", ({ kind, request }) =>
    process.send(kind === "start" ? { kind: "ready", content: "here" } : { answer: request, content: "loaded" }));`;
  const { service } = makeService(() => waits, promise);
  let report: unknown;
  const starting = service.start().then((value) => (report = value));
  expect(await service.request("anything", 60_000)).toBe("loaded");
  expect(report).toBeUndefined();
  resolve();
  expect(await starting).toBe("here");
  await service.stop();
});

test("a request that is not answered in time has no result", async () => {
  const { service } = makeService(() => `${untilStopped}${ready}`);
  await service.start();
  expect(await service.request("number", 1)).toBeUndefined();
  await service.stop();
});

test("a process that cannot start rejects with its sentence and is not started again", async () => {
  const failure = `process.send({ kind: "failed", content: "The port is in use." }, () => process.exit(1));`;
  const { service, children } = makeService(() => failure);
  await expect(service.start()).rejects.toThrow("The port is in use.");
  await service.stop();
  expect(children).toHaveLength(1);
});

test("a process that ends during its start rejects", async () => {
  const { service } = makeService(() => "process.exit(3)");
  await expect(service.start()).rejects.toThrow("The process part ended during its start (code 3).");
});

test("a process that ends is started again and logged, until the service is stopped", async () => {
  const { service, lines, children } = makeService((start) =>
    start < 3 ? `${ready}setTimeout(() => process.exit(9), 1)` : `${untilStopped}${ready}`,
  );
  await service.start();
  await expect.poll(() => children.length).toBe(4);
  const logged = lines.map((line) => JSON.parse(line) as { process: string; code: number });
  expect(logged.map(({ process, code }) => [process, code])).toEqual(Array(3).fill(["part", 9]));
  await service.stop();
  expect(children).toHaveLength(4);
});
