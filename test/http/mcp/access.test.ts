import { expect, test } from "vitest";
import type { ApiKeyUsage } from "../../../src/wire/orgs/api-keys.ts";
import { addContract } from "../../api/contracts/contract-steps.ts";
import { makeKey } from "../../api/orgs/keys.ts";
import { harness } from "../../support/harness.ts";
import { callTool, connect, listTools, post } from "./agent.ts";

const h = await harness();
const baseUrl = await h.server.listen({ port: 0, host: "127.0.0.1" });
const owner = await h.personOn("enterprise");
const { key } = await makeKey(owner);

const lastAudit = async () => ((await owner.client.get("/audit-log?limit=1")).body as object[])[0];

test("a read-only key gets read-only tools, and a change by it is rejected and recorded", async () => {
  const contract = await addContract(owner);
  const reader = await makeKey(owner, { scope: "read_only" });
  const agent = await connect(baseUrl, reader.key);
  const { tools } = await agent.client.listTools();
  expect(tools.filter(({ annotations }) => !annotations?.readOnlyHint)).toEqual([]);
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["list_contracts", "explain_event"]));
  expect((await agent.call("get_contract", { contract_id: contract.id })).value).toMatchObject({
    id: contract.id,
  });
  const denied = await agent.call("create_target", { contract_id: contract.id, target_type: "tx_rate" });
  expect([denied.isError, denied.text]).toEqual([true, expect.stringContaining("(read_only_key)")]);
  expect(await lastAudit()).toMatchObject({
    action: "api_key.scope_denied",
    details: { operation: "createTarget", reason: "read_only_key" },
  });
});

test("a key of one contract sees no other, and gets no tools for the whole organisation", async () => {
  const [own, other] = [await addContract(owner), await addContract(owner)];
  const restricted = await makeKey(owner, { contract_scope: [own.id] });
  const agent = await connect(baseUrl, restricted.key);
  expect(await agent.toolNames()).toContain("create_target");
  for (const name of ["apply_configuration", "export_configuration"])
    expect(await agent.toolNames()).not.toContain(name);
  expect((await agent.call("list_contracts")).value).toMatchObject({ items: [{ id: own.id }] });
  const denied = await agent.call("get_contract", { contract_id: other.id });
  expect([denied.isError, denied.text]).toEqual([true, expect.stringContaining("(out_of_scope)")]);
  expect(await lastAudit()).toMatchObject({ details: { operation: "getContract", reason: "out_of_scope" } });
  const { resources } = await agent.client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual([`tocsin://contracts/${own.id}`]);
  await expect(agent.client.readResource({ uri: `tocsin://contracts/${other.id}` })).rejects.toThrow(
    "out_of_scope",
  );
  const all = await agent.call("apply_configuration", { version: 1 });
  expect([all.isError, all.text]).toEqual([true, expect.stringContaining("(out_of_scope)")]);
});

test("a request without a valid key is 401, also with a session cookie", async () => {
  await expect(connect(baseUrl, "tocsin_wrong")).rejects.toMatchObject({ code: 401 });
  const cookie = `access_token=${owner.client.cookies.get("access_token")}`;
  const reply = await post(baseUrl, undefined, listTools, { cookie, origin: baseUrl });
  expect(reply.status).toBe(401);
  expect(reply.headers.get("www-authenticate")).toMatch(/^Bearer/);
  expect(await reply.json()).toMatchObject({ code: "api_key_missing" });
  const revoked = await makeKey(owner);
  await owner.client.delete(`/api-keys/${revoked.id}`);
  expect(await (await post(baseUrl, revoked.key, listTools)).json()).toMatchObject({
    code: "api_key_revoked",
  });
});

test("a page of another site is rejected, and one of this site is not", async () => {
  const foreign = await post(baseUrl, key, listTools, { origin: "https://evil.example" });
  expect([foreign.status, await foreign.json()]).toMatchObject([403, { code: "csrf" }]);
  expect((await post(baseUrl, key, listTools, { origin: baseUrl })).status).toBe(200);
});

test("bodies that are too large, batches and bodies that are not JSON are rejected", async () => {
  const large = callTool("create_contract", { label: "x".repeat(1024 * 1024) });
  expect((await post(baseUrl, key, large)).status).toBe(413);
  const many = callTool("create_contract", { labels: Array.from({ length: 10_001 }, () => 1) });
  expect((await post(baseUrl, key, many)).status).toBe(422);
  const batch = await post(baseUrl, key, [listTools, listTools]);
  expect([batch.status, await batch.json()]).toMatchObject([
    400,
    { detail: expect.stringContaining("one message") },
  ]);
  expect((await post(baseUrl, key, "{")).status).toBe(422);
  expect((await post(baseUrl, key, "{}", { "content-type": "text/plain" })).status).toBe(415);
  expect((await post(baseUrl, key, { jsonrpc: "1.0" })).status).toBe(400);
});

test("a reply has the headers of the API, and there is no stream to open", async () => {
  const reply = await post(baseUrl, key, listTools);
  expect(reply.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(reply.headers.get("cache-control")).toBe("no-store");
  expect(reply.headers.get("mcp-session-id")).toBeNull();
  const stream = await fetch(new URL("/mcp", baseUrl), { headers: { authorization: `Bearer ${key}` } });
  expect([stream.status, stream.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
});

test("each message counts once towards the rate limit of the key and in its usage", async () => {
  const counted = await makeKey(owner);
  const remaining = async (message: unknown) =>
    Number(/r=(\d+)/.exec((await post(baseUrl, counted.key, message)).headers.get("ratelimit") ?? "")?.[1]);
  const first = await remaining(listTools);
  expect(await remaining(callTool("list_contracts"))).toBe(first - 1);
  // The back-test and the new rule are two operations; this one has an invalid body, so that only the first runs.
  expect(await remaining(callTool("create_rule", {}))).toBe(first - 2);
  expect(await remaining({ jsonrpc: "2.0", id: 1, method: "resources/list" })).toBe(first - 3);
  // The list of resources took two operations.
  expect(await remaining(listTools)).toBe(first - 5);
  const { body } = await owner.client.get(`/api-keys/${counted.id}/usage`);
  expect(body as ApiKeyUsage).toMatchObject({ today: { requests: 6 } });
});

test("a key beyond its rate limit gets 429 with the time to wait", async () => {
  const limited = await h.personOn("pro");
  const { key: own } = await makeKey(limited);
  await h.setTier(limited.org_id, "free");
  const replies = [];
  for (let n = 0; n < 31; n++) replies.push(await post(baseUrl, own, callTool("list_chains")));
  expect(replies.map(({ status }) => status)).toEqual([...Array.from({ length: 30 }, () => 200), 429]);
  expect(replies.at(-1)?.headers.get("retry-after")).toMatch(/^\d+$/);
});
