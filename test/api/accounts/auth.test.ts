import { expect, test } from "vitest";
import type { User } from "../../../src/wire/accounts/auth.ts";
import { goodPassword, harness } from "../../support/harness.ts";
import { counts, errorReply } from "../steps.ts";

const h = await harness();

test("signing up creates an account, a personal org and a session", async () => {
  const ada = await h.signUp("ada");
  const orgs = await ada.client.get("/orgs");
  expect(orgs.body).toMatchObject([
    { id: ada.org_id, name: "ada's organisation", role: "admin", tier: "free" },
  ]);
  expect((await ada.client.get("/auth/me")).body).toEqual(ada.user);
});

test("an account that the harness creates has the same rows as a sign-up, except its mail", async () => {
  const ignored = ["rate_windows", "mail_outbox", "user_tokens"];
  const growthOf = async (create: () => Promise<unknown>) => {
    const before = await counts(h);
    await create();
    const after = Object.entries(await counts(h)).filter(([table]) => !ignored.includes(table));
    return Object.fromEntries(after.map(([table, rows]) => [table, rows - (before[table] ?? 0)]));
  };
  expect(await growthOf(() => h.person())).toEqual(await growthOf(() => h.signUp()));
});

test("a new account is active, unverified and uses the system theme", async () => {
  const { user } = await h.signUp();
  expect(user).toMatchObject({ status: "active", is_verified: false, theme: "system" });
});

test("a sign-up without a name takes it from the address, and can name the org", async () => {
  const client = h.anonymous();
  const reply = await client.post("/auth/signup", {
    email: "grace.hopper@example.com",
    password: goodPassword,
    org_name: "Compilers",
  });
  expect(reply.body).toMatchObject({ name: "grace.hopper" });
  expect((await client.get("/orgs")).body).toMatchObject([{ name: "Compilers" }]);
});

test("a second sign-up with the same address in another case is rejected", async () => {
  const { user } = await h.person();
  const reply = await h
    .anonymous()
    .post("/auth/signup", { email: user.email.toUpperCase(), password: goodPassword });
  expect(reply).toMatchObject(errorReply(409, "email_taken"));
});

test.each([
  ["too short", "tiny tiny"],
  ["too long", "long enough words ".repeat(8)],
  ["common", "password1234"],
  ["repeating", "abcabcabcabcabc"],
  ["the address itself", "weak.person@example.com"],
])("a sign-up with a password that is %s is rejected and creates no account", async (_why, password) => {
  const body = { email: "weak.person@example.com", password };
  const reply = await h.anonymous().post("/auth/signup", body);
  expect(reply).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ["body", "password"], type: "weak_password" }] },
  });
  expect(await h.anonymous().post("/auth/login", body)).toMatchObject(errorReply(401, "invalid_credentials"));
});

test("a sign-up with a weak password and another error gets both", async () => {
  const reply = await h.anonymous().post("/auth/signup", { password: "tiny tiny", nickname: "x" });
  expect(reply).toMatchObject({
    status: 422,
    body: {
      detail: [
        { loc: ["body", "email"] },
        { loc: ["body", "nickname"] },
        { loc: ["body", "password"], type: "weak_password" },
      ],
    },
  });
});

test("logging in ignores the case of the address and returns the account", async () => {
  const { user } = await h.person();
  const client = h.anonymous();
  const reply = await client.post("/auth/login", { email: user.email.toUpperCase(), password: goodPassword });
  expect(reply).toMatchObject({ status: 200, body: user });
  expect((await client.get("/auth/me")).body).toEqual(user);
});

test("a log-in with a wrong password or for an unknown account gets the same reply and no session", async () => {
  const { user } = await h.person();
  const wrong = h.anonymous();
  const forWrong = await wrong.post("/auth/login", { email: user.email, password: "not the right one" });
  const forUnknown = await h
    .anonymous()
    .post("/auth/login", { email: "nobody@example.com", password: goodPassword });
  expect(forWrong).toMatchObject(errorReply(401, "invalid_credentials"));
  expect(forUnknown.text).toBe(forWrong.text);
  expect(wrong.cookies.size).toBe(0);
});

test("a request without a session gets unauthenticated, and one with an unknown session session_expired", async () => {
  expect(await h.anonymous().get("/auth/me")).toMatchObject(errorReply(401, "unauthenticated"));
  const forger = h.anonymous();
  forger.cookies.set("access_token", "pR2v0nYxkq3mJH4wq7t1dUuS8y9cZaLbEoVfGiKsWxM");
  expect(await forger.get("/auth/me")).toMatchObject(errorReply(401, "session_expired"));
});

test("an invalid API key is rejected even with a valid session", async () => {
  const { client } = await h.person();
  const headers = { authorization: "Bearer tocsin_wrong" };
  expect(await client.get("/auth/me", { headers })).toMatchObject(errorReply(401, "api_key_invalid"));
});

test.each(["light", "dark", "system"] as const)("the theme %s is saved", async (theme) => {
  const { client } = await h.person();
  expect(await client.patch("/auth/me/theme", { theme })).toMatchObject({ status: 200, body: { ok: true } });
  expect(((await client.get("/auth/me")).body as User).theme).toBe(theme);
});

test("an unknown theme is rejected, and setting a theme requires a session", async () => {
  const { client } = await h.person();
  expect(await client.patch("/auth/me/theme", { theme: "sepia" })).toMatchObject({ status: 422 });
  expect(((await client.get("/auth/me")).body as User).theme).toBe("system");
  expect(await h.anonymous().patch("/auth/me/theme", { theme: "dark" })).toMatchObject({ status: 401 });
});

test("setting a theme does not change the theme of another user", async () => {
  const [ada, bob] = [await h.person(), await h.person()];
  await ada.client.patch("/auth/me/theme", { theme: "dark" });
  expect(((await bob.client.get("/auth/me")).body as User).theme).toBe("system");
});

test("logging out succeeds with and without a session", async () => {
  const { client } = await h.person();
  for (const one of [client, client, h.anonymous()]) {
    expect(await one.post("/auth/logout")).toMatchObject({ status: 200, body: { ok: true } });
  }
  expect(await client.get("/auth/me")).toMatchObject(errorReply(401, "unauthenticated"));
});
