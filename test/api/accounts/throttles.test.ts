import { expect, test } from "vitest";
import { throttleLogIn } from "../../../src/domain/accounts/auth.ts";
import { isWithinLimit } from "../../../src/domain/accounts/throttle.ts";
import type { Client, Reply } from "../../support/client.ts";
import { goodPassword, harness } from "../../support/harness.ts";
import { errorReply, hour } from "../steps.ts";

const h = await harness();
const minute = 60;
const wrong = "not the right one";

const logIn = (client: Client, email: string, password = wrong) =>
  client.post("/auth/login", { email, password });
const times = async (count: number, send: (index: number) => Promise<Reply>) => {
  const replies: Reply[] = [];
  for (let index = 0; index < count; index++) replies.push(await send(index));
  return replies;
};
/** Counts log-in attempts as the operation does, without verifying a password for each. */
const countLogIns = async (count: number, { ip }: Client, email: (index: number) => string) => {
  for (let index = 0; index < count; index++)
    await throttleLogIn(h.app, { context: { request_id: null, ip } }, email(index));
};
const statuses = (replies: Reply[]) => [...new Set(replies.map((reply) => reply.status))];

/** Expects 429 with a Retry-After that is exact: shortly before its end requests still fail, and at its end they succeed. */
async function expectExactRetryAfter(send: () => Promise<Reply>, windowSeconds: number): Promise<void> {
  const reply = await send();
  expect(reply).toMatchObject(errorReply(429, "rate_limited"));
  const wait = Number(reply.headers["retry-after"]);
  expect(reply.headers).toMatchObject({
    ratelimit: `"attempts";r=0;t=${wait}`,
    "ratelimit-policy": expect.stringMatching(new RegExp(`^"attempts";q=\\d+;w=${windowSeconds}$`)),
  });
  expect(wait).toBeGreaterThan(windowSeconds - 2 * minute);
  expect(wait).toBeLessThanOrEqual(windowSeconds);
  h.clock.advance(wait - 20);
  expect((await send()).status).toBe(429);
  h.clock.advance(20);
  expect((await send()).status).not.toBe(429);
}

test("an account allows ten log-ins per 15 minutes from one IP address, then rejects even the right password", async () => {
  const { user } = await h.person();
  const client = h.anonymous();
  expect(statuses(await times(10, () => logIn(client, user.email)))).toEqual([401]);
  await expectExactRetryAfter(() => logIn(client, user.email, goodPassword), 15 * minute);
});

test("failed log-ins from one IP address block neither the owner elsewhere nor other accounts", async () => {
  const { user } = await h.person();
  const stranger = h.anonymous();
  await times(11, () => logIn(stranger, user.email));
  expect((await logIn(stranger, user.email, goodPassword)).status).toBe(429);
  expect((await logIn(h.anonymous(), user.email, goodPassword)).status).toBe(200);
  expect((await logIn(stranger, "another_user.else@example.com")).status).toBe(401);
});

test("the log-in limit ignores the case of the address", async () => {
  const client = h.anonymous();
  const spelling = (index: number) => (index % 2 ? "Guess@Example.com" : "guess@example.com");
  expect(statuses(await times(10, (index) => logIn(client, spelling(index))))).toEqual([401]);
  expect((await logIn(client, "GUESS@example.com")).status).toBe(429);
});

test("log-ins to an unknown account are limited like those to a known one", async () => {
  const { user } = await h.person();
  const [forKnown, forUnknown] = [h.anonymous(), h.anonymous()];
  const known = await times(11, () => logIn(forKnown, user.email));
  const unknown = await times(11, () => logIn(forUnknown, "never.seen@example.com"));
  expect(unknown.map((reply) => reply.status)).toEqual(known.map((reply) => reply.status));
});

test("one IP address is limited to a hundred log-ins per 15 minutes over all accounts", async () => {
  const client = h.anonymous();
  const email = (index: number) => `guess${index}@example.com`;
  await countLogIns(95, client, email);
  expect(statuses(await times(5, (index) => logIn(client, email(95 + index))))).toEqual([401]);
  await expectExactRetryAfter(() => logIn(client, "guess200@example.com"), 15 * minute);
});

test("one account is limited to a hundred log-ins an hour over all IP addresses", async () => {
  const email = "attacked@example.com";
  for (let clients = 0; clients < 19; clients++) await countLogIns(5, h.anonymous(), () => email);
  const client = h.anonymous();
  expect(statuses(await times(5, () => logIn(client, email)))).toEqual([401]);
  await expectExactRetryAfter(() => logIn(h.anonymous(), email), hour);
});

test("log-ins from one IPv6 network share one limit", async () => {
  const from = (index: number) => ({ ip: `2001:db8:1:2::${index.toString(16)}` });
  const tryOnce = (index: number) =>
    h.anonymous().post("/auth/login", { email: "six@example.com", password: wrong }, from(index));
  expect(statuses(await times(10, tryOnce))).toEqual([401]);
  expect((await tryOnce(99)).status).toBe(429);
  const elsewhere = { ip: "2001:db8:1:3::1" };
  const other = await h
    .anonymous()
    .post("/auth/login", { email: "six@example.com", password: wrong }, elsewhere);
  expect(other.status).toBe(401);
});

test("staff log-ins have a separate limit", async () => {
  const client = h.anonymous();
  const asStaff = () => client.post("/admin/login", { email: "boss@example.com", password: wrong });
  expect(statuses(await times(10, asStaff))).toEqual([401]);
  expect((await logIn(client, "boss@example.com")).status).toBe(401);
  await expectExactRetryAfter(asStaff, 15 * minute);
});

test("one IP address is limited to twenty sign-ups an hour, including failed ones", async () => {
  const client = h.anonymous();
  const signUp = (index: number) =>
    client.post("/auth/signup", { email: `n${index}@example.com`, password: "weak" });
  expect(statuses(await times(20, signUp))).toEqual([422]);
  await expectExactRetryAfter(() => signUp(21), hour);
});

test("one IP address is limited to thirty reset tokens an hour", async () => {
  const client = h.anonymous();
  const reset = () => client.post("/auth/reset-password", { token: "guess", new_password: "weak" });
  expect(statuses(await times(30, reset))).toEqual([400]);
  await expectExactRetryAfter(reset, hour);
});

test("one IP address is limited to twenty reset requests an hour", async () => {
  const client = h.anonymous();
  const forgot = (index: number) => client.post("/auth/forgot-password", { email: `f${index}@example.com` });
  expect(statuses(await times(20, forgot))).toEqual([200]);
  await expectExactRetryAfter(() => forgot(21), hour);
});

test("an account is limited to three reset mails an hour, and the replies do not reveal it", async () => {
  const { user } = await h.person();
  const requestResets = (email: string) =>
    times(6, () => h.anonymous().post("/auth/forgot-password", { email }));
  const [known, unknown] = [
    await requestResets(user.email),
    await requestResets("no.such.person@example.com"),
  ];
  await h.runJobs();
  expect(new Set([...known, ...unknown].map((reply) => `${reply.status} ${reply.text}`))).toEqual(
    new Set(['200 {"ok":true}']),
  );
  const resets = () =>
    h.mails.filter((mail) => mail.to === user.email && mail.subject === "Set a new password").length;
  expect(resets()).toBe(3);
  expect(h.mails.some((mail) => mail.to === "no.such.person@example.com")).toBe(false);
  h.clock.advance(hour);
  await requestResets(user.email);
  await h.runJobs();
  expect(resets()).toBe(6);
});

test("an org is limited to fifty invites an hour, including failed ones", async () => {
  const admin = await h.personOn("enterprise");
  const invite = () =>
    admin.client.post(`/orgs/${admin.org_id}/invites`, { email: admin.user.email, role: "member" });
  expect(statuses(await times(50, invite))).toEqual([409]);
  await expectExactRetryAfter(invite, hour);
});

test("a user is limited to a hundred invites an hour over all orgs", async () => {
  const admin = await h.person();
  const orgs = [admin.org_id];
  for (const name of ["Second", "Third"])
    orgs.push(((await admin.client.post("/orgs", { name })).body as { id: string }).id);
  for (const org_id of orgs) await h.setTier(org_id, "enterprise");
  const inviteTo = (org_id = "") =>
    admin.client.post(`/orgs/${org_id}/invites`, { email: admin.user.email, role: "member" });
  for (const org_id of orgs.slice(0, 2))
    expect(statuses(await times(50, () => inviteTo(org_id)))).toEqual([409]);
  await expectExactRetryAfter(() => inviteTo(orgs[2]), hour);
});

test("a user is limited to a hundred new organisations a day, also after deleting some", async () => {
  const { client, user } = await h.person();
  const create = () => client.post("/orgs", { name: "Short-lived" });
  const { id } = (await create()).body as { id: string };
  expect((await client.delete(`/orgs/${id}`, { query: { name: "Short-lived" } })).status).toBeLessThan(300);
  for (let created = 1; created < 100; created++) await isWithinLimit(h.app, "org_user", user.id);
  await expectExactRetryAfter(create, 24 * hour);
});

test("sign-ups with addresses of one mailbox mail it at most ten links a day", async () => {
  const links = () => h.mails.filter(({ to }) => to.startsWith("shared+")).length;
  const signUp = (index: number) =>
    h.anonymous().post("/auth/signup", { email: `shared+${index}@example.com`, password: goodPassword });
  expect(statuses(await times(12, signUp))).toEqual([200]);
  await h.runJobs();
  expect(links()).toBe(10);
});

test("sign-ups with other addresses of a mailbox do not keep the links from its own address", async () => {
  for (let index = 0; index < 11; index++)
    await isWithinLimit(h.app, "verification_mailbox", "own@example.com");
  const { client, user } = await h.signUp("own");
  const email = "own@example.com";
  await h.app.db.updateTable("users").set({ email, email_key: email }).where("id", "=", user.id).execute();
  const links = () => h.mails.filter(({ to }) => to === email).length;
  for (const sent of [1, 2, 3]) {
    expect((await client.post("/auth/resend-verification")).status).toBe(200);
    await h.runJobs();
    expect(links()).toBe(sent);
    h.clock.advance(hour);
  }
  expect(await client.post("/auth/resend-verification")).toMatchObject({
    ...errorReply(429, "rate_limited"),
    text: expect.stringContaining("to this mailbox"),
  });
});

test("rate-limit keys contain neither the account nor the IP address", async () => {
  const client = h.anonymous();
  await logIn(client, "private.person@example.com");
  const rows = await h.app.db.selectFrom("rate_windows").select("key").execute();
  const keys = rows.map((row) => row.key).join("\n");
  expect(keys).not.toContain("private.person");
  expect(keys).not.toContain(client.ip);
});

test("successful log-ins do not count, and failures before and after them still do", async () => {
  const person = await h.signUp();
  const client = h.anonymous();
  const { email } = person.user;
  expect(statuses(await times(9, () => logIn(client, email)))).toEqual([401]);
  expect(statuses(await times(11, () => logIn(client, email, goodPassword)))).toEqual([200]);
  expect((await logIn(client, email)).status).toBe(401);
  expect(await logIn(client, email)).toMatchObject(errorReply(429, "rate_limited"));
});
