import { expect, test } from "vitest";
import { tierLimits } from "../../../src/tiers.ts";
import type { User } from "../../../src/wire/accounts/auth.ts";
import type { Invite } from "../../../src/wire/orgs/invites.ts";
import { goodPassword, harness, type Person } from "../../support/harness.ts";
import { day, dump, errorReply, invite, join, teamAdmin, unknownId } from "../steps.ts";

const h = await harness();
const withMail = await harness({ env: { SMTP_URL: "smtp://mail.example" } });

const create = (admin: Person, email: string, role = "member") =>
  admin.client.post(`/orgs/${admin.org_id}/invites`, { email, role });
const list = async (admin: Person) =>
  (await admin.client.get(`/orgs/${admin.org_id}/invites`)).body as Invite[];
const accept = (person: Person, token: string) => person.client.post(`/invites/${token}/accept`);
const preview = (token: string) => h.anonymous().get(`/invites/${token}`);

test.each(["free", "pro"] as const)("an org of the %s tier cannot invite members", async (tier) => {
  const admin = await h.personOn(tier);
  expect(await create(admin, "guest@example.com")).toMatchObject(errorReply(403, "tier_required"));
  expect(await list(admin)).toEqual([]);
});

test.each(["team", "enterprise"] as const)(
  "an org of the %s tier can invite members by mail",
  async (tier) => {
    const admin = await h.personOn(tier, "inviter");
    const email = `guest.${tier}@example.com`;
    const reply = await create(admin, email, "viewer");
    expect(reply).toMatchObject({
      status: 201,
      body: { email, role: "viewer", status: "pending", invited_by: "inviter" },
    });
    const { expires_at, created_at } = reply.body as Invite;
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBeLessThanOrEqual(7 * day * 1000 + 1000);
    const token = await h.mailedToken(email);
    expect((await preview(token)).body).toMatchObject({
      org_name: "inviter's organisation",
      email,
      role: "viewer",
    });
  },
);

test("the link of an invite is shown once, and only without a mail server", async () => {
  const [admin, mailed] = [await teamAdmin(h), await teamAdmin(withMail)];
  const shown = (await create(admin, "shown@example.com")).body as Invite;
  expect(shown.invite_url).toMatch(/\/links\/invite#[\w-]{43}$/);
  expect(await list(admin)).toMatchObject([{ id: shown.id, invite_url: null }]);
  expect((await create(mailed, "mailed@example.com")).body).toMatchObject({ invite_url: null });
  expect(await withMail.mailedToken("mailed@example.com")).toMatch(/^[\w-]{43}$/);
});

test("accepting an invite grants the invited role and makes the org active", async () => {
  const [admin, guest] = [await teamAdmin(h), await h.person()];
  const token = await invite(admin, guest.user.email, "viewer");
  expect((await accept(guest, token)).status).toBe(204);
  expect((await guest.client.get("/auth/me")).body).toMatchObject({ active_org_id: admin.org_id });
  expect((await guest.client.get(`/orgs/${admin.org_id}`)).body).toMatchObject({ role: "viewer" });
  expect(await list(admin)).toEqual([]);
});

test("an invite can be accepted after signing up with the address in another case", async () => {
  const admin = await teamAdmin(h);
  const token = await invite(admin, "Late.Comer@Example.com");
  const client = h.anonymous();
  const reply = await client.post("/auth/signup", {
    email: "late.comer@example.com",
    password: goodPassword,
  });
  const user = reply.body as User;
  expect((await accept({ client, user, org_id: user.active_org_id ?? "" }, token)).status).toBe(204);
});

test("an invite works once", async () => {
  const [admin, guest] = [await teamAdmin(h), await h.person()];
  const token = await invite(admin, guest.user.email);
  await accept(guest, token);
  expect(await accept(guest, token)).toMatchObject(errorReply(410, "link_used"));
  expect((await preview(token)).body).toMatchObject({ status: "accepted" });
});

test("an accepted invite does not readmit a removed member", async () => {
  const [admin, guest] = [await teamAdmin(h), await h.person()];
  const token = await invite(admin, guest.user.email);
  await accept(guest, token);
  await admin.client.delete(`/orgs/${admin.org_id}/members/${guest.user.id}`);
  expect(await accept(guest, token)).toMatchObject(errorReply(410, "link_used"));
});

test("an invite can be accepted by the invited address only, and a failed attempt does not consume it", async () => {
  const [admin, guest, thief] = [await teamAdmin(h), await h.person(), await h.person()];
  const token = await invite(admin, guest.user.email);
  expect(await accept(thief, token)).toMatchObject(errorReply(403, "invite_email_mismatch"));
  expect((await thief.client.get("/orgs")).body).toHaveLength(1);
  expect((await accept(guest, token)).status).toBe(204);
});

test("an invite expires after seven days", async () => {
  const [admin, early, late] = [await teamAdmin(h), await h.person(), await h.person()];
  const tokens = [await invite(admin, early.user.email), await invite(admin, late.user.email)] as const;
  h.clock.advance(6 * day);
  expect((await accept(early, tokens[0])).status).toBe(204);
  h.clock.advance(day + 1);
  const again = h.anonymous();
  await again.post("/auth/login", { email: late.user.email, password: goodPassword });
  expect(await accept({ ...late, client: again }, tokens[1])).toMatchObject(errorReply(410, "link_expired"));
  expect((await preview(tokens[1])).body).toMatchObject({ status: "expired" });
});

test("an expired invite is not listed, and the address can be invited again", async () => {
  const admin = await teamAdmin(h);
  const old = await invite(admin, "forgetful@example.com");
  h.clock.advance(6 * day);
  await admin.client.get("/auth/me");
  h.clock.advance(day + 1);
  expect(await list(admin)).toEqual([]);
  const token = await invite(admin, "forgetful@example.com");
  expect((await preview(token)).body).toMatchObject({ status: "pending" });
  expect((await preview(old)).body).not.toMatchObject({ status: "pending" });
});

test("a revoked invite is not listed, and its link gets 410", async () => {
  const [admin, guest] = [await teamAdmin(h), await h.person()];
  const token = await invite(admin, guest.user.email);
  const [row] = await list(admin);
  const url = `/orgs/${admin.org_id}/invites/${row?.id}`;
  expect((await admin.client.delete(url)).status).toBe(204);
  expect(await list(admin)).toEqual([]);
  expect(await accept(guest, token)).toMatchObject(errorReply(410, "link_used"));
  expect((await preview(token)).body).toMatchObject({ status: "revoked" });
  expect(await admin.client.delete(url)).toMatchObject(errorReply(404, "not_found"));
});

test("revoking an unknown, an accepted or another org's invite gets 404", async () => {
  const [admin, other, guest] = [await teamAdmin(h), await teamAdmin(h), await h.person()];
  const accepted = await invite(admin, guest.user.email);
  const [row] = await list(admin);
  await accept(guest, accepted);
  const foreign = (await create(other, "foreign@example.com")).body as Invite;
  for (const id of [unknownId, row?.id, foreign.id]) {
    expect(await admin.client.delete(`/orgs/${admin.org_id}/invites/${id}`)).toMatchObject(
      errorReply(404, "not_found"),
    );
  }
  expect(await list(other)).toHaveLength(1);
});

test("inviting a member or an invited address again in another case is rejected", async () => {
  const admin = await teamAdmin(h);
  const member = await join(h, admin, "member");
  await invite(admin, "waiting@example.com");
  expect(await create(admin, member.user.email.toUpperCase())).toMatchObject(
    errorReply(409, "already_member"),
  );
  expect(await create(admin, "Waiting@Example.com", "admin")).toMatchObject(
    errorReply(409, "already_invited"),
  );
  expect(await list(admin)).toMatchObject([{ email: "waiting@example.com", role: "member" }]);
});

test("two orgs can invite the same address", async () => {
  const [person, other, guest] = [await teamAdmin(h), await teamAdmin(h), await h.person()];
  const tokens = [await invite(person, guest.user.email), await invite(other, guest.user.email)];
  for (const token of tokens) expect((await accept(guest, token)).status).toBe(204);
  expect((await guest.client.get("/orgs")).body).toHaveLength(3);
});

test("members and pending invites together count towards the tier's quota", async () => {
  const admin = await teamAdmin(h);
  const quota = tierLimits.team.members - 1;
  for (let seat = 0; seat < quota; seat++) await invite(admin, `seat${seat}@example.com`);
  expect(await create(admin, "standing@example.com")).toMatchObject(errorReply(403, "quota_exceeded"));
  const [row] = await list(admin);
  await admin.client.delete(`/orgs/${admin.org_id}/invites/${row?.id}`);
  expect((await create(admin, "standing@example.com")).status).toBe(201);
});

test.each([
  ["free", 1],
  ["pro", 3],
  ["team", 25],
  ["enterprise", Number.POSITIVE_INFINITY],
] as const)("the %s tier allows %d members", (tier, members) => {
  expect(tierLimits[tier].members).toBe(members);
});

test.each([
  ["free", 0],
  ["pro", 2],
] as const)(
  "after a downgrade to %s, %d of the pending invites can still be accepted",
  async (tier, quota) => {
    const admin = await teamAdmin(h);
    const guests = [await h.person(), await h.person(), await h.person()];
    const tokens = await Promise.all(guests.map((guest) => invite(admin, guest.user.email)));
    await h.setTier(admin.org_id, tier);
    const replies = [];
    for (const [index, guest] of guests.entries()) replies.push(await accept(guest, tokens[index] ?? ""));
    expect(replies.slice(0, quota).every((reply) => reply.status === 204)).toBe(true);
    for (const reply of replies.slice(quota)) expect(reply).toMatchObject(errorReply(403, "quota_exceeded"));
    await h.setTier(admin.org_id, "team");
    expect((await accept(guests[2] as Person, tokens[2] ?? "")).status).toBe(204);
  },
);

test("previewing an invite changes nothing, and an unknown invite gets 404", async () => {
  const admin = await teamAdmin(h);
  const token = await invite(admin, "previewed@example.com");
  const before = await dump(h);
  for (let look = 0; look < 20; look++) expect((await preview(token)).status).toBe(200);
  expect(await dump(h)).toEqual(before);
  expect(await preview("D".repeat(43))).toMatchObject(errorReply(404, "not_found"));
  expect(await accept(admin, "D".repeat(43))).toMatchObject(errorReply(404, "not_found"));
  expect(await h.anonymous().post(`/invites/${token}/accept`)).toMatchObject(
    errorReply(401, "unauthenticated"),
  );
});

test.each([
  {},
  { email: "x@example.com" },
  { email: "no address", role: "member" },
  { email: "x@example.com", role: "owner" },
])("the invite %j gets 422", async (body) => {
  const admin = await teamAdmin(h);
  expect((await admin.client.post(`/orgs/${admin.org_id}/invites`, body)).status).toBe(422);
});

test("revoking and inviting again mails at most five invites a day to a mailbox, from all orgs together", async () => {
  const mailed = () => h.mails.filter(({ to }) => to.startsWith("flooded")).length;
  const [person, other] = [await teamAdmin(h), await teamAdmin(h)];
  for (const [index, admin] of [person, person, person, other, other].entries()) {
    const { body, status } = await create(admin, `flooded+${index}@example.com`);
    expect(status).toBe(201);
    await admin.client.delete(`/orgs/${admin.org_id}/invites/${(body as Invite).id}`);
  }
  expect(await create(other, "Flooded@example.com")).toMatchObject({
    ...errorReply(429, "rate_limited"),
    text: expect.stringContaining("all organisations together"),
  });
  expect(await list(other)).toEqual([]);
  await h.runJobs();
  expect(mailed()).toBe(5);
  h.clock.advance(day + 1);
  expect((await create(other, "flooded@example.com")).status).toBe(201);
});

test("invites of strangers do not prevent those of an org whose mails the person has confirmed", async () => {
  const [stranger, trusted] = [await teamAdmin(withMail), await teamAdmin(withMail)];
  const email = "wanted@example.com";
  for (let index = 0; index < 5; index++)
    expect((await create(stranger, `wanted+${index}@example.com`)).status).toBe(201);
  const channel = { type: "email", name: "Mail", config: { to: [email] } };
  expect((await trusted.client.post("/channels", channel)).status).toBe(200);
  expect((await create(trusted, email)).status).toBe(429);
  const token = await withMail.mailedToken(email);
  expect((await withMail.anonymous().post(`/channel-recipients/${token}/confirm`)).status).toBe(200);
  expect((await create(trusted, email)).status).toBe(201);
  expect((await create(stranger, email)).status).toBe(429);
});

test("an account without a verified address mails no invites", async () => {
  const unverified = await withMail.signUp();
  await withMail.setTier(unverified.org_id, "team");
  expect(await create(unverified, "guest.of.stranger@example.com")).toMatchObject(
    errorReply(403, "verification_required"),
  );
  const token = await withMail.mailedToken(unverified.user.email);
  await unverified.client.get("/auth/verify-email", { query: { token } });
  expect((await create(unverified, "guest.of.stranger@example.com")).status).toBe(201);
  const offline = await h.signUp();
  await h.setTier(offline.org_id, "team");
  expect((await create(offline, "guest.without.mail@example.com")).status).toBe(201);
});
