import { type ChildProcess, fork } from "node:child_process";
import fc from "fast-check";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { makeMemoryLimiter } from "../../../src/lib/limiter/limiter.ts";
import { makeKey } from "../../api/orgs/keys.ts";
import { bundledChild } from "../../support/bundle.ts";
import { harness } from "../../support/harness.ts";
import { hasRedis, startRedis } from "../../support/redis.ts";
import { runSize } from "../../support/run-size.ts";
import type { Hit, Order } from "./limiter-child.ts";

const processes = runSize("LIMITER_PROCESSES", { short: 2, long: 4 });
const clients = 64 / processes;
const windowMs = runSize("LIMITER_WINDOW_MS", { short: 400, long: 800 });
/** So few that a busy machine asks for more in a window. */
const limit = windowMs / 8;
const windows = runSize("LIMITER_WINDOWS", { short: 2, long: 3 });

/** Runs several processes at full speed for some windows and returns their admitted hits. */
async function rush(
  order: Pick<Order, "address" | "redis" | "key">,
): Promise<{ hits: Hit[]; refused: number }> {
  const children = await Promise.all(Array.from({ length: processes }, startChild));
  const until = Date.now() + windows * windowMs;
  const results = await Promise.all(
    children.map((child) => {
      const said = once<{ hits: Hit[]; refused: number }>(child);
      child.send({ ...order, limit, windowMs, clients, until } satisfies Order);
      return said;
    }),
  );
  return {
    hits: results.flatMap(({ hits }) => hits),
    refused: results.reduce((sum, result) => sum + result.refused, 0),
  };
}

async function startChild(): Promise<ChildProcess> {
  const child = fork(bundledChild("test/lib/limiter/limiter-child.ts"));
  await once(child);
  return child;
}

function once<Word>(child: ChildProcess): Promise<Word> {
  return new Promise((resolve, reject) => {
    child.once("message", (word) => resolve(word as Word));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`a process of the test ended with ${code}`)));
  });
}

/** The maximum number of hits that certainly lay within one window. */
function maxInAnyWindow(hits: Hit[]): number {
  const counts = hits.map(
    ([start]) => hits.filter(([asked, answered]) => asked >= start && answered < start + windowMs).length,
  );
  return Math.max(0, ...counts);
}

describe("64 clients of several processes at once", () => {
  test("are admitted exactly up to the limit by the database", async () => {
    const h = await harness();
    const admin = await h.personOn("pro");
    const { id } = await makeKey(admin);
    const { hits, refused } = await rush({ address: h.address, key: id });
    // The database has the exact times of the last 6,000 hits, and there were fewer. In whole microseconds, since
    // rounded fractions would move hits that are exactly one window apart closer together.
    const { rows } = await sql<{ at: string }>`
      select (extract(epoch from at) * 1000000)::bigint as at from key_window_hits where key_id = ${id} order by at`.execute(
      h.app.db,
    );
    const times = rows.map(({ at }) => Number(at));
    expect(times).toHaveLength(hits.length);
    expect(refused).toBeGreaterThan(0);
    const inWindowFrom = (start: number) =>
      times.filter((at) => at >= start && at < start + windowMs * 1000).length;
    expect(Math.max(...times.map(inWindowFrom))).toBe(limit);
    // No hit was rejected below the limit: at full speed every complete window is full.
    expect(times.length).toBeGreaterThanOrEqual(limit * (windows - 1));
  });

  test.runIf(hasRedis && process.env.TEST_LONG)(
    "are admitted exactly the limit by Redis (skipped where no redis-server is installed)",
    async () => {
      const redis = await startRedis();
      try {
        const { hits, refused } = await rush({ redis: redis.url, key: "a key" });
        expect(refused).toBeGreaterThan(0);
        expect(maxInAnyWindow(hits)).toBeLessThanOrEqual(limit);
        expect(hits.length).toBeGreaterThanOrEqual(limit * (windows - 1));
        expect(hits.length).toBeLessThanOrEqual(limit * (windows + 1));
      } finally {
        await redis.stop();
      }
    },
  );
});

test("the in-memory window admits what a plain count would, with a correct waiting time", async () => {
  const steps = fc.array(
    fc.record({ ms: fc.integer({ min: 0, max: 40 }), limit: fc.integer({ min: 1, max: 12 }) }),
    {
      maxLength: 200,
    },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (moves) => {
      let now = 1_000_000;
      const clock = { now: () => new Date(now), sleep: async () => undefined };
      const limiter = makeMemoryLimiter(clock, 100);
      const admitted: number[] = [];
      const inWindow = () => admitted.filter((at) => at > now - 100).length;
      for (const { ms, limit: allowed } of moves) {
        now += ms;
        const before = inWindow();
        const { isAdmitted, remaining, waitMs } = await limiter.admit("key", allowed);
        expect(isAdmitted).toBe(before < allowed);
        expect(remaining).toBe(Math.max(0, allowed - before - 1));
        if (isAdmitted) {
          admitted.push(now);
          continue;
        }
        const countAt = (moment: number) => admitted.filter((at) => at > moment - 100).length;
        expect(countAt(now + waitMs)).toBeLessThan(allowed);
        expect(countAt(now + waitMs - 1)).toBeGreaterThanOrEqual(allowed);
      }
    }),
    { numRuns: 300 },
  );
});
