import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { makeAddressPolicy } from "./address-policy.ts";
import { makeOutbound, OutboundError, type OutboundRequest } from "./outbound.ts";
import { parseOutboundUrl } from "./outbound-url.ts";

const publicOnly = makeAddressPolicy({ allow: [] });
const withLoopback = makeAddressPolicy({ allow: ["127.0.0.0/8"] });
const cleanUps: (() => void)[] = [];

afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

/** A client that may reach loopback and resolves every name to the given addresses. */
function client(options: { policy?: typeof publicOnly; resolve?: (host: string) => Promise<string[]> } = {}) {
  const resolve = options.resolve ?? (async () => ["127.0.0.1"]);
  const outbound = makeOutbound({ policy: options.policy ?? withLoopback, resolve });
  cleanUps.push(() => outbound.close());
  return outbound;
}

/** A server on loopback; counts the connections that reach it. */
async function serve(answer: http.RequestListener) {
  const server = http.createServer(answer);
  return { ...(await listen(server)), server };
}

async function listen(server: net.Server) {
  const counts = { connections: 0 };
  const sockets = new Set<net.Socket>();
  server.on("connection", (socket: net.Socket) => {
    counts.connections += 1;
    sockets.add(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanUps.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}`, counts };
}

async function failure(sending: Promise<unknown>): Promise<OutboundError> {
  const error = await sending.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof OutboundError)) throw new Error("This was expected to fail.", { cause: error });
  return error;
}

test("the outbound client sends method, headers and body, and returns the reply", async () => {
  const { url } = await serve(async (request, response) => {
    const body = (await request.toArray()).join("");
    response.writeHead(201, { "x-answer": "yes" });
    response.end(
      JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body }),
    );
  });
  const reply = await client().send({
    method: "POST",
    url: `${url}/hook?x=1#part`,
    headers: { "Content-Type": "application/json", Host: "elsewhere", "Transfer-Encoding": "chunked" },
    body: "{}",
  });
  expect(reply).toMatchObject({ status: 201, truncated: false, headers: { "x-answer": "yes" } });
  expect(reply.latencyMs).toBeGreaterThanOrEqual(0);
  expect(JSON.parse(reply.body.toString())).toMatchObject({
    method: "POST",
    url: "/hook?x=1",
    headers: { "content-type": "application/json", "content-length": "2", host: new URL(url).host },
    body: "{}",
  });
});

test("the outbound client returns a 500 and a redirect, and follows neither", async () => {
  const canary = await serve((_, response) => response.end());
  const { url } = await serve((request, response) => {
    response.writeHead(request.url === "/moved" ? 302 : 500, { location: `${canary.url}/` }).end("no");
  });
  const outbound = client();
  expect(await outbound.send({ method: "GET", url: `${url}/broken` })).toMatchObject({ status: 500 });
  const moved = await outbound.send({ method: "GET", url: `${url}/moved` });
  expect(moved).toMatchObject({ status: 302, headers: { location: `${canary.url}/` } });
  expect(canary.counts.connections).toBe(0);
});

test("the outbound client reuses a connection and resolves the name once per connection", async () => {
  const { port, counts } = await serve((_, response) => response.end("ok"));
  const asked: string[] = [];
  const outbound = client({
    resolve: async (host) => {
      asked.push(host);
      return ["127.0.0.1"];
    },
  });
  for (let count = 0; count < 3; count += 1) {
    await outbound.send({ method: "GET", url: `http://receiver.example:${port}/` });
  }
  expect(counts.connections).toBe(1);
  expect(asked).toEqual(["receiver.example"]);
});

test("the outbound client stops reading an endless body at its limit", async () => {
  const { url } = await serve((_, response) => {
    const more = () => {
      while (response.write("x".repeat(10_000)));
    };
    response.on("drain", more);
    more();
  });
  const byDefault = await client().send({ method: "GET", url });
  expect(byDefault).toMatchObject({ status: 200, truncated: true });
  expect(byDefault.body).toHaveLength(64 * 1024);
  expect((await client().send({ method: "GET", url, maxBytes: 10 })).body.toString()).toBe("xxxxxxxxxx");
});

test.each([
  [9, true],
  [10, false],
  [11, false],
])("the outbound client reads a body of 10 bytes with a limit of %i", async (maxBytes, truncated) => {
  const { url } = await serve((_, response) => response.end("0123456789"));
  const reply = await client().send({ method: "GET", url, maxBytes });
  expect(reply.truncated).toBe(truncated);
  expect(reply.body).toHaveLength(Math.min(10, maxBytes));
});

test("the deadline covers a slow or missing name lookup, headers and body", async () => {
  const drip = await serve((_, response) => {
    const timer = setInterval(() => response.write("."), 20);
    response.on("close", () => clearInterval(timer));
  });
  const slowBody = await failure(client().send({ method: "GET", url: drip.url, timeoutMs: 300 }));
  expect(slowBody).toMatchObject({ kind: "timeout", sent: true, status: 200 });

  const silent = await listen(net.createServer());
  const noHeaders = await failure(client().send({ method: "GET", url: silent.url, timeoutMs: 300 }));
  expect(noHeaders).toMatchObject({ kind: "timeout", sent: true, status: undefined });
  const noHandshake = await failure(
    client().send({ method: "GET", url: `https://127.0.0.1:${silent.port}/`, timeoutMs: 300 }),
  );
  expect(noHandshake).toMatchObject({ kind: "timeout", sent: false });

  const noName = client({ resolve: () => new Promise(() => {}) });
  const request: OutboundRequest = { method: "GET", url: "https://slow.example/", timeoutMs: 300 };
  expect(await failure(noName.send(request))).toMatchObject({ kind: "timeout", sent: false });
});

test("an outbound request stops when its caller aborts", async () => {
  const silent = await listen(net.createServer());
  const stop = new AbortController();
  const sending = failure(client().send({ method: "GET", url: silent.url, signal: stop.signal }));
  setTimeout(() => stop.abort(), 50);
  expect(await sending).toMatchObject({ kind: "timeout" });
  const { signal } = stop;
  const late = await failure(client().send({ method: "GET", url: silent.url, signal }));
  expect(late).toMatchObject({ kind: "timeout", sent: false });
});

test("the error distinguishes a refused connection, one that broke before the reply and one that broke within it", async () => {
  const gone = await listen(net.createServer());
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
  const refused = await failure(client().send({ method: "POST", url: gone.url, body: "{}" }));
  expect(refused).toMatchObject({ kind: "connect", sent: false });

  const cut = await listen(net.createServer((socket) => socket.once("data", () => socket.destroy())));
  const before = await failure(client().send({ method: "POST", url: cut.url, body: "{}" }));
  expect(before).toMatchObject({ kind: "reset", sent: true, status: undefined });

  const partial = "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf";
  const half = await listen(
    net.createServer((socket) => socket.once("data", () => socket.end(partial, () => socket.destroy()))),
  );
  const within = await failure(client().send({ method: "POST", url: half.url, body: "{}" }));
  expect(within).toMatchObject({ kind: "reset", sent: true, status: 200 });
});

test.each([
  "SSH-2.0-OpenSSH_9.6\r\n",
  "HTTP/1.1 200 OK\r\nbad header\r\n\r\n",
  `HTTP/1.1 200 OK\r\nx: ${"y".repeat(70_000)}\r\n\r\n`,
])("a malformed HTTP reply is reported: %#", async (answer) => {
  const { url } = await listen(net.createServer((socket) => socket.once("data", () => socket.end(answer))));
  expect(await failure(client().send({ method: "GET", url }))).toMatchObject({
    kind: "protocol",
    sent: true,
  });
});

test("an outbound request fails when the server switches protocols", async () => {
  const upgrade = "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n";
  const { url } = await listen(
    net.createServer((socket) => socket.once("data", () => socket.write(upgrade))),
  );
  expect(await failure(client().send({ method: "GET", url }))).toMatchObject({ sent: true });
});

test("a failed TLS handshake is reported as not sent", async () => {
  const { port } = await serve((_, response) => response.end("never"));
  const plain = await failure(client().send({ method: "GET", url: `https://127.0.0.1:${port}/` }));
  expect(plain).toMatchObject({ kind: "tls", sent: false });
});

test("a host without an address is reported", async () => {
  const unknown = client({ resolve: () => Promise.reject(new Error("ENOTFOUND")) });
  const empty = client({ resolve: async () => [] });
  for (const outbound of [unknown, empty]) {
    const error = await failure(outbound.send({ method: "GET", url: "https://nowhere.example/secret" }));
    expect(error).toMatchObject({ kind: "dns", sent: false, message: "nowhere.example was not found." });
  }
});

test("a header that would inject another is rejected before anything is sent", async () => {
  const { url, counts } = await serve((_, response) => response.end());
  const headers = { "x-name": "a\r\nx-other: b" };
  const error = await failure(client().send({ method: "GET", url, headers }));
  expect(error).toMatchObject({ kind: "protocol", sent: false });
  expect(counts.connections).toBe(0);
});

test("the default policy reaches no loopback server in any notation", async () => {
  const { port, counts } = await serve((_, response) => response.end("secret"));
  const literals = [
    "127.0.0.1",
    "0x7f.1",
    "2130706433",
    "[::ffff:127.0.0.1]",
    "0.0.0.0",
    "localhost",
    "foo.localhost",
  ];
  const named = ["receiver.example", "127.0.0.1.nip.example"];
  const outbound = client({ policy: publicOnly });
  for (const host of [...literals, ...named]) {
    for (const scheme of ["https", "http"]) {
      const error = await failure(outbound.send({ method: "GET", url: `${scheme}://${host}:${port}/` }));
      expect(error, host).toMatchObject({ kind: "refused_address", sent: false });
    }
  }
  expect(counts.connections).toBe(0);
});

// The allowed address is on loopback too, so that no traffic leaves the machine if the check fails.
const withOne = makeAddressPolicy({ allow: ["127.0.0.2/32"] });

test("DNS rebinding between check and connection is rejected", async () => {
  const { port, counts } = await serve((_, response) => response.end("secret"));
  const answers = [["127.0.0.2"], ["127.0.0.1"]];
  const resolve = async () => answers.shift() ?? [];
  const url = `https://rebind.example:${port}/`;
  const checked = await resolve();
  expect(parseOutboundUrl(url, withOne)).toBeInstanceOf(URL);
  expect(withOne.rejectionReason(checked[0] ?? "")).toBeUndefined();

  const error = await failure(client({ policy: withOne, resolve }).send({ method: "GET", url }));
  expect(error).toMatchObject({ kind: "refused_address", sent: false });
  expect(answers).toEqual([]);
  expect(counts.connections).toBe(0);
});

test.each([
  [["127.0.0.2", "127.0.0.1"]],
  [["127.0.0.1", "127.0.0.2"]],
  [["127.0.0.2", "::1"]],
  [["::ffff:127.0.0.1"]],
])("a host is rejected when one of its addresses is forbidden: %j", async (addresses) => {
  const { port, counts } = await serve((_, response) => response.end("secret"));
  const outbound = client({ policy: withOne, resolve: async () => addresses });
  for (const scheme of ["https", "http"]) {
    const error = await failure(outbound.send({ method: "GET", url: `${scheme}://mixed.example:${port}/` }));
    expect(error).toMatchObject({ kind: "refused_address", sent: false });
  }
  expect(counts.connections).toBe(0);
});

test("plain http is sent to a name whose address the operator allows", async () => {
  const { port } = await serve((_, response) => response.end("ok"));
  const reply = await client().send({ method: "GET", url: `http://receiver.example:${port}/` });
  expect(reply).toMatchObject({ status: 200 });
});

test("an outbound error contains the host and nothing else of the URL", async () => {
  const gone = await listen(net.createServer());
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
  const rejecting = client({ resolve: () => Promise.reject(new Error("hunter2")) });
  const requests = [
    [client(), `${gone.url}/hunter2?token=hunter2`],
    [client(), "https://user:hunter2@example.com/hunter2"],
    [client({ policy: publicOnly }), "https://127.0.0.1/hunter2"],
    [rejecting, "https://nowhere.example/hunter2?hunter2"],
    [client(), "not a url hunter2"],
  ] as const;
  for (const [outbound, url] of requests) {
    const error = await failure(outbound.send({ method: "GET", url, headers: { authorization: "hunter2" } }));
    expect(error.message).not.toContain("hunter2");
  }
});

test("the outbound client ignores proxy settings of the environment", async () => {
  const proxy = await serve((_, response) => response.end("proxied"));
  const { url } = await serve((_, response) => response.end("direct"));
  const { env } = process;
  process.env = { ...env, HTTP_PROXY: proxy.url, http_proxy: proxy.url, NODE_USE_ENV_PROXY: "1" };
  cleanUps.push(() => {
    process.env = env;
  });
  expect((await client().send({ method: "GET", url })).body.toString()).toBe("direct");
  expect(proxy.counts.connections).toBe(0);
});

test.each([
  ["gzip", gzipSync],
  ["br", brotliCompressSync],
])(
  "a reply compressed by %s is requested only on demand, decompressed, and limited in its full length",
  async (encoding, compress) => {
    const asked: (string | undefined)[] = [];
    const { port } = await serve((request, response) => {
      asked.push(request.headers["accept-encoding"]?.toString());
      const isAsked = request.headers["accept-encoding"]?.includes(encoding);
      const body = "x".repeat(100_000);
      response.writeHead(200, isAsked ? { "content-encoding": encoding } : {});
      response.end(isAsked ? compress(body) : body);
    });
    const request = { method: "GET" as const, url: `http://127.0.0.1:${port}/`, maxBytes: 100_000 };
    const plain = await client().send(request);
    const small = await client().send({ ...request, compressed: true });
    expect(asked).toEqual(["identity", "br, gzip"]);
    expect(small.body.equals(plain.body)).toBe(true);
    const bomb = await client().send({ ...request, compressed: true, maxBytes: 1_000 });
    expect(bomb).toMatchObject({ truncated: true, body: expect.objectContaining({ length: 1_000 }) });
  },
);

test("a reply that is not what its compression claims is an error of the receiver", async () => {
  const { port } = await serve((_request, response) => {
    response.writeHead(200, { "content-encoding": "gzip" }).end("not compressed");
  });
  const sent = client().send({ method: "GET", url: `http://127.0.0.1:${port}/`, compressed: true });
  await expect(sent).rejects.toBeInstanceOf(OutboundError);
});
