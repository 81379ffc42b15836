import { expect, test } from "vitest";
import { deleteOldData } from "../../../src/jobs/delete-old-data.ts";
import type { OrgSummary } from "../../../src/wire/orgs/orgs.ts";
import { goodPassword, harness, type Person } from "../../support/harness.ts";
import { addContractWithRule, recordEvent } from "../contracts/contract-steps.ts";
import { day, errorReply, join, teamAdmin, unknownId } from "../steps.ts";
import { makeKeyClient } from "./keys.ts";

const h = await harness();

const leave = ({ client }: Person, org_id: string) => client.post(`/orgs/${org_id}/leave`);
const remove = ({ client }: Person, org_id: string, name: string) =>
  client.delete(`/orgs/${org_id}`, { query: { name } });
const deleteAccount = ({ client }: Person, password = goodPassword) =>
  client.post("/auth/delete-account", { password });
const nameOf = async ({ client }: Person, org_id: string) =>
  ((await client.get(`/orgs/${org_id}`)).body as OrgSummary).name;
const auditOf = (org_id: string | null, action: string) =>
  h.app.db
    .selectFrom("audit_log")
    .selectAll()
    .where("org_id", org_id ? "=" : "is", org_id)
    .where("action", "=", action)
    .execute();

async function enterprise() {
  const admin = await teamAdmin(h);
  await h.setTier(admin.org_id, "enterprise");
  return admin;
}

test("leaving and deleting an org need a session of a member, and deleting the role of an admin", async () => {
  const admin = await enterprise();
  const outsider = await h.person();
  const key = { client: await makeKeyClient(h, admin) } as unknown as Person;
  const anonymous = { client: h.anonymous() } as unknown as Person;
  const name = await nameOf(admin, admin.org_id);
  for (const role of ["viewer", "member"] as const) {
    const person = await join(h, admin, role);
    expect(await remove(person, admin.org_id, name)).toMatchObject(errorReply(403, "admin_required"));
    expect((await leave(person, admin.org_id)).status).toBe(204);
    expect(await leave(person, admin.org_id)).toMatchObject(errorReply(404, "not_found"));
  }
  for (const attempt of [leave, (person: Person, org_id: string) => remove(person, org_id, name)]) {
    expect(await attempt(anonymous, admin.org_id)).toMatchObject(errorReply(401, "unauthenticated"));
    expect(await attempt(key, admin.org_id)).toMatchObject(errorReply(403, "session_required"));
    for (const org_id of [admin.org_id, unknownId])
      expect(await attempt(outsider, org_id)).toMatchObject(errorReply(404, "not_found"));
  }
});

test("who leaves an org acts for another of theirs, and the last admin cannot leave", async () => {
  const admin = await enterprise();
  const member = await join(h, admin, "member");
  expect(await leave(admin, admin.org_id)).toMatchObject(errorReply(409, "last_admin"));
  expect((await leave(member, admin.org_id)).status).toBe(204);
  expect((await member.client.get("/auth/me")).body).toMatchObject({ active_org_id: member.org_id });
  expect(await auditOf(admin.org_id, "member.left")).toMatchObject([
    { actor_id: member.user.id, subject_id: member.user.id, details: { role: "member" } },
  ]);
});

test("of two admins who leave at once, one stays", async () => {
  const admin = await enterprise();
  const other = await join(h, admin, "admin");
  const replies = await Promise.all([leave(admin, admin.org_id), leave(other, admin.org_id)]);
  expect(replies.map(({ status }) => status).sort()).toEqual([204, 409]);
});

test("a deleted org is gone with all that it configured, and its history after the retention of Free", async () => {
  const admin = await enterprise();
  const member = await join(h, admin, "member");
  const { org_id } = admin;
  const about = await addContractWithRule(admin);
  const event_id = await recordEvent(h, org_id, about);
  await admin.client.post("/channels", {
    type: "pagerduty",
    name: "Duty",
    config: { routing_key: "0".repeat(32) },
  });
  await admin.client.post("/silences", { all: true, reason: "Planned", ends_at: "2999-01-01T00:00:00Z" });
  await admin.client.post(`/orgs/${org_id}/invites`, { email: "late@example.com", role: "viewer" });
  const key = await makeKeyClient(h, admin);
  const name = await nameOf(admin, org_id);
  expect(await remove(admin, org_id, `${name}!`)).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ["query", "name"] }] },
  });
  expect((await remove(admin, org_id, name)).status).toBe(204);
  for (const person of [admin, member]) {
    expect((await person.client.get(`/orgs/${org_id}`)).status).toBe(404);
    expect((await person.client.get("/orgs")).text).not.toContain(org_id);
  }
  expect((await key.get("/contracts")).status).toBe(401);
  for (const table of ["contracts", "targets", "alert_rules", "channels", "silences", "memberships"] as const)
    expect([
      table,
      await h.app.db.selectFrom(table).select("org_id").where("org_id", "=", org_id).execute(),
    ]).toEqual([table, []]);
  const events = () =>
    h.app.db.selectFrom("alert_events").select("status").where("id", "=", event_id).execute();
  expect(await events()).toEqual([{ status: "resolved" }]);
  h.clock.advance(8 * day);
  while ((await deleteOldData.run(h.app)).hasMore);
  expect(await events()).toEqual([]);
  expect(await auditOf(org_id, "org.deleted")).toMatchObject([
    { actor_id: admin.user.id, details: { name } },
  ]);
});

test("an org with a subscription is not deleted", async () => {
  const admin = await enterprise();
  const now = h.clock.now();
  const subscription = { subscription_id: "sub_1", status: "active", tier: "pro" } as const;
  await h.app.db
    .insertInto("billing_accounts")
    .values({ org_id: admin.org_id, customer_id: "cus_1", ...subscription, created_at: now, updated_at: now })
    .execute();
  const name = await nameOf(admin, admin.org_id);
  expect(await remove(admin, admin.org_id, name)).toMatchObject(errorReply(409, "subscription_active"));
  expect(await deleteAccount(admin)).toMatchObject(errorReply(409, "subscription_active"));
  await h.app.db
    .updateTable("billing_accounts")
    .set({ status: "canceled" })
    .where("org_id", "=", admin.org_id)
    .execute();
  expect((await remove(admin, admin.org_id, name)).status).toBe(204);
});

test("a deleted account cannot log in, leaves no name or address but in the audit log, and its address is free", async () => {
  const admin = await enterprise();
  const person = await join(h, admin, "member");
  const { email, id } = person.user;
  expect(await deleteAccount(person, "a wrong guess")).toMatchObject(errorReply(400, "wrong_password"));
  expect(await deleteAccount(person)).toMatchObject({ status: 200 });
  expect(person.client.cookies.has("access_token")).toBe(false);
  const again = await h.anonymous().post("/auth/login", { email, password: goodPassword });
  expect(again).toMatchObject(errorReply(401, "invalid_credentials"));
  expect((await admin.client.get(`/orgs/${admin.org_id}/members`)).text).not.toContain(id);
  const [row] = await h.app.db.selectFrom("users").selectAll().where("id", "=", id).execute();
  expect(JSON.stringify(row)).not.toContain(email);
  expect(await auditOf(admin.org_id, "member.left")).toMatchObject([{ actor_id: id, actor_name: "member" }]);
  // Their personal org had no other member.
  expect(await auditOf(person.org_id, "org.deleted")).toHaveLength(1);
  const renewed = await h.anonymous().post("/auth/signup", { email, password: goodPassword });
  expect(renewed).toMatchObject({ status: 200 });
});

test("the last admin of an org with other members cannot delete their account", async () => {
  const admin = await enterprise();
  const member = await join(h, admin, "member");
  expect(await deleteAccount(admin)).toMatchObject(errorReply(409, "last_admin"));
  await admin.client.patch(`/orgs/${admin.org_id}/members/${member.user.id}`, { role: "admin" });
  expect((await deleteAccount(admin)).status).toBe(200);
  expect((await member.client.get(`/orgs/${admin.org_id}/members`)).body).toMatchObject([
    { user_id: member.user.id },
  ]);
});
