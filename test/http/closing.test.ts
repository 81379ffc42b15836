import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { harness } from "../support/harness.ts";
import { openSocket } from "./raw-socket.ts";

const h = await harness();

test("a closing server completes running requests and answers those that arrive on open connections", async () => {
  const reached = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const ada = await h.person();
  h.app.faults = {
    hit: async (point) => {
      if (point !== "write.before_commit") return;
      reached.resolve();
      await release.promise;
    },
  };
  let seen = 0;
  h.server.server.on("request", () => seen++);
  await h.server.listen({ port: 0, host: "127.0.0.1" });
  const socket = openSocket((h.server.server.address() as AddressInfo).port);
  const head = `Host: tocsin.test\r\nOrigin: http://tocsin.test\r\nCookie: access_token=${ada.client.cookies.get("access_token")}`;
  socket.send(
    `POST /api/v1/orgs HTTP/1.1\r\n${head}\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n{"name":"Held"}`,
  );
  await reached.promise;
  const closed = h.server.close();
  socket.send(`GET /api/v1/orgs HTTP/1.1\r\n${head}\r\n\r\n`);
  await expect.poll(() => seen).toBe(2);
  release.resolve();
  const { status, body } = await socket.reply;
  await closed;
  expect(status).toBe(201);
  const [first, second] = body.split("HTTP/1.1 ");
  expect(first).toContain("Held");
  expect(second).toMatch(/^200 OK\r\nConnection: close\r\nx-request-id: req_/);
});
