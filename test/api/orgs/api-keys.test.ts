import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { ApiKey, ApiKeyUsage, ApiKeyUsageSummary, NewApiKey } from "../../../src/wire/orgs/api-keys.ts";
import { harness, type Person } from "../../support/harness.ts";
import { addContract } from "../contracts/contract-steps.ts";
import {
  countByStatus,
  day,
  dump,
  errorReply,
  join,
  sendConcurrently,
  teamAdmin,
  unknownId,
} from "../steps.ts";
import { KeyClient, makeKey, makeKeyClient } from "./keys.ts";

const h = await harness();

async function proAdmin(): Promise<Person> {
  const person = await h.personOn("pro");
  return person;
}

const listed = async ({ client }: Person) => (await client.get("/api-keys")).body as ApiKey[];
const audited = async ({ client }: Person, action: string) =>
  (await client.get("/audit-log", { query: { action } })).body as {
    actor: { type: string; id: string | null };
    subject: object;
    details: Record<string, unknown>;
  }[];

test("an API key is shown once, stored as its SHA-256 and listed with its prefix", async () => {
  const admin = await proAdmin();
  const made = await makeKey(admin, { name: "Deploys" });
  expect(made.key).toMatch(/^tocsin_[\w-]{43}$/);
  expect(made.key.startsWith(made.prefix)).toBe(true);
  const { key, ...shown } = made;
  expect(await listed(admin)).toEqual([shown]);
  expect(shown).toMatchObject({
    name: "Deploys",
    scope: "read_write",
    contract_scope: null,
    chain_scope: null,
    expires_at: null,
    is_active: true,
    deactivated_at: null,
    last_used_at: null,
    created_by: admin.user.id,
  });
  const stored = Object.values(await dump(h)).flat();
  expect(stored.some((row) => row.includes(key))).toBe(false);
  const hash = createHash("sha256").update(key).digest("hex");
  expect(stored.some((row) => row.includes(hash))).toBe(true);
});

test("repeating a key creation with its Idempotency-Key neither creates nor shows a key", async () => {
  const admin = await proAdmin();
  const send = () =>
    admin.client.post("/api-keys", { name: "CI" }, { headers: { "idempotency-key": "make-ci-key" } });
  const first = await send();
  expect(first.status).toBe(200);
  const again = await send();
  expect(again).toMatchObject(errorReply(409, "shown_once"));
  expect(again.text).not.toContain((first.body as NewApiKey).key);
  expect(await listed(admin)).toHaveLength(1);
});

test("an API key acts for its org", async () => {
  const admin = await proAdmin();
  const contract = await addContract(admin);
  const client = await makeKeyClient(h, admin);
  expect((await client.get("/contracts")).body).toMatchObject([{ id: contract.id }]);
  const made = await client.post(`/contracts/${contract.id}/labels`, { value: "treasury" });
  expect(made.status).toBe(201);
  expect((await client.get(`/orgs/${admin.org_id}`)).body).toMatchObject({ id: admin.org_id });
});

test("the Authorization header takes precedence over a session, and its errors are specific", async () => {
  const admin = await proAdmin();
  const request = (authorization: string) => admin.client.get("/contracts", { headers: { authorization } });
  for (const empty of ["", "Bearer", "Bearer ", "Basic dXNlcjpwYXNz", "tocsin_abc"])
    expect(await request(empty)).toMatchObject(errorReply(401, "api_key_missing"));
  expect(await request("Bearer tocsin_nothing")).toMatchObject(errorReply(401, "api_key_invalid"));
  const { key } = await makeKey(admin);
  expect((await request(`bearer ${key}`)).status).toBe(200);
  const anonymous = await h.anonymous().get("/contracts");
  expect(anonymous).toMatchObject(errorReply(401, "unauthenticated"));
  expect(anonymous.headers["www-authenticate"]).toContain("Bearer");
});

test("all errors of a new API key are reported in one reply", async () => {
  const admin = await proAdmin();
  const stranger = await proAdmin();
  const foreign = await addContract(stranger);
  const past = h.clock.now().toISOString();
  const reply = await admin.client.post("/api-keys", {
    name: "x",
    contract_scope: [foreign.id, unknownId],
    chain_scope: [1, 999_999_999],
    expires_at: past,
  });
  expect(reply.status).toBe(422);
  const errorFields = (reply.body as { detail: { loc: unknown[] }[] }).detail.map(({ loc }) => loc.join("."));
  expect(errorFields.sort()).toEqual([
    "body.chain_scope.1",
    "body.contract_scope.0",
    "body.contract_scope.1",
    "body.expires_at",
  ]);
  for (const bad of [
    {},
    { name: "" },
    { name: "x", scope: "admin" },
    { name: "x", contract_scope: [] },
    { name: "x", extra: 1 },
  ])
    expect((await admin.client.post("/api-keys", bad)).status).toBe(422);
  expect(await listed(admin)).toEqual([]);
});

test("a revoked key gets 401, frees its quota and stays listed for 90 days", async () => {
  const admin = await proAdmin();
  const keys: NewApiKey[] = [];
  for (let n = 0; n < 5; n++) keys.push(await makeKey(admin));
  expect(await admin.client.post("/api-keys", { name: "x" })).toMatchObject(
    errorReply(403, "quota_exceeded"),
  );
  const [first] = keys as [NewApiKey];
  const client = new KeyClient(h, first.key);
  expect((await client.get("/contracts")).status).toBe(200);
  expect((await admin.client.delete(`/api-keys/${first.id}`)).body).toEqual({ ok: true });
  expect(await client.get("/contracts")).toMatchObject(errorReply(401, "api_key_revoked"));
  const revoked = (await listed(admin)).find(({ id }) => id === first.id);
  expect(revoked).toMatchObject({ is_active: false, deactivated_at: expect.any(String) });
  expect((await admin.client.delete(`/api-keys/${first.id}`)).status).toBe(200);
  expect(await audited(admin, "api_key.revoked")).toHaveLength(1);
  await makeKey(admin);

  h.clock.advance(89 * day);
  await h.runJobs();
  expect((await listAfterLogIn(admin)).map(({ id }) => id)).toContain(first.id);
  h.clock.advance(2 * day);
  expect((await listAfterLogIn(admin)).map(({ id }) => id)).not.toContain(first.id);
  await h.runJobs();
  const rows = await h.app.db.selectFrom("api_keys").select("id").where("id", "=", first.id).execute();
  expect(rows).toEqual([]);
  expect(await client.get("/contracts")).toMatchObject(errorReply(401, "api_key_invalid"));
});

test("a key revoked in another process gets 401 within a second", async () => {
  const admin = await proAdmin();
  const { id, key } = await makeKey(admin);
  const elsewhere = await harness({ address: h.address });
  elsewhere.clock.advance((h.clock.now().getTime() - elsewhere.clock.now().getTime()) / 1000);
  const client = new KeyClient(elsewhere, key);
  expect((await client.get("/contracts")).status).toBe(200);
  await admin.client.delete(`/api-keys/${id}`);
  elsewhere.clock.advance(1);
  expect(await client.get("/contracts")).toMatchObject(errorReply(401, "api_key_revoked"));
});

test("every request that starts after a revocation gets 401, even with requests in flight", async () => {
  const admin = await proAdmin();
  const { id, key } = await makeKey(admin);
  const client = new KeyClient(h, key);
  const underWay = Array.from({ length: 40 }, () => client.get("/contracts"));
  await admin.client.delete(`/api-keys/${id}`);
  const after = await Promise.all(Array.from({ length: 40 }, () => client.get("/contracts")));
  expect(countByStatus(after)).toEqual({ 401: 40 });
  await Promise.all(underWay);
});

/** Lists the keys with a new session, because the old one has expired. */
async function listAfterLogIn(admin: Person): Promise<ApiKey[]> {
  const { email } = admin.user;
  await admin.client.post("/auth/login", { email, password: "correct horse battery staple" });
  return listed(admin);
}

test("an expired key is deactivated by its first use, which frees its quota", async () => {
  const admin = await proAdmin();
  const expires_at = new Date(h.clock.now().getTime() + 60_000).toISOString();
  const short = await makeKey(admin, { expires_at });
  for (let n = 0; n < 4; n++) await makeKey(admin);
  const client = new KeyClient(h, short.key);
  expect((await client.get("/contracts")).status).toBe(200);
  h.clock.advance(61);
  expect((await listed(admin)).find(({ id }) => id === short.id)?.is_active).toBe(true);
  expect(await admin.client.post("/api-keys", { name: "x" })).toMatchObject(
    errorReply(403, "quota_exceeded"),
  );
  const uses = await Promise.all(Array.from({ length: 16 }, () => client.get("/contracts")));
  for (const use of uses) expect(use).toMatchObject(errorReply(401, "api_key_expired"));
  expect(await client.get("/contracts")).toMatchObject(errorReply(401, "api_key_expired"));
  const [use, ...more] = await audited(admin, "api_key.expired_use");
  expect([use?.details, more]).toEqual([{ prefix: short.prefix }, []]);
  await makeKey(admin);
});

test("regenerating a key revokes it and creates one with the same scope", async () => {
  const admin = await proAdmin();
  const contract = await addContract(admin);
  const expires_at = new Date(h.clock.now().getTime() + 90 * day * 1000).toISOString();
  const old = await makeKey(admin, {
    scope: "read_only",
    contract_scope: [contract.id],
    chain_scope: [31337],
    expires_at,
  });
  const replies = await sendConcurrently([admin.client, admin.client, admin.client], (client) =>
    client.post(`/api-keys/${old.id}/regenerate`),
  );
  expect(countByStatus(replies)).toEqual({ 200: 1, 409: 2 });
  const made = replies.find(({ status }) => status === 200)?.body as NewApiKey;
  const { name, scope, contract_scope, chain_scope } = old;
  expect(made).toMatchObject({ name, scope, contract_scope, chain_scope, expires_at, is_active: true });
  expect(made.id).not.toBe(old.id);
  expect(await new KeyClient(h, old.key).get("/contracts")).toMatchObject(errorReply(401, "api_key_revoked"));
  expect((await new KeyClient(h, made.key).get("/contracts")).status).toBe(200);
  const rotated = await audited(admin, "api_key.rotated");
  expect(rotated.map(({ details }) => details)).toEqual([
    { prefix: old.prefix, new_key_id: made.id, new_prefix: made.prefix },
  ]);
});

test("an expired key cannot be regenerated", async () => {
  const admin = await proAdmin();
  const expires_at = new Date(h.clock.now().getTime() + 60_000).toISOString();
  const { id } = await makeKey(admin, { expires_at });
  h.clock.advance(61);
  expect(await admin.client.post(`/api-keys/${id}/regenerate`)).toMatchObject(
    errorReply(409, "api_key_inactive"),
  );
});

test.each([
  ["pro", 5],
  ["team", 20],
] as const)("64 concurrent key creations in a %s org create %i keys", async (tier, errorFields) => {
  const admin = await h.personOn(tier);
  const clients = Array.from({ length: 64 }, () => admin.client);
  const replies = await sendConcurrently(clients, (client) => client.post("/api-keys", { name: "x" }));
  expect(countByStatus(replies)).toEqual({ 200: errorFields, 403: 64 - errorFields });
  expect(await listed(admin)).toHaveLength(errorFields);
});

test("after a downgrade to Free existing keys are limited to 30 requests a minute and none can be created", async () => {
  const admin = await proAdmin();
  const old = await makeKey(admin);
  const client = new KeyClient(h, old.key);
  expect((await client.get("/contracts")).headers["ratelimit-policy"]).toBe('"key";q=300;w=60');
  await h.setTier(admin.org_id, "free");
  expect((await client.get("/contracts")).headers["ratelimit-policy"]).toBe('"key";q=30;w=60');
  expect(await admin.client.post("/api-keys", { name: "x" })).toMatchObject(errorReply(403, "tier_required"));
  const regenerated = await admin.client.post(`/api-keys/${old.id}/regenerate`);
  expect(regenerated).toMatchObject(errorReply(403, "tier_required"));
  expect(regenerated.text).toContain("revoked on every tier");
  expect((await admin.client.delete(`/api-keys/${old.id}`)).status).toBe(200);
});

test("the rate limit of a key is exact, reports the wait and follows a tier change at once", async () => {
  const admin = await proAdmin();
  const client = await makeKeyClient(h, admin);
  const burst: Awaited<ReturnType<typeof client.get>>[] = [];
  // More at once would exceed the connections of an organisation on a busy machine.
  while (burst.length < 310)
    burst.push(...(await Promise.all(Array.from({ length: 10 }, () => client.get("/contracts")))));
  expect(countByStatus(burst)).toEqual({ 200: 300, 429: 10 });
  const over = burst.find(({ status }) => status === 429);
  expect(over?.body).toMatchObject({ code: "rate_limited" });
  expect(Number(over?.headers["retry-after"])).toBeGreaterThan(50);
  expect(over?.headers.ratelimit).toMatch(/^"key";r=0;t=\d+$/);
  await h.setTier(admin.org_id, "team");
  const better = await client.get("/contracts");
  expect([better.status, better.headers.ratelimit]).toEqual([200, expect.stringMatching(/^"key";r=899;/)]);
  await h.setTier(admin.org_id, "pro");
  expect((await client.get("/contracts")).status).toBe(429);
  h.clock.advance(61);
  expect((await client.get("/contracts")).headers.ratelimit).toMatch(/^"key";r=299;t=60$/);
});

test("rejected requests with a key carry the RateLimit header", async () => {
  const admin = await proAdmin();
  const client = await makeKeyClient(h, admin, { scope: "read_only" });
  const replies = [
    await client.post("/contracts", { chain: "local", address: `0x${"1".repeat(40)}` }),
    await client.get(`/contracts/${unknownId}`),
    await client.get("/contracts/nonsense"),
    await client.get("/auth/me"),
  ];
  expect(replies.map(({ status }) => status)).toEqual([403, 404, 422, 403]);
  expect(replies.map(({ headers }) => headers.ratelimit?.split(";")[1])).toEqual([
    "r=299",
    "r=298",
    "r=297",
    "r=296",
  ]);
});

test("key usage is counted per day, including today, and is persisted", async () => {
  const admin = await teamAdmin(h);
  const [first, second] = [await makeKey(admin, { name: "One" }), await makeKey(admin, { name: "Two" })];
  const [keyClient, two] = [new KeyClient(h, first.key), new KeyClient(h, second.key)];
  await keyClient.get("/contracts");
  await keyClient.get(`/contracts/${unknownId}`);
  await two.get("/contracts");
  const { flushUsage } = await import("../../../src/domain/orgs/key-usage.ts");
  const usage = async (id: string) => (await admin.client.get(`/api-keys/${id}/usage`)).body as ApiKeyUsage;
  expect((await usage(first.id)).today).toMatchObject({ requests: 2, errors: 1 });
  await flushUsage(h.app);
  await keyClient.get("/contracts");
  expect((await usage(first.id)).today).toMatchObject({ requests: 3, errors: 1 });
  const yesterday = (await usage(first.id)).today.date;

  h.clock.advance(day);
  await keyClient.get("/contracts");
  const later = await usage(first.id);
  expect(later.days).toHaveLength(30);
  expect(later.days.at(-2)).toEqual({ date: yesterday, requests: 3, errors: 1 });
  expect(later.days.at(-1)).toEqual({ ...later.today, requests: 1, errors: 0 });
  const summary = (await admin.client.get("/api-keys/usage/summary")).body as ApiKeyUsageSummary;
  expect(summary.today).toMatchObject({ requests: 1, errors: 0 });
  expect(summary.days.at(-2)).toMatchObject({ requests: 4, errors: 1 });
  expect(summary.keys.map(({ name, requests, errors }) => [name, requests, errors]).sort()).toEqual([
    ["One", 4, 1],
    ["Two", 1, 0],
  ]);
  expect((await listed(admin)).find(({ id }) => id === first.id)?.last_used_at).not.toBeNull();
  h.clock.advance(31 * day);
  expect((await h.anonymous().get("/status")).status).toBe(200);
});

test("key usage that cannot be written stays counted", async () => {
  const admin = await teamAdmin(h);
  const { id, key } = await makeKey(admin);
  await new KeyClient(h, key).get("/contracts");
  await expect(h.app.usage.flush(() => Promise.reject(new Error("the disk is full")))).rejects.toThrow();
  expect((await admin.client.get(`/api-keys/${id}/usage`)).body).toMatchObject({ today: { requests: 1 } });
});

test("a key's attempt at a session-only operation is recorded in the audit log", async () => {
  const admin = await teamAdmin(h);
  const key = new KeyClient(h, (await makeKey(admin, { name: "Curious" })).key);
  expect((await key.post("/api-keys", { name: "More" })).status).toBe(403);
  const [entry] = await audited(admin, "api_key.scope_denied");
  expect(entry?.details).toEqual({
    name: "Curious",
    operation: "createApiKey",
    reason: "session_required",
  });
});

test("a contract hidden from the caller is not listed in a key's scope", async () => {
  const admin = await teamAdmin(h);
  const viewer = await join(h, admin, "viewer");
  await viewer.client.post(`/orgs/${admin.org_id}/switch`);
  const [open, hidden] = [await addContract(admin), await addContract(admin)];
  await admin.client.post(`/contracts/${hidden.id}/access`, { user_id: admin.user.id, role: "viewer" });
  await makeKey(admin, { contract_scope: [open.id, hidden.id] });
  expect((await listed(viewer)).map((key) => key.contract_scope)).toEqual([[open.id]]);
  expect((await listed(admin)).map((key) => key.contract_scope)).toEqual([[open.id, hidden.id]]);
});

test("a key creation is recorded in the audit log without the secret", async () => {
  const admin = await proAdmin();
  const made = await makeKey(admin, { name: "Deploys" });
  const [entry] = await audited(admin, "api_key.created");
  expect(entry).toMatchObject({
    actor: { type: "user", id: admin.user.id },
    subject: { type: "api_key", id: made.id },
    details: { name: "Deploys", scope: "read_write" },
  });
  expect(JSON.stringify(entry)).not.toContain(made.key.slice(10));
});

test("a key is read by its id, active or not, and never with its secret", async () => {
  const admin = await proAdmin();
  const { key, ...made } = await makeKey(admin);
  expect(await admin.client.get(`/api-keys/${made.id}`)).toMatchObject({ status: 200, body: made });
  await admin.client.delete(`/api-keys/${made.id}`);
  const revoked = await admin.client.get(`/api-keys/${made.id}`);
  expect(revoked.body).toMatchObject({ id: made.id, is_active: false });
  expect(revoked.text).not.toContain(key.slice(20));
});

test("a renamed key keeps working, and the audit log has its new name from then on", async () => {
  const admin = await proAdmin();
  const made = await makeKey(admin, { name: "Old", scope: "read_only" });
  const client = new KeyClient(h, made.key);
  expect((await client.get("/contracts")).status).toBe(200);
  const { key: _, ...shown } = made;
  const renamed = await admin.client.patch(`/api-keys/${made.id}`, { name: "New" });
  expect(renamed).toMatchObject({
    status: 200,
    body: { ...shown, name: "New", last_used_at: expect.anything() },
  });
  expect((await client.post("/contracts", {})).status).toBe(403);
  expect((await audited(admin, "api_key.scope_denied"))[0]?.details).toMatchObject({ name: "New" });
  expect((await audited(admin, "api_key.renamed"))[0]?.details).toEqual({ old_name: "Old", name: "New" });
});
