import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type pg from "pg";
import { expect, test } from "vitest";
import { paceResults } from "./paced-results.ts";

const chunk = Buffer.alloc(64 * 1024);

/** A connection on which the server has sent a result already, with what was received of it. */
function makeConnection(chunks: number) {
  let left = chunks;
  const stream = new Readable({
    highWaterMark: chunks * chunk.length,
    read() {
      this.push(left-- > 0 ? chunk : null);
    },
  });
  const received = { bytes: 0 };
  const client = { connection: { stream } } as unknown as pg.ClientBase;
  stream.on("data", ({ length }: Buffer) => {
    received.bytes += length;
  });
  return { client, stream, received };
}

test("a large result is received in slices, between which other work runs, and is complete", async () => {
  const { client, stream, received } = makeConnection(100);
  paceResults(client);
  const slices: number[] = [];
  while (!stream.readableEnded) {
    const before = received.bytes;
    await setImmediate();
    slices.push(received.bytes - before);
  }
  expect(received.bytes).toBe(100 * chunk.length);
  expect(Math.max(...slices)).toBeLessThanOrEqual(2 * chunk.length);
});

test("a connection that is returned to the pool is not paced any more", async () => {
  const { client, stream, received } = makeConnection(100);
  paceResults(client)();
  stream.resume();
  while (received.bytes === 0) await setImmediate();
  expect(received.bytes).toBe(100 * chunk.length);
});
