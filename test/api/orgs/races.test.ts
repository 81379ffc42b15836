import { sql } from "kysely";
import { afterEach, expect, test } from "vitest";
import type { Faults } from "../../../src/faults.ts";
import type { AdminSignup } from "../../../src/wire/accounts/admin.ts";
import type { Client, Reply } from "../../support/client.ts";
import { goodPassword, type Harness, harness, type Person } from "../../support/harness.ts";
import { countByStatus, invite, join, sendConcurrently, teamAdmin, untilLockWait } from "../steps.ts";

let onFault: Faults["hit"] = () => undefined;
const h = await harness({ faults: { hit: (point) => onFault(point) } });
const gated = await harness({ env: { SIGNUP_MODE: "approval", STAFF_EMAIL: "gate@example.com" } });

afterEach(() => {
  onFault = () => undefined;
});

const anonymousClients = (size: number, of: Harness = h) =>
  Array.from({ length: size }, () => of.anonymous());
const rounds = Array.from({ length: 5 }, (_, index) => index + 1);
const auditCount = async (of: Harness, action: string, subject_id: string) => {
  const query = of.app.db.selectFrom("audit_log").select("id").where("action", "=", action);
  return (await query.where("subject_id", "=", subject_id).execute()).length;
};
const adminsOf = async (org_id: string) => {
  const query = h.app.db.selectFrom("memberships").select("user_id").where("org_id", "=", org_id);
  return (await query.where("role", "=", "admin").execute()).length;
};

async function resetTokenFor({ user }: Person): Promise<string> {
  await h.anonymous().post("/auth/forgot-password", { email: user.email });
  return h.mailedToken(user.email);
}

type Move = (actor: Person, target: Person, org_id: string) => Promise<Reply>;
const demote: Move = (actor, target, org_id) =>
  actor.client.patch(`/orgs/${org_id}/members/${target.user.id}`, { role: "member" });
const remove: Move = (actor, target, org_id) =>
  actor.client.delete(`/orgs/${org_id}/members/${target.user.id}`);

test.each<[string, Move, Move]>([
  ["demote each other", demote, demote],
  ["remove each other", remove, remove],
  ["demote and remove each other", demote, remove],
])("when two admins %s concurrently, one stays admin", async (_what, first, second) => {
  for (const _round of rounds) {
    const ada = await teamAdmin(h);
    const bob = await join(h, ada, "admin");
    const replies = await Promise.all([first(ada, bob, ada.org_id), second(bob, ada, ada.org_id)]);
    expect(replies.filter((reply) => reply.status < 300)).toHaveLength(1);
    expect(await adminsOf(ada.org_id)).toBe(1);
  }
});

test("when the last two admins give up the role concurrently, one stays admin", async () => {
  for (const _round of rounds) {
    const ada = await teamAdmin(h);
    const bob = await join(h, ada, "admin");
    const replies = await Promise.all([demote(ada, ada, ada.org_id), remove(bob, bob, ada.org_id)]);
    expect(replies.map((reply) => reply.status)).toContain(409);
    expect(await adminsOf(ada.org_id)).toBe(1);
  }
});

test("sixteen concurrent acceptances of an invite add one member", async () => {
  const [admin, guest] = [await teamAdmin(h), await h.person()];
  const token = await invite(admin, guest.user.email);
  const send = (client: Client) => client.post(`/invites/${token}/accept`);
  expect(countByStatus(await sendConcurrently(Array(16).fill(guest.client), send))).toEqual({
    204: 1,
    410: 15,
  });
  expect((await admin.client.get(`/orgs/${admin.org_id}/members`)).body).toHaveLength(2);
});

test("an invite accepted and revoked concurrently ends as either accepted or revoked", async () => {
  for (const _round of rounds) {
    const [admin, guest] = [await teamAdmin(h), await h.person()];
    const token = await invite(admin, guest.user.email);
    const [row] = (await admin.client.get(`/orgs/${admin.org_id}/invites`)).body as { id: string }[];
    const replies = await Promise.all([
      guest.client.post(`/invites/${token}/accept`),
      admin.client.delete(`/orgs/${admin.org_id}/invites/${row?.id}`),
    ]);
    expect(replies.filter((reply) => reply.status === 204)).toHaveLength(1);
  }
});

test("eight invites accepted concurrently do not exceed the tier's quota", async () => {
  const admin = await teamAdmin(h);
  const guests = await Promise.all(Array.from({ length: 8 }, () => h.person()));
  const tokens = await Promise.all(guests.map((guest) => invite(admin, guest.user.email)));
  await h.setTier(admin.org_id, "pro");
  const replies = await Promise.all(
    guests.map((guest, index) => guest.client.post(`/invites/${tokens[index]}/accept`)),
  );
  expect(countByStatus(replies)).toEqual({ 204: 2, 403: 6 });
  expect((await admin.client.get(`/orgs/${admin.org_id}/members`)).body).toHaveLength(3);
});

test("eight concurrent invites to one address create one invite", async () => {
  const admin = await teamAdmin(h);
  const body = { email: "wanted@example.com", role: "member" };
  const send = (client: Client) => client.post(`/orgs/${admin.org_id}/invites`, body);
  expect(countByStatus(await sendConcurrently(Array(8).fill(admin.client), send))).toEqual({
    201: 1,
    409: 7,
  });
});

test("a sign-up approved sixteen times concurrently is approved once", async () => {
  const { user } = await gated.person();
  const token = await gated.mailedToken("gate@example.com");
  const replies = await sendConcurrently(anonymousClients(16, gated), (client) =>
    client.post(`/signup-approvals/${token}/approve`),
  );
  expect(countByStatus(replies)).toEqual({ 200: 1, 410: 15 });
  expect(await auditCount(gated, "signup.approved", user.id)).toBe(1);
  await gated.runJobs();
  expect(gated.mails.filter((mail) => mail.to === user.email && /ready/.test(mail.subject))).toHaveLength(1);
});

test("a sign-up approved by link and rejected by staff concurrently ends as either", async () => {
  const staff = await gated.staff();
  for (const _round of rounds) {
    const { user } = await gated.person();
    const token = await gated.mailedToken("gate@example.com");
    const pending = (await staff.get("/admin/signups", { query: { limit: "200" } })).body as AdminSignup[];
    const id = pending.find((one) => one.email === user.email)?.id;
    const replies = await Promise.all([
      gated.anonymous().post(`/signup-approvals/${token}/approve`),
      staff.post(`/admin/signups/${id}/reject`),
    ]);
    expect(countByStatus(replies)).toEqual({ 200: 1, 410: 1 });
    const row = await gated.app.db
      .selectFrom("users")
      .select("status")
      .where("id", "=", user.id)
      .executeTakeFirst();
    expect(row?.status).toBe(replies[0]?.status === 200 ? "active" : "rejected");
  }
});

test("a reset token used sixteen times concurrently sets one password", async () => {
  const person = await h.person();
  const token = await resetTokenFor(person);
  const passwords = Array.from({ length: 16 }, (_, index) => `unrelated words number ${index} here`);
  const replies = await Promise.all(
    passwords.map((new_password) => h.anonymous().post("/auth/reset-password", { token, new_password })),
  );
  expect(countByStatus(replies)).toEqual({ 200: 1, 400: 15 });
  const winner = passwords[replies.findIndex((reply) => reply.status === 200)];
  const login = await h.anonymous().post("/auth/login", { email: person.user.email, password: winner });
  expect(login.status).toBe(200);
});

test("two reset tokens of one account used concurrently set one password", async () => {
  for (const _round of rounds.slice(0, 2)) {
    const person = await h.person();
    const tokens = [await resetTokenFor(person), await resetTokenFor(person)];
    const replies = await Promise.all(
      tokens.map((token) =>
        h.anonymous().post("/auth/reset-password", { token, new_password: "entirely other words" }),
      ),
    );
    expect(countByStatus(replies)).toEqual({ 200: 1, 400: 1 });
  }
});

test("a verification link opened eight times concurrently succeeds each time", async () => {
  const { user } = await h.mailedPerson();
  const token = await h.mailedToken(user.email);
  const replies = await sendConcurrently(anonymousClients(8), (client) =>
    client.get("/auth/verify-email", { query: { token } }),
  );
  expect(countByStatus(replies)).toEqual({ 200: 8 });
});

test("eight concurrent sign-ups with one address create one account and one org", async () => {
  const body = { email: "eager@example.com", password: goodPassword, org_name: "Eager" };
  const replies = await sendConcurrently(anonymousClients(8), (client) => client.post("/auth/signup", body));
  expect(countByStatus(replies)).toEqual({ 200: 1, 409: 7 });
  expect(await h.app.db.selectFrom("orgs").select("id").where("name", "=", "Eager").execute()).toHaveLength(
    1,
  );
});

test("twelve concurrent verification resends send three mails", async () => {
  const { client } = await h.person();
  const send = (one: Client) => one.post("/auth/resend-verification");
  expect(countByStatus(await sendConcurrently(Array(12).fill(client), send))).toEqual({ 200: 3, 429: 9 });
});

test("concurrent creations of orgs do not exceed a user's limit", async () => {
  const { client } = await h.person();
  for (let count = 1; count < 99; count++) await client.post("/orgs", { name: `Org ${count}` });
  const replies = await sendConcurrently(Array(8).fill(client), (one) =>
    one.post("/orgs", { name: "The last" }),
  );
  expect(countByStatus(replies)).toEqual({ 201: 1, 403: 7 });
});

test("the session of a log-in with the old password ends with a concurrent password reset", async () => {
  const person = await h.person();
  const token = await resetTokenFor(person);
  const late = h.anonymous();
  let reset: Promise<Reply> | undefined;
  onFault = async (point) => {
    if (point !== "write.before_commit" || reset) return;
    reset = h.anonymous().post("/auth/reset-password", { token, new_password: "entirely other words" });
    await untilLockWait(h, reset);
  };
  await late.post("/auth/login", { email: person.user.email, password: goodPassword });
  expect((await reset)?.status).toBe(200);
  expect((await late.get("/auth/me")).status).toBe(401);
});

test("a log-in that verified the old password before a password reset is rejected", async () => {
  const { user } = await h.person();
  const entry = sql`select from users where id = ${user.id} for update`;
  let login: Promise<Reply> | undefined;
  await h.app.db.transaction().execute(async (tx) => {
    await entry.execute(tx);
    login = h.anonymous().post("/auth/login", { email: user.email, password: goodPassword });
    await untilLockWait(h, login);
    await tx.updateTable("users").set({ password_hash: "changed" }).where("id", "=", user.id).execute();
  });
  expect(await login).toMatchObject({ status: 401, body: { code: "invalid_credentials" } });
});
