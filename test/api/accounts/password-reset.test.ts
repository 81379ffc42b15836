import { expect, test } from "vitest";
import { goodPassword, harness } from "../../support/harness.ts";
import { dump, errorReply, hour } from "../steps.ts";

const h = await harness();
const newPassword = "entirely other words";

const forgot = (email: string) => h.anonymous().post("/auth/forgot-password", { email });
const reset = (token: string, new_password = newPassword) =>
  h.anonymous().post("/auth/reset-password", { token, new_password });
const logIn = (email: string, password: string) => h.anonymous().post("/auth/login", { email, password });

async function requestReset(email: string): Promise<string> {
  await forgot(email);
  return h.mailedToken(email);
}

test("a reset link sets a new password, and the old one stops working", async () => {
  const { user } = await h.person();
  const token = await requestReset(user.email);
  expect(await reset(token)).toMatchObject({ status: 200, body: { ok: true } });
  expect((await logIn(user.email, newPassword)).status).toBe(200);
  expect(await logIn(user.email, goodPassword)).toMatchObject(errorReply(401, "invalid_credentials"));
});

test("a password reset notifies the owner by mail", async () => {
  const { user } = await h.person();
  await reset(await requestReset(user.email));
  await h.runJobs();
  const mail = h.mails.findLast((one) => one.to === user.email);
  expect(mail?.subject).toBe("Your password was changed");
  expect(mail?.text).not.toContain(newPassword);
});

test("a password reset verifies the address", async () => {
  const { user } = await h.person();
  await reset(await requestReset(user.email));
  expect((await logIn(user.email, newPassword)).body).toMatchObject({ is_verified: true });
});

test("a password reset starts no session", async () => {
  const { user } = await h.person();
  const client = h.anonymous();
  await client.post("/auth/reset-password", {
    token: await requestReset(user.email),
    new_password: newPassword,
  });
  expect(client.cookies.size).toBe(0);
});

test("a reset token works once", async () => {
  const { user } = await h.person();
  const token = await requestReset(user.email);
  await reset(token);
  expect(await reset(token, "yet another set of words")).toMatchObject(errorReply(400, "invalid_token"));
  expect((await logIn(user.email, newPassword)).status).toBe(200);
});

test("a reset token expires after an hour", async () => {
  const [early, late] = [await h.person(), await h.person()];
  const tokens = [await requestReset(early.user.email), await requestReset(late.user.email)] as const;
  h.clock.advance(hour - 60);
  expect((await reset(tokens[0])).status).toBe(200);
  h.clock.advance(61);
  expect(await reset(tokens[1])).toMatchObject(errorReply(400, "invalid_token"));
  expect((await logIn(late.user.email, goodPassword)).status).toBe(200);
});

test("using a reset token invalidates the other tokens of the account only", async () => {
  const [ada, bob] = [await h.person(), await h.person()];
  const [first, second] = [await requestReset(ada.user.email), await requestReset(ada.user.email)];
  const bobs = await requestReset(bob.user.email);
  expect(first).not.toBe(second);
  expect((await reset(second)).status).toBe(200);
  expect(await reset(first)).toMatchObject(errorReply(400, "invalid_token"));
  expect((await reset(bobs)).status).toBe(200);
});

test.each(["unknown", "A".repeat(43), "../../etc/passwd", "%00"])(
  "the unknown reset token %j is rejected",
  async (token) => {
    expect(await reset(token)).toMatchObject(errorReply(400, "invalid_token"));
  },
);

test("a verification token does not reset the password", async () => {
  const { user } = await h.mailedPerson();
  expect(await reset(await h.mailedToken(user.email))).toMatchObject(errorReply(400, "invalid_token"));
});

test.each(["short", "password1234", "aaaaaaaaaaaaaaaa", "x".repeat(129)])(
  "a reset to the weak password %j gets 400 and does not consume the token",
  async (weak) => {
    const { user } = await h.person();
    const token = await requestReset(user.email);
    expect(await reset(token, weak)).toMatchObject(errorReply(400, "weak_password"));
    expect((await reset(token)).status).toBe(200);
  },
);

test("a reset request for an unknown address gets the same reply and sends no mail", async () => {
  const { user } = await h.person();
  const [known, unknown] = [await forgot(user.email), await forgot("nobody@example.com")];
  await h.runJobs();
  expect(known).toMatchObject({ status: 200, body: { ok: true } });
  expect(unknown.text).toBe(known.text);
  expect(h.mails.some((mail) => mail.to === "nobody@example.com")).toBe(false);
  expect(h.mails.findLast((mail) => mail.to === user.email)?.subject).toBe("Set a new password");
});

test("a reset request changes neither the password nor the sessions", async () => {
  const { client, user } = await h.person();
  await requestReset(user.email);
  expect((await client.get("/auth/me")).status).toBe(200);
  expect((await logIn(user.email, goodPassword)).status).toBe(200);
});

test.each(["pending_approval", "rejected"] as const)(
  "a reset request for a %s account creates no link",
  async (status) => {
    const { user } = await h.person();
    await h.app.db.updateTable("users").set({ status }).where("id", "=", user.id).execute();
    await h.runJobs();
    const before = (await dump(h)).user_tokens;
    expect(await forgot(user.email)).toMatchObject({ status: 200, body: { ok: true } });
    await h.runJobs();
    expect((await dump(h)).user_tokens).toEqual(before);
  },
);

test("a password reset is recorded in the audit log of the user's org", async () => {
  const { user, org_id } = await h.person();
  await reset(await requestReset(user.email));
  const client = h.anonymous();
  await client.post("/auth/login", { email: user.email, password: newPassword });
  const log = await client.get("/audit-log", { query: { action: "user.password_reset" } });
  expect(log.body).toMatchObject([{ subject: { type: "user", id: user.id } }]);
  expect(org_id).toBe(user.active_org_id);
});
