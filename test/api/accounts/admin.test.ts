import { expect, test } from "vitest";
import { createStaff } from "../../../src/domain/accounts/staff.ts";
import { systemCaller } from "../../../src/domain/caller.ts";
import { paramNames } from "../../../src/http/operation.ts";
import { operations } from "../../../src/http/routes/index.ts";
import type { AdminChain, AdminOrg, AdminSignup } from "../../../src/wire/accounts/admin.ts";
import type { Client } from "../../support/client.ts";
import { goodPassword, harness } from "../../support/harness.ts";
import { day, errorReply, unknownId } from "../steps.ts";

const h = await harness({ env: { SIGNUP_MODE: "open", RPC_BASE: "https://rpc.example" } });
const gated = await harness({ env: { SIGNUP_MODE: "approval" } });
const onHttps = await harness({ env: { PUBLIC_URL: "https://tocsin.example" } });

const staffOperations = operations.filter((operation) => operation.policy.who === "staff");
const examples: Record<string, object> = {
  updateAnyOrg: { tier: "team" },
  switchChain: { is_enabled: true },
};

function call(client: Client, { id, method, path }: (typeof operations)[number]) {
  const url = paramNames(path).reduce(
    (text, name) => text.replace(`{${name}}`, name === "chain" ? "base" : unknownId),
    path,
  );
  return client.request(method, url, examples[id]);
}

const logIn = async (client: Client, email: string, password = goodPassword) =>
  client.post("/admin/login", { email, password });
const newStaff = async (email: string) =>
  void (await createStaff(h.app, systemCaller, { email, name: "Staff", password: goodPassword }));

test("the set of staff operations is the expected one", () => {
  expect(staffOperations.map((staffOperation) => staffOperation.id).sort()).toEqual([
    "approveSignupAsStaff",
    "getHealth",
    "listAllChains",
    "listAllOrgs",
    "listSignups",
    "rejectSignupAsStaff",
    "switchChain",
    "updateAnyOrg",
  ]);
});

test("a staff log-in sets a separate cookie with SameSite=Strict", async () => {
  await newStaff("boss@example.com");
  const reply = await logIn(h.anonymous(), "Boss@Example.com");
  expect(reply).toMatchObject({ status: 200, body: { email: "boss@example.com", name: "Staff" } });
  expect(reply.headers["set-cookie"]).toMatch(
    /^admin_token=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/,
  );
  await createStaff(onHttps.app, systemCaller, {
    email: "boss@example.com",
    name: "S",
    password: goodPassword,
  });
  expect((await logIn(onHttps.anonymous(), "boss@example.com")).headers["set-cookie"]).toContain("Secure");
});

test("a staff log-in answers alike for a wrong password, an unknown address and a user's account", async () => {
  await newStaff("alike@example.com");
  const { user } = await h.person();
  const replies = [
    await logIn(h.anonymous(), "alike@example.com", "not the right one"),
    await logIn(h.anonymous(), "unknown@example.com"),
    await logIn(h.anonymous(), user.email),
  ];
  for (const reply of replies) {
    expect(reply).toMatchObject(errorReply(401, "invalid_credentials"));
    expect(reply.text).toBe(replies[0]?.text);
  }
  expect(
    await h.anonymous().post("/auth/login", { email: "alike@example.com", password: goodPassword }),
  ).toMatchObject(errorReply(401, "invalid_credentials"));
});

test.each(staffOperations.map((staffOperation) => [staffOperation.id, staffOperation] as const))(
  "%s answers users and anonymous callers with 404, as an unknown path does",
  async (_id, operation) => {
    const { client } = await h.person();
    const unknown = await h.anonymous().get("/no-such-path");
    for (const caller of [h.anonymous(), client]) {
      expect(await call(caller, operation)).toMatchObject({ status: 404, body: unknown.body });
      const options = await caller.request("OPTIONS", operation.path, undefined);
      expect(options).toMatchObject({ status: 404, body: unknown.body });
      expect(options.headers.allow).toBeUndefined();
    }
    const status = (await call(await h.staff(), operation)).status;
    expect([200, 404]).toContain(status);
  },
);

test("a user's token in the staff cookie is rejected, and a staff token in the user cookie", async () => {
  const { client } = await h.person();
  const staff = await h.staff();
  const [asStaff, asUser] = [h.anonymous(), h.anonymous()];
  asStaff.cookies.set("admin_token", client.cookies.get("access_token") ?? "");
  asUser.cookies.set("access_token", staff.cookies.get("admin_token") ?? "");
  expect(await asStaff.get("/admin/health")).toMatchObject(errorReply(401, "unauthenticated"));
  expect(await asUser.get("/auth/me")).toMatchObject(errorReply(401, "session_expired"));
  expect(await staff.get("/auth/me")).toMatchObject(errorReply(401, "unauthenticated"));
  expect(await staff.get("/orgs")).toMatchObject(errorReply(401, "unauthenticated"));
});

test("one browser can hold a user and a staff session, and logging out ends both", async () => {
  const { client } = await h.person();
  await newStaff("both@example.com");
  await logIn(client, "both@example.com");
  const copy = h.anonymous();
  for (const [name, value] of client.cookies) copy.cookies.set(name, value);
  expect((await client.get("/admin/health")).status).toBe(200);
  expect((await client.get("/auth/me")).status).toBe(200);
  expect((await client.post("/auth/logout")).status).toBe(200);
  expect(client.cookies.size).toBe(0);
  expect(await copy.get("/auth/me")).toMatchObject(errorReply(401, "session_expired"));
  expect(await copy.get("/admin/health")).toMatchObject(errorReply(401, "unauthenticated"));
});

test("logging in again as staff ends the previous staff session of the browser", async () => {
  await newStaff("again@example.com");
  const client = h.anonymous();
  await logIn(client, "again@example.com");
  const before = h.anonymous();
  before.cookies.set("admin_token", client.cookies.get("admin_token") ?? "");
  await logIn(client, "again@example.com");
  expect((await client.get("/admin/health")).status).toBe(200);
  expect((await before.get("/admin/health")).status).toBe(401);
});

test("a staff session ends after one idle day and after seven days in any case", async () => {
  const [idle, busy] = [await h.staff(), await h.staff()];
  for (let hours = 0; hours < 7 * 24 - 12; hours += 12) {
    h.clock.advance(day / 2);
    expect((await busy.get("/admin/health")).status).toBe(200);
  }
  expect((await idle.get("/admin/health")).status).toBe(401);
  h.clock.advance(day / 2 + 1);
  expect((await busy.get("/admin/health")).status).toBe(401);
});

test("staff list sign-ups by status, oldest first, and can decide each only once", async () => {
  const staff = await gated.staff();
  const people = [await gated.person("one"), await gated.person("two"), await gated.person("three")];
  const list = async (query: Record<string, string> = {}) =>
    (await staff.get("/admin/signups", { query })).body as AdminSignup[];
  const pending = await list();
  expect(pending.map((one) => one.email)).toEqual(people.map((person) => person.user.email));
  expect(await list({ limit: "1", offset: "1" })).toEqual([pending[1]]);
  const [first, second] = pending.map((one) => `/admin/signups/${one.id}`);
  expect(await staff.post(`${first}/approve`)).toMatchObject({ status: 200, body: { status: "active" } });
  expect(await staff.post(`${second}/reject`)).toMatchObject({ status: 200, body: { status: "rejected" } });
  for (const url of [`${first}/approve`, `${first}/reject`, `${second}/approve`, `${second}/reject`]) {
    expect(await staff.post(url)).toMatchObject(errorReply(410, "link_used"));
  }
  expect((await list({ status: "approved" })).map((one) => one.name)).toEqual(["one"]);
  expect((await list({ status: "rejected" })).map((one) => one.name)).toEqual(["two"]);
  expect((await list()).map((one) => one.name)).toEqual(["three"]);
  expect((await staff.get("/admin/signups", { query: { status: "lost" } })).status).toBe(422);
});

test("a sign-up decision by staff is recorded in the audit log with its author", async () => {
  const staff = await gated.staff();
  const { user } = await gated.person("recorded");
  const pending = (await staff.get("/admin/signups", { query: { limit: "200" } })).body as AdminSignup[];
  const id = pending.find((one) => one.email === user.email)?.id;
  await staff.post(`/admin/signups/${id}/approve`);
  const rows = await gated.app.db
    .selectFrom("audit_log")
    .selectAll()
    .where("subject_id", "=", user.id)
    .where("action", "=", "signup.approved")
    .execute();
  expect(rows).toMatchObject([
    { actor_type: "staff", actor_name: "Staff", details: { method: "staff", admin_id: rows[0]?.actor_id } },
  ]);
});

test("staff get 404 for an unknown sign-up, org or chain", async () => {
  const staff = await h.staff();
  for (const reply of [
    await staff.post(`/admin/signups/${unknownId}/approve`),
    await staff.post(`/admin/signups/${unknownId}/reject`),
    await staff.patch(`/admin/orgs/${unknownId}`, { tier: "pro" }),
    await staff.patch("/admin/chains/atlantis", { is_enabled: true }),
    await staff.patch("/admin/chains/__proto__", { is_enabled: true }),
  ]) {
    expect(reply).toMatchObject(errorReply(404, "not_found"));
  }
});

test("staff list every org, newest first, and can set its tier and feature flags", async () => {
  const staff = await h.staff();
  const { org_id, client } = await h.person("newest");
  const list = async () => (await staff.get("/admin/orgs", { query: { limit: "1" } })).body as AdminOrg[];
  expect(await list()).toMatchObject([{ id: org_id, tier: "free", members: 1, feature_flags: {} }]);
  const patch = (body: object) => staff.patch(`/admin/orgs/${org_id}`, body);
  expect((await patch({ tier: "enterprise" })).body).toMatchObject({ tier: "enterprise", feature_flags: {} });
  expect((await patch({ feature_flags: { bridge_detection: true } })).body).toMatchObject({
    tier: "enterprise",
    feature_flags: { bridge_detection: true },
  });
  expect((await client.get(`/orgs/${org_id}`)).body).toMatchObject({ tier: "enterprise" });
  for (const body of [{}, { tier: "gold" }, { feature_flags: { teleport: true } }, { name: "x" }]) {
    expect((await patch(body)).status).toBe(422);
  }
});

test("a chain is enabled if it has an RPC URL and staff have not disabled it", async () => {
  const staff = await h.staff();
  const chains = async () => (await staff.get("/admin/chains")).body as AdminChain[];
  const base = async () => (await chains()).find((chain) => chain.chain === "base");
  expect(await base()).toMatchObject({ chain_id: 8453, has_rpc: true, is_enabled: true });
  expect((await staff.patch("/admin/chains/base", { is_enabled: false })).body).toMatchObject({
    is_enabled: false,
  });
  expect(await base()).toMatchObject({ is_enabled: false });
  expect((await staff.patch("/admin/chains/base", { is_enabled: true })).body).toMatchObject({
    is_enabled: true,
  });
  expect((await staff.patch("/admin/chains/polygon", { is_enabled: true })).body).toMatchObject({
    has_rpc: false,
    is_enabled: false,
  });
  expect((await staff.get("/admin/chains")).text).not.toContain("rpc.example");
  const rows = await h.app.db
    .selectFrom("audit_log")
    .select("action")
    .where("subject_id", "=", "base")
    .execute();
  expect(rows.map((row) => row.action)).toEqual(expect.arrayContaining(["chain.disabled", "chain.enabled"]));
});

test("the health operation reports the version, pending migrations and mail failures", async () => {
  const reply = await (await h.staff()).get("/admin/health");
  expect(reply).toMatchObject({
    status: 200,
    body: { version: h.app.config.version, pending_migrations: [], mail: { kind: "folder", failed: 0 } },
  });
});

test("a staff log-in is recorded in the audit log", async () => {
  const client = h.anonymous();
  await newStaff("recorded@example.com");
  const reply = await logIn(client, "recorded@example.com");
  const rows = await h.app.db
    .selectFrom("audit_log")
    .selectAll()
    .where("request_id", "=", reply.headers["x-request-id"] ?? "")
    .execute();
  expect(rows).toMatchObject([
    { action: "staff.logged_in", actor_type: "staff", ip: client.ip, org_id: null },
  ]);
});
