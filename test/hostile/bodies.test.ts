import { expect, test } from "vitest";
import type { Operation } from "../../src/http/operation.ts";
import { operations } from "../../src/http/routes/index.ts";
import { runSize } from "../support/run-size.ts";
import { type HostileBody, hostileBodies } from "./bodies.ts";
import { hostileWorld, maxStandstillMs, mebibyte } from "./world.ts";

/**
 * One of how many bodies is sent to each operation. The bodies differ between operations, and there are more operations than this,
 * so that all of them are sent.
 */
const every = runSize("HOSTILE_EVERY", { short: 50, long: 1 });
const isLong = every === 1;

const { send, exampleOf } = await hostileWorld();
const receiving = operations.filter(({ body, hook, isStream }) => (body || hook) && !isStream);

/** What a body causes, it causes again. A collection of what the tests have left behind does not come twice. */
async function sendTwiceIfSlow(operation: Operation, body: HostileBody) {
  const first = await send(operation, { payload: body.bytes() });
  if (first.cpuMs <= maxStandstillMs) return first;
  const second = await send(operation, { payload: body.bytes() });
  return second.cpuMs < first.cpuMs ? second : first;
}

test("every hostile body is sent to at least one operation", () => {
  expect(receiving.length).toBeGreaterThanOrEqual(every);
});

test.each(
  receiving.map((operation, index) => [`${operation.method} ${operation.path}`, operation, index] as const),
)(
  "%s answers the largest hostile bodies with a short reply and without blocking the event loop",
  { timeout: 1_800_000 },
  async (name, operation, place) => {
    const { bodyBytes = mebibyte, bodyValues = 10_000 } = operation.limits;
    const limits = { size: bodyBytes - 2_000, values: bodyValues };
    const slow: string[] = [];
    let [longestCpuMs, longestWallMs] = [0, 0];
    for (const [index, body] of [...hostileBodies(exampleOf(operation), limits)].entries()) {
      if (index % every !== place % every) continue;
      const { status, text, cpuMs, wallMs } = await sendTwiceIfSlow(operation, body);
      const outcome = `${body.name}: ${status} ${text.slice(0, 200)}`;
      if (status >= 500 && status !== 503) expect.fail(outcome);
      if (text.length > mebibyte && !operation.hasLargeReply)
        expect.fail(`${outcome} has ${text.length} characters`);
      if (status === 422) expect((JSON.parse(text) as { detail: unknown[] }).detail.length).toBeLessThan(102);
      if (cpuMs > maxStandstillMs)
        slow.push(`${Math.round(cpuMs)} ms (${Math.round(wallMs)} by the clock): ${outcome}`);
      longestCpuMs = Math.max(longestCpuMs, cpuMs);
      longestWallMs = Math.max(longestWallMs, wallMs);
    }
    if (isLong)
      process.stderr.write(
        `${name}: at most ${longestCpuMs.toFixed(0)} ms of CPU time, ${longestWallMs.toFixed(0)} ms by the clock\n`,
      );
    expect(slow).toEqual([]);
  },
);
