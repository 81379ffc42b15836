import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { addContract, freshAddress } from "../api/contracts/contract-steps.ts";
import { harness } from "../support/harness.ts";

const h = await harness();
const owner = await h.personOn("enterprise");
for (let n = 0; n < 10; n++) await addContract(owner);

const cookie = [...owner.client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");

/** The raw reply, with the bytes that go over the wire. */
async function fetchRaw(url: string, encoding: string) {
  const headers = { host: "tocsin.test", cookie, "accept-encoding": encoding };
  const { rawPayload, headers: replied, statusCode } = await h.server.inject({ method: "GET", url, headers });
  return { bytes: rawPayload, headers: replied, status: statusCode };
}

test("a GET has a weak ETag that gets 304 until something changes", async () => {
  const first = await owner.client.get("/contracts");
  const { etag } = first.headers;
  expect(etag).toMatch(/^W\/"[\w-]+"$/);
  for (const tag of [etag, etag?.replace("W/", ""), `"other", ${etag}`, "*"]) {
    const again = await owner.client.get("/contracts", { headers: { "if-none-match": tag ?? "" } });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, "", etag]);
    expect(again.headers["x-request-id"]).toBeDefined();
  }
  await addContract(owner);
  const changed = await owner.client.get("/contracts", { headers: { "if-none-match": etag ?? "" } });
  expect([changed.status, (changed.body as object[]).length]).toEqual([200, 11]);
  const head = await owner.client.request("HEAD", "/contracts", undefined);
  expect(head.headers.etag).toBe(changed.headers.etag);
});

test("a change has no ETag, and If-None-Match does not suppress it", async () => {
  const reply = await owner.client.post("/channels/test", {}, { headers: { "if-none-match": "*" } });
  expect([reply.status, reply.headers.etag]).toEqual([422, undefined]);
  const { id } = await addContract(owner);
  const renamed = await owner.client.patch(
    `/contracts/${id}`,
    { label: "New" },
    { headers: { "if-none-match": "*" } },
  );
  expect([renamed.status, renamed.headers.etag]).toEqual([200, undefined]);
});

const decoders = { br: brotliDecompressSync, gzip: gunzipSync };

test.each([
  ["br", "br, gzip"],
  ["br", "gzip;q=0.8, br;q=0.5"],
  ["gzip", "gzip, deflate"],
  ["gzip", "br;q=0, gzip"],
  ["br", "*"],
] as const)("replies are compressed with %s for a client that accepts %s", async (expected, accepted) => {
  for (const url of ["/api/v1/contracts", "/openapi.json"]) {
    const plain = await fetchRaw(url, "identity");
    const { bytes, headers } = await fetchRaw(url, accepted);
    expect([plain.headers["content-encoding"], headers["content-encoding"]]).toEqual([undefined, expected]);
    expect([plain.headers.vary, headers.vary]).toEqual(["accept-encoding", "accept-encoding"]);
    expect(decoders[expected](bytes).equals(plain.bytes)).toBe(true);
    expect(bytes.length).toBeLessThan(plain.bytes.length / 3);
    expect(headers.etag).toBe(plain.headers.etag);
    expect(headers["content-security-policy"]).toBe(plain.headers["content-security-policy"]);
    expect(headers["cache-control"]).toBe(plain.headers["cache-control"]);
  }
});

test("a short reply, an error and a reply with a secret are not compressed", async () => {
  for (const url of ["/api/v1/auth/me", "/api/v1/nothing"])
    expect((await fetchRaw(url, "br, gzip")).headers["content-encoding"]).toBeUndefined();
  const headers = { host: "tocsin.test", origin: "http://tocsin.test", cookie, "accept-encoding": "br" };
  const added = Array.from({ length: 50 }, () => ({ chain: "local", address: freshAddress() }));
  await owner.client.post("/contracts/bulk-import", { contracts: added });
  const contracts = (await owner.client.get("/contracts?limit=50")).body as { id: string }[];
  const contract_scope = contracts.map(({ id }) => id);
  const payload = { name: "CI", contract_scope, expires_at: null };
  const made = await h.server.inject({ method: "POST", url: "/api/v1/api-keys", headers, payload });
  expect(made.payload.length).toBeGreaterThan(1_500);
  expect([made.statusCode, made.headers["content-encoding"]]).toEqual([200, undefined]);
});

test("the OpenAPI document gets 304 for its ETag", async () => {
  const { etag } = (await h.anonymous().get("//openapi.json")).headers;
  const again = await h.anonymous().get("//openapi.json", { headers: { "if-none-match": etag ?? "" } });
  expect([again.status, again.text]).toEqual([304, ""]);
});
