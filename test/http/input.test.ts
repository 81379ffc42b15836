import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { operations } from "../../src/http/routes/index.ts";
import { harness } from "../support/harness.ts";
import { exchange, openSocket } from "./raw-socket.ts";

const h = await harness();
const secure = await harness({ env: { PUBLIC_URL: "https://tocsin.example" } });
const ada = await h.person("ada");
await h.server.listen({ port: 0, host: "127.0.0.1" });
const { port } = h.server.server.address() as AddressInfo;

/** Sends a body of exactly these bytes. */
const send = (bytes: string | Buffer, type = "application/json") =>
  ada.client.post("/orgs", bytes, { headers: { "content-type": type } });
/** A large body waits for a worker thread. If none gets a core in time on a busy machine, the reply is to try again. */
const sendLarge = async (bytes: string) => {
  for (;;) {
    const reply = await send(bytes);
    if (reply.status !== 503) return reply;
  }
};
const issues = (body: unknown) => (body as { detail: { loc: unknown[]; type: string }[] }).detail;
const errorLines = (body: unknown) => issues(body).map(({ loc, type }) => `${loc.join(".")} ${type}`);

// These two take several seconds, so they start now and are checked by the last tests.
const slowHeaders = openSocket(port);
slowHeaders.send("GET /healthz HTTP/1.1\r\nHost: tocsin.test\r\nX-Slow: ");
const slowUpload = uploadSlowly();

async function uploadSlowly() {
  const body = JSON.stringify({ name: "Slow line" });
  const cookie = `access_token=${ada.client.cookies.get("access_token")}`;
  const socket = openSocket(port);
  socket.send(
    "POST /api/v1/orgs HTTP/1.1\r\nHost: tocsin.test\r\nOrigin: http://tocsin.test\r\nConnection: close\r\n" +
      `Cookie: ${cookie}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  for (const byte of [body.slice(0, 1), body.slice(1, 5), body.slice(5)]) {
    socket.send(byte);
    await new Promise((resolve) => setTimeout(resolve, 2_600));
  }
  return socket.reply;
}

describe("a body", () => {
  test.each([
    ["half a document", '{"name":'],
    ["a bare word", "name"],
    ["two documents", "{}{}"],
    ["single quotes", "{'name':'x'}"],
    ["a trailing comma", '{"name":"x",}'],
    ["a number that is not valid JSON", '{"name":NaN}'],
    ["a comment", '{"name":"x"/**/}'],
  ])("that is %s is rejected as invalid JSON", async (_, text) => {
    const reply = await send(text);
    expect([reply.status, errorLines(reply.body)]).toEqual([422, ["body json_invalid"]]);
  });

  test.each([
    ["a stray continuation byte", Buffer.from([0x22, 0x80, 0x22])],
    ["an overlong slash", Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ["a surrogate as UTF-8", Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ["UTF-16", Buffer.from('{"name":"x"}', "utf16le")],
  ])("with %s is rejected", async (_, bytes) => {
    const reply = await send(bytes);
    expect([reply.status, errorLines(reply.body)]).toEqual([422, ["body json_invalid"]]);
  });

  test("can start with a byte order mark", async () => {
    expect((await send('\uFEFF{"name":"With a mark"}')).body).toMatchObject({ name: "With a mark" });
  });

  test.each([
    ["NUL in a value", '{"name":"a\\u0000b"}', "body.name"],
    ["a lone surrogate in a value", '{"name":"a\\ud800b"}', "body.name"],
    ["NUL in a nested value", '{"name":"x","business":{"tax_id":"\\u0000"}}', "body.business.tax_id"],
    ["NUL in a name", '{"name":"x","a\\u0000":1}', "body"],
    ["a lone surrogate in a name", '{"name":"x","\\udfff":1}', "body"],
  ])("with %s is rejected because the database cannot store it", async (_, text, where) => {
    const reply = await send(text);
    expect([reply.status, errorLines(reply.body)]).toEqual([422, [`${where} string_unicode`]]);
  });

  test("accepts any other Unicode character", async () => {
    const name = "\u{1F514} Ünïcödé ‮rtl‬ ﷽ z̷a̴l̶g̸o̷";
    expect((await ada.client.post("/orgs", { name })).body).toMatchObject({ name });
  });

  test.each([
    ["arrays", "[", "]"],
    ["objects", '{"a":', "}"],
  ])("of a hundred thousand nested %s is rejected within a second of CPU time", async (_, open, close) => {
    // CPU time, because wall-clock time depends on the load of the machine.
    const since = process.cpuUsage();
    const reply = await sendLarge(`${open.repeat(1e5)}${open === "[" ? "" : "1"}${close.repeat(1e5)}`);
    expect([reply.status, errorLines(reply.body)]).toEqual([422, ["body json_too_deep"]]);
    expect(process.cpuUsage(since).user / 1_000).toBeLessThan(1_000);
  });

  test("with brackets inside a string is not rejected as nested", async () => {
    const name = '[{"\\'.repeat(20);
    expect((await ada.client.post("/orgs", { name })).body).toMatchObject({ name });
  });

  test("is limited to one mebibyte", async () => {
    const padded = (bytes: number) => {
      const body = '{"name":"Padded"}';
      return body + " ".repeat(bytes - body.length);
    };
    expect((await sendLarge(padded(1024 * 1024))).status).toBe(201);
    expect(await send(padded(1024 * 1024 + 1))).toMatchObject({
      status: 413,
      body: { code: "payload_too_large" },
    });
  });

  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/xml",
    "application/jsonp",
    "application/json, text/plain",
    "json",
    "/",
    "",
  ])("of the type %j gets 415", async (type) => {
    const reply = await send('{"name":"x"}', type);
    expect(reply).toMatchObject({ status: 415, body: { code: "unsupported_media_type" } });
  });

  test("without a content type gets 415", async () => {
    const reply = await ada.client.post("/orgs", '{"name":"x"}');
    expect(reply).toMatchObject({ status: 415, body: { code: "unsupported_media_type" } });
  });

  test.each(["application/json", "application/json; charset=utf-8", "Application/JSON;charset=UTF-8"])(
    "of the type %j is accepted",
    async (type) => {
      expect((await send('{"name":"Typed"}', type)).status).toBe(201);
    },
  );

  test("that is required but missing is reported as missing", async () => {
    const nothing = await ada.client.post("/orgs");
    expect([nothing.status, errorLines(nothing.body)]).toEqual([422, ["body missing"]]);
    const empty = await send("");
    expect([empty.status, errorLines(empty.body)]).toEqual([422, ["body missing"]]);
  });

  test.each(["null", "[]", '"text"', "1", "true"])(
    "that is %s is rejected because it is not an object",
    async (text) => {
      const reply = await send(text);
      expect([reply.status, errorLines(reply.body)]).toEqual([422, ["body object_type"]]);
    },
  );

  test("is rejected by an operation without a body, unless it is an empty object", async () => {
    const path = `/orgs/${ada.org_id}/switch`;
    expect((await ada.client.post(path)).status).toBe(204);
    expect((await ada.client.post(path, {})).status).toBe(204);
    for (const body of [{ a: 1 }, "null", "[]", "[1]", '""', "0", "false"]) {
      const reply = await ada.client.post(path, body, { headers: { "content-type": "application/json" } });
      expect([body, reply.status, errorLines(reply.body)]).toEqual([body, 422, ["body extra_forbidden"]]);
    }
  });
});

describe("a field", () => {
  test("that is unknown is rejected by name", async () => {
    const reply = await ada.client.post("/orgs", { name: "x", nmae: "y", business: { vat: "1", iban: "2" } });
    expect(reply.status).toBe(422);
    expect(errorLines(reply.body).sort()).toEqual([
      "body.business.iban extra_forbidden",
      "body.business.vat extra_forbidden",
      "body.nmae extra_forbidden",
    ]);
  });

  test.each(["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"])(
    "called %s is rejected as unknown",
    async (name) => {
      const top = await send(`{"name":"x",${JSON.stringify(name)}:{"isAdmin":true}}`);
      expect([top.status, errorLines(top.body)]).toEqual([422, [`body.${name} extra_forbidden`]]);
      const nested = await send(`{"name":"x","business":{${JSON.stringify(name)}:{"a":1}}}`);
      expect([nested.status, errorLines(nested.body)]).toEqual([
        422,
        [`body.business.${name} extra_forbidden`],
      ]);
      const query = await ada.client.get(`/orgs?${name}=1`);
      expect([query.status, errorLines(query.body)]).toEqual([422, [`query.${name} extra_forbidden`]]);
      expect(({} as Record<string, unknown>).isAdmin).toBeUndefined();
    },
  );

  test("that occurs twice in a document has the last value", async () => {
    expect((await send('{"name":"first","name":"second"}')).body).toMatchObject({ name: "second" });
  });
});

test("all errors in the path, query and body are reported in one reply", async () => {
  const reply = await ada.client.patch("/orgs/nonsense?page=1&page_size=2", {
    name: "",
    business: { country: "gb", website: "ftp://x", billing_email: "nobody", address: 5 },
    colour: "red",
  });
  expect(reply.status).toBe(422);
  expect(errorLines(reply.body).sort()).toEqual([
    "body.business.address string_type",
    "body.business.billing_email email_parsing",
    "body.business.country regex_parsing",
    "body.business.website url_parsing",
    "body.colour extra_forbidden",
    "body.name string_too_short",
    "path.org_id uuid_parsing",
    "query.page extra_forbidden",
    "query.page_size extra_forbidden",
  ]);
});

test("an invalid character in the body does not hide its other errors", async () => {
  const reply = await send('{"name":"a\\u0000","colour":1,"business":{"country":"gb"}}');
  expect(errorLines(reply.body).sort()).toEqual([
    "body.business.country regex_parsing",
    "body.colour extra_forbidden",
    "body.name string_unicode",
  ]);
});

describe("a query", () => {
  const auditLog = (query: string) => ada.client.get(`/audit-log?${query}`);

  test.each(["1e3", "0x10", "%205", "5.0", "-0", "%2B5", "9007199254740992", "9007199254740993", "%D9%A3"])(
    "with %s for an integer is rejected",
    async (text) => {
      const reply = await auditLog(`limit=${text}`);
      expect([reply.status, issues(reply.body)[0]?.loc]).toEqual([422, ["query", "limit"]]);
    },
  );

  test.each([
    "",
    "05",
    "5%20",
    "5%0A",
    "Infinity",
    "NaN",
    "null",
    "true",
    "1_000",
    "1,000",
    "0",
    "-1",
    "201",
  ])("with %j for an integer from 1 to 200 is rejected", async (text) => {
    const reply = await auditLog(`limit=${text}`);
    expect([reply.status, issues(reply.body)[0]?.loc]).toEqual([422, ["query", "limit"]]);
  });

  test.each(["limit=1", "limit=200", "offset=0", "offset=10000", "limit=200&offset=10000"])(
    "at the limit (%s) is accepted",
    async (query) => expect((await auditLog(query)).status).toBe(200),
  );

  test("that names a parameter twice is rejected", async () => {
    const reply = await auditLog("limit=1&limit=2&action=a&action=b");
    expect(reply.status).toBe(422);
    expect(issues(reply.body).map(({ loc }) => loc.join("."))).toEqual(["query.action", "query.limit"]);
  });

  test("with NUL is rejected, and with invalid UTF-8 is read as text", async () => {
    const nul = await auditLog("action=a%00b");
    expect([nul.status, errorLines(nul.body)]).toEqual([422, ["query.action string_unicode"]]);
    for (const text of ["%ED%A0%80", "%80", "%C0%AF", "%zz"]) {
      // Invalid UTF-8 stays percent-encoded or becomes the replacement character, and both are harmless text.
      expect((await auditLog(`action=${text}`)).status).toBe(200);
    }
  });

  test("with an unknown or a nameless parameter is rejected", async () => {
    expect(errorLines((await auditLog("limits=5&sort=asc")).body).sort()).toEqual([
      "query.limits extra_forbidden",
      "query.sort extra_forbidden",
    ]);
    expect((await auditLog("=5")).status).toBe(422);
    expect((await auditLog("limit[]=5")).status).toBe(422);
    expect((await auditLog("&&")).status).toBe(200);
  });

  test.each(["2026-11-15", "now", "2026-13-01T00:00:00Z", "1763200000", "2026-11-15T09:30:00"])(
    "with %s for a time is rejected",
    async (text) => {
      const reply = await auditLog(`from=${text}`);
      expect([reply.status, errorLines(reply.body)]).toEqual([422, ["query.from datetime_parsing"]]);
    },
  );
});

describe("a path", () => {
  test.each(["nonsense", "%00", "019a8c1e", "..%2f..%2fetc%2fpasswd", "null", "1' or '1'='1"])(
    "with %s for an id is rejected",
    async (id) => {
      const reply = await ada.client.get(`/orgs/${id.includes("%") ? id : encodeURI(id)}`);
      expect([reply.status, issues(reply.body)[0]?.loc]).toEqual([422, ["path", "org_id"]]);
    },
  );

  test.each(["/orgs/", "/orgs//settings"])("with an empty id (%s) is rejected", async (path) => {
    const reply = await ada.client.get(path);
    expect([reply.status, errorLines(reply.body)]).toEqual([422, ["path.org_id uuid_parsing"]]);
  });

  test("with NUL in a token is rejected", async () => {
    const reply = await ada.client.get("/invites/a%00b");
    expect([reply.status, errorLines(reply.body)]).toEqual([422, ["path.token string_unicode"]]);
  });

  test.each(["/orgs/%zz", "/orgs/%", "/%E0%A4%A", "/invites/%C0%AF", "/orgs/%ED%A0%80"])(
    "that is not validly encoded (%s) gets 400",
    async (path) => {
      const reply = await ada.client.get(path);
      expect(reply).toMatchObject({ status: 400, body: { code: "bad_request" } });
    },
  );

  test("with a parameter of 5,000 characters gets 414", async () => {
    const reply = await ada.client.get(`/invites/${"a".repeat(5_000)}`);
    expect(reply).toMatchObject({ status: 414, body: { code: "uri_too_long" } });
  });

  test.each([
    "/nothing",
    "/ORGS",
    "/orgs/x/y/z",
    "/../../etc/passwd",
    "/orgs/%2e%2e/admin",
    "//api/v1",
    "//api/v2/orgs",
    "//assets/../server.ts",
    "//assets/%2e%2e%2fserver.ts",
    "//links/a/b",
    "//.env",
  ])("without a route (%s) gets 404", async (path) => {
    const reply = await ada.client.get(path);
    expect(reply).toMatchObject({ status: expect.any(Number), body: { code: "not_found" } });
    expect(reply.status).toBe(404);
  });
});

describe("a method", () => {
  // The paths of staff are hidden: a test of theirs shows that they answer 404.
  const shown = operations.filter(({ policy }) => policy.who !== "staff");
  const urls = new Map(shown.map(({ path }) => [path, fillPath(path)]));
  const methodsOf = (path: string) =>
    operations.filter((operation) => operation.path === path).map((operation) => operation.method);

  test.each([...urls])("OPTIONS on %s returns the allowed methods", async (path, url) => {
    const reply = await h.anonymous().request("OPTIONS", url, undefined);
    const methods = methodsOf(path);
    const expected = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"];
    expect([reply.status, reply.text]).toEqual([204, ""]);
    expect(reply.headers.allow?.split(", ").sort()).toEqual(expected.sort());
  });

  test.each([...urls])("that %s does not support gets 405 with the allowed methods", async (path, url) => {
    const methods: string[] = methodsOf(path);
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "TRACE"]) {
      if (methods.includes(method)) continue;
      const reply = await h.anonymous().request(method, url, undefined);
      expect([method, reply.status, reply.body]).toMatchObject([method, 405, { code: "method_not_allowed" }]);
      expect(reply.headers.allow).toContain(methods[0]);
    }
    if (!methods.includes("GET")) {
      expect((await h.anonymous().request("HEAD", url, undefined)).status).toBe(405);
    }
  });

  const readOperations = operations.filter((operation) => operation.method === "GET" && !operation.isStream);
  test.each(readOperations.map((readOperation) => [readOperation.path, fillPath(readOperation.path)]))(
    "HEAD on %s answers as GET does, without the body",
    async (path, url) => {
      const client = path?.startsWith("/admin") ? await h.staff() : ada.client;
      const get = await client.get(url ?? "");
      const head = await client.request("HEAD", url ?? "", undefined);
      expect([head.status, head.text]).toEqual([get.status, ""]);
      expect(comparable(head.headers)).toEqual(comparable(get.headers));
    },
  );
});

describe("every reply", () => {
  const cases: [string, () => ReturnType<typeof ada.client.get>][] = [
    ["200", () => ada.client.get("/orgs")],
    ["204", () => ada.client.post(`/orgs/${ada.org_id}/switch`)],
    ["204 of OPTIONS", () => ada.client.request("OPTIONS", "/orgs", undefined)],
    ["400", () => ada.client.get("/%zz")],
    ["401", () => h.anonymous().get("/orgs")],
    ["403", () => ada.client.post("/orgs", {}, { headers: { origin: "https://evil.test" } })],
    ["404", () => ada.client.get("/nothing")],
    ["405", () => ada.client.put("/orgs", {})],
    ["413", () => send(" ".repeat(1024 * 1024 + 1))],
    ["414", () => ada.client.get(`/invites/${"a".repeat(5_000)}`)],
    ["415", () => send("x", "text/plain")],
    ["422", () => ada.client.post("/orgs", {})],
  ];

  test.each(cases)("(%s) carries its request id, which is in the log", async (_, request) => {
    const { headers, status } = await request();
    const id = headers["x-request-id"] ?? "";
    expect(id).toMatch(/^req_[0-9a-f]{32}$/);
    const line = h.lines.map((one) => JSON.parse(one)).find((one) => one.request_id === id);
    expect(line).toMatchObject({
      msg: "request completed",
      status,
      method: expect.any(String),
      ip: expect.any(String),
    });
  });

  test.each(cases)("(%s) forbids caching, sniffing and framing", async (_, request) => {
    const { headers } = await request();
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "content-security-policy": expect.stringContaining("default-src 'none'"),
    });
  });

  test("ignores a request id sent by the client", async () => {
    const reply = await ada.client.get("/orgs", { headers: { "x-request-id": "mine\r\n" } });
    expect(reply.headers["x-request-id"]).toMatch(/^req_[0-9a-f]{32}$/);
  });

  test("has Strict-Transport-Security only if the service is reached by https", async () => {
    expect((await ada.client.get("/orgs")).headers["strict-transport-security"]).toBeUndefined();
    const { headers } = await secure.anonymous().get("/orgs");
    expect(headers["strict-transport-security"]).toMatch(/^max-age=\d{8}/);
  });
});

describe("an Idempotency-Key", () => {
  test.each(["", "a b", "käse", "a\tb", "a".repeat(256), "a, b"])("such as %j is rejected", async (key) => {
    const reply = await ada.client.post("/orgs", { name: "x" }, { headers: { "idempotency-key": key } });
    expect([reply.status, errorLines(reply.body)]).toEqual([422, ["header.idempotency-key value_error"]]);
  });

  test("of 255 printable characters is accepted", async () => {
    const key = "~".repeat(255);
    const reply = await ada.client.post("/orgs", { name: "Once" }, { headers: { "idempotency-key": key } });
    expect(reply.status).toBe(201);
  });
});

describe("a connection", () => {
  test("with headers over 16 KiB gets 431 as a JSON error", async () => {
    const reply = await exchange(port, `GET / HTTP/1.1\r\nHost: a\r\nX-Big: ${"a".repeat(17_000)}\r\n\r\n`);
    expectJsonError(reply, 431, "headers_too_large");
  });

  test.each([
    ["is not HTTP", "hello\r\n\r\n"],
    ["is TLS", Buffer.from("16030100ff010000fb0303", "hex")],
    ["has a broken header", "GET / HTTP/1.1\r\nHost: a\r\nbroken header\r\n\r\n"],
    ["has NUL in a header", "GET / HTTP/1.1\r\nHost: a\r\nX-A: b\0c\r\n\r\n"],
    ["has two lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"],
    [
      "smuggles a length beside chunks",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ["has no host", "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n"],
    [
      "has broken chunks",
      "POST /api/v1/auth/login HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ],
  ])("that %s gets 400 as a JSON error", async (_, bytes) => {
    expectJsonError(await exchange(port, bytes), 400, "bad_request");
  });

  test("with an unknown Expect header gets a JSON error", async () => {
    const reply = await exchange(
      port,
      "POST /api/v1/auth/login HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    );
    expect([422, 400, 417]).toContain(reply.status);
    expect(JSON.parse(reply.body)).toHaveProperty("detail");
  });

  test("that uploads slowly is not timed out", async () => {
    const reply = await slowUpload;
    expect([reply.status, reply.body]).toMatchObject([201, expect.stringContaining("Slow line")]);
  });

  test("whose headers do not end is closed after ten seconds", async () => {
    const reply = await slowHeaders.reply;
    expectJsonError(reply, 408, "request_timeout");
  });
});

function expectJsonError(reply: Awaited<ReturnType<typeof exchange>>, status: number, code: string): void {
  expect([reply.status, JSON.parse(reply.body)]).toEqual([status, { detail: expect.any(String), code }]);
  expect(reply.headers["x-request-id"]).toMatch(/^req_[0-9a-f]{32}$/);
  expect(reply.headers).toMatchObject({ "cache-control": "no-store", "x-content-type-options": "nosniff" });
}

/** Fills a route with the ids of this org and user, and unknown ids otherwise. */
function fillPath(path: string): string {
  return path
    .replace("{org_id}", ada.org_id)
    .replace("{user_id}", ada.user.id)
    .replace("{chain}", "ethereum")
    .replace("{token}", "not-a-token")
    .replace(/\{\w+\}/g, "019a8c1e-7c4b-7d3a-9f21-3b6c1f0e5a42");
}

function comparable(headers: Record<string, string>): Record<string, string> {
  // A reply without a body has no transfer encoding, and values that change between two requests have another tag and length.
  const { "x-request-id": _, date: __, "transfer-encoding": ___, etag: ____, ...rest } = headers;
  return { ...rest, ...(rest["content-length"] && { "content-length": "any" }) };
}
