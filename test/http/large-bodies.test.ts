import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { BodyMemories } from "../../src/http/request/body-memory.ts";
import { harness } from "../support/harness.ts";
import { openSocket } from "./raw-socket.ts";

const h = await harness();
const ada = await h.person("ada");
await h.server.listen({ port: 0, host: "127.0.0.1" });
const { port } = h.server.server.address() as AddressInfo;
const cookie = `access_token=${ada.client.cookies.get("access_token")}`;
const kibibyte = 1024;

const padded = (name: string, bytes: number) => {
  const body = JSON.stringify({ name });
  return body + " ".repeat(bytes - body.length);
};
const head = (length: string) =>
  "POST /api/v1/orgs HTTP/1.1\r\nHost: tocsin.test\r\nOrigin: http://tocsin.test\r\nConnection: close\r\n" +
  `Cookie: ${cookie}\r\nContent-Type: application/json\r\n${length}\r\n\r\n`;

/** Sends a body in chunks whose number the client does not announce. A busy machine may reply to try again. */
async function sendInChunks(body: string) {
  for (;;) {
    const socket = openSocket(port);
    socket.send(head("Transfer-Encoding: chunked"));
    const size = 50_000;
    for (let at = 0; at < body.length; at += size) {
      const chunk = body.slice(at, at + size);
      socket.send(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
    }
    socket.send("0\r\n\r\n");
    const reply = await socket.reply;
    if (reply.status !== 503) return reply;
  }
}

async function sendInOnePiece(body: string, path = "/orgs") {
  const url = `http://127.0.0.1:${port}`;
  const headers = { "content-type": "application/json", cookie, origin: url };
  for (;;) {
    const reply = await fetch(`${url}/api/v1${path}`, { method: "POST", headers, body });
    const name = ((await reply.json()) as { name?: string }).name;
    if (reply.status !== 503) return { status: reply.status, name };
  }
}

test("large bodies that arrive at the same time and one after another are not mixed up", async () => {
  const sizes = [40, 900, 33, 500, 1_000, 31];
  for (const round of [1, 2]) {
    const names = sizes.map((size) => `Round ${round} of ${size} KiB`);
    const bodies = names.map((name, index) => padded(name, (sizes[index] ?? 0) * kibibyte));
    const replies = await Promise.all(bodies.map((body) => sendInOnePiece(body)));
    expect(replies.map(({ name }) => name)).toEqual(names);
  }
});

test("a large body in chunks of unknown number is accepted up to the limit", async () => {
  const reply = await sendInChunks(padded("In chunks", 1024 * kibibyte));
  expect([reply.status, JSON.parse(reply.body)]).toMatchObject([201, { name: "In chunks" }]);
  const tooLarge = await sendInChunks(padded("In chunks", 1024 * kibibyte + 1));
  expect([tooLarge.status, JSON.parse(tooLarge.body)]).toMatchObject([413, { code: "payload_too_large" }]);
});

test("bodies that end half-way and bodies for unknown paths leave room for others", async () => {
  for (let round = 0; round < 40; round++) {
    const socket = openSocket(port);
    socket.send(head(`Content-Length: ${1024 * kibibyte}`) + " ".repeat(100 * kibibyte));
    socket.end();
    await socket.reply;
    expect((await sendInOnePiece(padded("Unknown", 100 * kibibyte), "/no-such-path")).status).toBe(404);
  }
  expect((await sendInOnePiece(padded("After all", 1000 * kibibyte))).status).toBe(201);
});

test("released memory is lent again, and no memory is lent twice at the same time", () => {
  const memories = new BodyMemories();
  const first = memories.lend(100 * kibibyte);
  const second = memories.lend(100 * kibibyte);
  expect(second?.bytes.buffer).not.toBe(first?.bytes.buffer);
  first?.release();
  first?.release();
  const [third, fourth] = [memories.lend(200 * kibibyte), memories.lend(200 * kibibyte)];
  expect(third?.bytes.buffer).toBe(first?.bytes.buffer);
  expect(fourth?.bytes.buffer).not.toBe(third?.bytes.buffer);
});

test("at most 32 MiB are lent, whatever the sizes that were released before", () => {
  const memories = new BodyMemories();
  const small = Array.from({ length: 32 }, () => memories.lend(1));
  expect(memories.lend(1)).toBeUndefined();
  for (const memory of small) memory?.release();
  const large = Array.from({ length: 7 }, () => memories.lend(5 * 1024 * kibibyte));
  expect(large.map((memory) => memory?.bytes.length)).toEqual([
    ...Array.from({ length: 6 }, () => 5 * 1024 * kibibyte),
    undefined,
  ]);
});
