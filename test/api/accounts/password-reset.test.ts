import { expect, test } from "vitest";
import { goodPassword, harness } from "../../harness.ts";
import { dump, hour, refused } from "../steps.ts";

const h = await harness();
const newPassword = "entirely other words";

const forgot = (email: string) => h.anyone().post("/auth/forgot-password", { email });
const reset = (token: string, new_password = newPassword) =>
  h.anyone().post("/auth/reset-password", { token, new_password });
const logIn = (email: string, password: string) => h.anyone().post("/auth/login", { email, password });

async function askFor(email: string): Promise<string> {
  await forgot(email);
  return h.mailedToken(email);
}

test("the mailed link sets a new password, and the old one stops working", async () => {
  const { user } = await h.person();
  const token = await askFor(user.email);
  expect(await reset(token)).toMatchObject({ status: 200, body: { ok: true } });
  expect((await logIn(user.email, newPassword)).status).toBe(200);
  expect(await logIn(user.email, goodPassword)).toMatchObject(refused(401, "invalid_credentials"));
});

test("the owner is told that the password was changed", async () => {
  const { user } = await h.person();
  await reset(await askFor(user.email));
  await h.runJobs();
  const mail = h.mails.findLast((one) => one.to === user.email);
  expect(mail?.subject).toBe("Your password was changed");
  expect(mail?.text).not.toContain(newPassword);
});

test("opening the mailed link proves the address", async () => {
  const { user } = await h.person();
  await reset(await askFor(user.email));
  expect((await logIn(user.email, newPassword)).body).toMatchObject({ is_verified: true });
});

test("nobody is logged in by setting a password", async () => {
  const { user } = await h.person();
  const client = h.anyone();
  await client.post("/auth/reset-password", { token: await askFor(user.email), new_password: newPassword });
  expect(client.cookies.size).toBe(0);
});

test("a token works once", async () => {
  const { user } = await h.person();
  const token = await askFor(user.email);
  await reset(token);
  expect(await reset(token, "yet another set of words")).toMatchObject(refused(400, "invalid_token"));
  expect((await logIn(user.email, newPassword)).status).toBe(200);
});

test("a token works for an hour", async () => {
  const [early, late] = [await h.person(), await h.person()];
  const tokens = [await askFor(early.user.email), await askFor(late.user.email)] as const;
  h.clock.advance(hour - 60);
  expect((await reset(tokens[0])).status).toBe(200);
  h.clock.advance(61);
  expect(await reset(tokens[1])).toMatchObject(refused(400, "invalid_token"));
  expect((await logIn(late.user.email, goodPassword)).status).toBe(200);
});

test("using one token voids the others of the account and nobody else's", async () => {
  const [ada, bob] = [await h.person(), await h.person()];
  const [first, second] = [await askFor(ada.user.email), await askFor(ada.user.email)];
  const bobs = await askFor(bob.user.email);
  expect(first).not.toBe(second);
  expect((await reset(second)).status).toBe(200);
  expect(await reset(first)).toMatchObject(refused(400, "invalid_token"));
  expect((await reset(bobs)).status).toBe(200);
});

test.each(["unknown", "A".repeat(43), "../../etc/passwd", "%00"])(
  "the made-up token %j is refused",
  async (token) => {
    expect(await reset(token)).toMatchObject(refused(400, "invalid_token"));
  },
);

test("a verification token sets no password", async () => {
  const { user } = await h.person();
  expect(await reset(await h.mailedToken(user.email))).toMatchObject(refused(400, "invalid_token"));
});

test.each(["short", "password1234", "aaaaaaaaaaaaaaaa", "x".repeat(129)])(
  "the weak password %j is refused with 400 and does not use the token up",
  async (weak) => {
    const { user } = await h.person();
    const token = await askFor(user.email);
    expect(await reset(token, weak)).toMatchObject(refused(400, "weak_password"));
    expect((await reset(token)).status).toBe(200);
  },
);

test("an address without an account gets the same answer and no mail", async () => {
  const { user } = await h.person();
  const [known, unknown] = [await forgot(user.email), await forgot("nobody@example.com")];
  await h.runJobs();
  expect(known).toMatchObject({ status: 200, body: { ok: true } });
  expect(unknown.text).toBe(known.text);
  expect(h.mails.some((mail) => mail.to === "nobody@example.com")).toBe(false);
  expect(h.mails.findLast((mail) => mail.to === user.email)?.subject).toBe("Set a new password");
});

test("asking leaves the password and the sessions as they are", async () => {
  const { client, user } = await h.person();
  await askFor(user.email);
  expect((await client.get("/auth/me")).status).toBe(200);
  expect((await logIn(user.email, goodPassword)).status).toBe(200);
});

test.each(["pending_approval", "rejected"] as const)("a %s account gets no link", async (status) => {
  const { user } = await h.person();
  await h.app.db.updateTable("users").set({ status }).where("id", "=", user.id).execute();
  await h.runJobs();
  const before = (await dump(h)).user_tokens;
  expect(await forgot(user.email)).toMatchObject({ status: 200, body: { ok: true } });
  await h.runJobs();
  expect((await dump(h)).user_tokens).toEqual(before);
});

test("the change is in the audit log of the person's org", async () => {
  const { user, org_id } = await h.person();
  await reset(await askFor(user.email));
  const client = h.anyone();
  await client.post("/auth/login", { email: user.email, password: newPassword });
  const log = await client.get("/audit-log", { query: { action: "user.password_reset" } });
  expect(log.body).toMatchObject([{ subject: { type: "user", id: user.id } }]);
  expect(org_id).toBe(user.active_org_id);
});
