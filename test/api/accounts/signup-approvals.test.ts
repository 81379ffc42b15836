import { expect, test } from "vitest";
import { isWithinLimit } from "../../../src/domain/accounts/throttle.ts";
import type { AdminSignup } from "../../../src/wire/accounts/admin.ts";
import { goodPassword, harness } from "../../support/harness.ts";
import { day, dump, errorReply, hour } from "../steps.ts";

const staffEmail = "gate@example.com";
const h = await harness({ env: { SIGNUP_MODE: "approval", STAFF_EMAIL: staffEmail } });
const withoutStaffEmail = await harness({ env: { SIGNUP_MODE: "approval" } });
const closed = await harness({ env: { SIGNUP_MODE: "closed" } });

const logIn = (email: string) => h.anonymous().post("/auth/login", { email, password: goodPassword });
const preview = (token: string) => h.anonymous().get(`/signup-approvals/${token}`);
const approve = (token: string) => h.anonymous().post(`/signup-approvals/${token}/approve`);

async function applicant(name = "applicant") {
  const person = await h.person(name);
  return { ...person, email: person.user.email, token: await h.mailedToken(staffEmail) };
}

async function signupIdOf(email: string): Promise<string> {
  const staff = await h.staff();
  const reply = await staff.get("/admin/signups", { query: { limit: "200" } });
  const found = (reply.body as AdminSignup[]).find((one) => one.email === email);
  return found?.id ?? "";
}

test("with approval required, a sign-up starts no session and log-ins fail until it is approved", async () => {
  const { client, user, email } = await applicant();
  expect(user.status).toBe("pending_approval");
  expect(client.cookies.size).toBe(0);
  expect(await logIn(email)).toMatchObject(errorReply(403, "approval_pending"));
});

test("a log-in with a wrong password does not reveal that an account is pending", async () => {
  const { email } = await applicant();
  const reply = await h.anonymous().post("/auth/login", { email, password: "not the right one" });
  expect(reply).toMatchObject(errorReply(401, "invalid_credentials"));
});

test("staff get at most a hundred mails an hour about requests, which are in the admin area all the same", async () => {
  for (let request = 0; request < 100; request++) await isWithinLimit(h.app, "approval_mails");
  const { user } = await h.person("unmailed");
  await h.runJobs();
  expect(h.mails.filter(({ to, text }) => to === staffEmail && text.includes(user.email))).toEqual([]);
  expect(await signupIdOf(user.email)).not.toBe("");
  h.clock.advance(hour + 1);
  const later = await applicant("mailed");
  expect(h.mails.some(({ to, text }) => to === staffEmail && text.includes(later.email))).toBe(true);
});

test("the approval request is mailed to STAFF_EMAIL and not to staff accounts", async () => {
  await h.staff();
  const before = h.mails.length;
  const { email } = await applicant();
  const about = h.mails.slice(before).filter((mail) => mail.subject.includes(email));
  expect(about.map((mail) => mail.to)).toEqual([staffEmail]);
});

test("without STAFF_EMAIL the approval request is mailed to every staff account", async () => {
  await withoutStaffEmail.staff();
  await withoutStaffEmail.staff();
  const { user } = await withoutStaffEmail.person();
  await withoutStaffEmail.runJobs();
  const recipients = withoutStaffEmail.mails
    .filter((mail) => mail.subject.includes(user.email))
    .map((mail) => mail.to);
  const staff = await withoutStaffEmail.app.db.selectFrom("staff").select("email").execute();
  expect(recipients.sort()).toEqual(staff.map((row) => row.email).sort());
  expect(recipients).toHaveLength(2);
});

test("previewing an approval link shows the applicant and changes nothing", async () => {
  const { email, token } = await applicant("lookedat");
  const before = await dump(h);
  for (let visit = 0; visit < 100; visit++) {
    expect(await preview(token)).toMatchObject({
      status: 200,
      body: { email, name: "lookedat", org_name: "lookedat's organisation", status: "pending" },
    });
  }
  expect(await dump(h)).toEqual(before);
});

test("approving through the link activates the account and notifies the applicant", async () => {
  const { email, token } = await applicant();
  expect(await approve(token)).toMatchObject({ status: 200, body: { email, status: "active" } });
  expect((await logIn(email)).status).toBe(200);
  await h.runJobs();
  expect(h.mails.findLast((mail) => mail.to === email)?.subject).toBe("Your account is ready");
});

test("approving through the link starts no session", async () => {
  const { token } = await applicant();
  const client = h.anonymous();
  await client.post(`/signup-approvals/${token}/approve`);
  expect(client.cookies.size).toBe(0);
});

test("an approval link gets 410 once the sign-up is decided", async () => {
  const { token } = await applicant();
  await approve(token);
  for (const send of [preview, approve])
    expect(await send(token)).toMatchObject(errorReply(410, "link_used"));
});

test("an approval link gets 410 after the approved user has left every org", async () => {
  const { email, token, user, org_id } = await applicant();
  await approve(token);
  await h.app.db.deleteFrom("memberships").where("org_id", "=", org_id).execute();
  for (const send of [preview, approve])
    expect(await send(token)).toMatchObject(errorReply(410, "link_used"));
  const staff = await h.staff();
  const reply = await staff.get("/admin/signups", { query: { status: "approved", limit: "200" } });
  expect((reply.body as AdminSignup[]).map((one) => one.email)).toContain(email);
  expect(user.status).toBe("pending_approval");
});

test("an approval link expires after seven days, and staff can still decide", async () => {
  const { email, token } = await applicant();
  h.clock.advance(7 * day - 60);
  expect((await preview(token)).status).toBe(200);
  h.clock.advance(61);
  for (const send of [preview, approve])
    expect(await send(token)).toMatchObject(errorReply(410, "link_expired"));
  expect(await logIn(email)).toMatchObject(errorReply(403, "approval_pending"));
  const id = await signupIdOf(email);
  expect((await (await h.staff()).post(`/admin/signups/${id}/approve`)).status).toBe(200);
  expect((await logIn(email)).status).toBe(200);
});

test("an unknown approval link gets 404", async () => {
  for (const send of [preview, approve])
    expect(await send("C".repeat(43))).toMatchObject(errorReply(404, "not_found"));
});

test("an approval by link is recorded without an admin and with the method email_link", async () => {
  const { token, user } = await applicant();
  const client = h.anonymous();
  const reply = await client.post(`/signup-approvals/${token}/approve`);
  const rows = await h.app.db
    .selectFrom("audit_log")
    .selectAll()
    .where("action", "=", "signup.approved")
    .where("subject_id", "=", user.id)
    .execute();
  expect(rows).toMatchObject([
    {
      org_id: user.active_org_id,
      actor_type: "link",
      actor_id: null,
      details: { admin_id: null, method: "email_link" },
      ip: client.ip,
      request_id: reply.headers["x-request-id"],
    },
  ]);
  const approval = await h.app.db
    .selectFrom("signup_approvals")
    .selectAll()
    .where("user_id", "=", user.id)
    .execute();
  expect(approval).toMatchObject([{ status: "approved", decided_by: null, method: "email_link" }]);
});

test("a rejected applicant cannot log in, and the approval link gets 410", async () => {
  const { email, token } = await applicant();
  const staff = await h.staff();
  const id = await signupIdOf(email);
  expect(await staff.post(`/admin/signups/${id}/reject`)).toMatchObject({
    status: 200,
    body: { status: "rejected" },
  });
  expect(await logIn(email)).toMatchObject(errorReply(403, "signup_rejected"));
  for (const send of [preview, approve])
    expect(await send(token)).toMatchObject(errorReply(410, "link_used"));
  await h.runJobs();
  expect(h.mails.findLast((mail) => mail.to === email)?.text).toContain("rejected");
});

test("verifying the address does not approve the account", async () => {
  const { email } = await applicant();
  const token = await h.mailedToken(email);
  expect((await h.anonymous().get("/auth/verify-email", { query: { token } })).status).toBe(200);
  expect(await logIn(email)).toMatchObject(errorReply(403, "approval_pending"));
});

test("a sign-up is rejected where sign-up is closed", async () => {
  const reply = await closed
    .anonymous()
    .post("/auth/signup", { email: "new@example.com", password: goodPassword });
  expect(reply).toMatchObject(errorReply(403, "signup_closed"));
  expect((await dump(closed)).users).toEqual([]);
});
