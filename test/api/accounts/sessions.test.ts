import { expect, test } from "vitest";
import type { Client, Reply } from "../../support/client.ts";
import { goodPassword, harness } from "../../support/harness.ts";
import { day, errorReply } from "../steps.ts";

const h = await harness();
const onHttps = await harness({ env: { PUBLIC_URL: "https://tocsin.example" } });

const isSignedIn = async (client: Client) => (await client.get("/auth/me")).status === 200;
const cookieLines = (reply: Reply) => [reply.headers["set-cookie"] ?? []].flat() as string[];
const logIn = (client: Client, email: string) =>
  client.post("/auth/login", { email, password: goodPassword });

/** A second browser with a copy of the current cookies, as after a theft. */
function copyOf(client: Client): Client {
  const copy = h.anonymous();
  for (const [name, value] of client.cookies) copy.cookies.set(name, value);
  return copy;
}

test("the session cookie is HttpOnly and SameSite=Lax, and Secure on https", async () => {
  for (const [one, isSecure] of [
    [h, false],
    [onHttps, true],
  ] as const) {
    const { user } = await one.person();
    const [line = "", ...others] = cookieLines(await logIn(one.anonymous(), user.email));
    expect(others).toEqual([]);
    expect(line).toMatch(/^access_token=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly/);
    expect(line).toContain("SameSite=Lax");
    expect(line.includes("Secure")).toBe(isSecure);
    expect(line).not.toContain("Domain");
  }
});

test("logging out clears the cookie with the attributes it was set with", async () => {
  const { client } = await onHttps.person();
  for (const line of cookieLines(await client.post("/auth/logout"))) {
    expect(line).toMatch(
      /^(access|admin)_token=; (Max-Age=0; )?Path=\/; (Expires=[^;]+; )?HttpOnly; Secure; SameSite=/,
    );
  }
});

test("a session is extended by use and ends after seven idle days", async () => {
  const { client } = await h.person();
  h.clock.advance(7 * day - 60);
  expect(await isSignedIn(client)).toBe(true);
  h.clock.advance(7 * day - 60);
  expect(await isSignedIn(client)).toBe(true);
  h.clock.advance(7 * day + 1);
  expect(await client.get("/auth/me")).toMatchObject(errorReply(401, "session_expired"));
});

test("a session ends after thirty days even if it is used", async () => {
  const { client } = await h.person();
  for (let used = 0; used < 29; used++) {
    h.clock.advance(day);
    expect(await isSignedIn(client)).toBe(true);
  }
  h.clock.advance(day - 60);
  expect(await isSignedIn(client)).toBe(true);
  h.clock.advance(61);
  expect(await client.get("/auth/me")).toMatchObject(errorReply(401, "session_expired"));
});

test("a write request with an expired session is rejected", async () => {
  const { client } = await h.person();
  h.clock.advance(8 * day);
  expect(await client.patch("/auth/me/theme", { theme: "dark" })).toMatchObject(
    errorReply(401, "session_expired"),
  );
});

test.each([
  ["logging in", "/auth/login"],
  ["signing up with another address", "/auth/signup"],
])("%s starts a new session and ends the browser's previous one", async (_how, path) => {
  const { client, user } = await h.person();
  const before = copyOf(client);
  const email = path === "/auth/login" ? user.email : `again.${user.email}`;
  expect((await client.post(path, { email, password: goodPassword })).status).toBe(200);
  expect(client.cookies.get("access_token")).not.toBe(before.cookies.get("access_token"));
  expect(await isSignedIn(client)).toBe(true);
  expect(await before.get("/auth/me")).toMatchObject(errorReply(401, "session_expired"));
});

test("a failed log-in keeps the browser's session", async () => {
  const { client, user } = await h.person();
  await client.post("/auth/login", { email: user.email, password: "not the right one" });
  expect(await isSignedIn(client)).toBe(true);
});

test("a session cookie planted before log-in never becomes valid", async () => {
  const { user } = await h.person();
  const planted = "A".repeat(43);
  const client = h.anonymous();
  client.cookies.set("access_token", planted);
  await logIn(client, user.email);
  const attacker = h.anonymous();
  attacker.cookies.set("access_token", planted);
  expect(await isSignedIn(client)).toBe(true);
  expect(await isSignedIn(attacker)).toBe(false);
});

test("logging out in one browser keeps the session of another", async () => {
  const { client, user } = await h.person();
  const phone = h.anonymous();
  await logIn(phone, user.email);
  const stolen = copyOf(client);
  await client.post("/auth/logout");
  expect(await stolen.get("/auth/me")).toMatchObject(errorReply(401, "session_expired"));
  expect(await isSignedIn(phone)).toBe(true);
});

test("a password reset ends every session of the account and no other", async () => {
  const { client, user } = await h.person();
  const other = await h.person();
  const phone = h.anonymous();
  await logIn(phone, user.email);
  await h.anonymous().post("/auth/forgot-password", { email: user.email });
  const token = await h.mailedToken(user.email);
  const reply = await h
    .anonymous()
    .post("/auth/reset-password", { token, new_password: "entirely other words" });
  expect(reply).toMatchObject({ status: 200, body: { ok: true } });
  for (const one of [client, phone]) {
    expect(await one.get("/auth/me")).toMatchObject(errorReply(401, "session_expired"));
  }
  expect(await isSignedIn(other.client)).toBe(true);
});

test.each(["rejected", "pending_approval"] as const)(
  "the session of a %s account is rejected",
  async (status) => {
    const { client, user } = await h.person();
    await h.app.db.updateTable("users").set({ status }).where("id", "=", user.id).execute();
    expect(await client.get("/auth/me")).toMatchObject(errorReply(401, "session_expired"));
  },
);

test("a session token is stored only as a hash", async () => {
  const { client, user } = await h.person();
  const token = client.cookies.get("access_token") ?? "";
  const rows = await h.app.db.selectFrom("sessions").selectAll().where("user_id", "=", user.id).execute();
  expect(rows).toHaveLength(1);
  expect(rows[0]?.token_hash).toHaveLength(32);
  expect(JSON.stringify(rows)).not.toContain(token);
  const thief = h.anonymous();
  thief.cookies.set("access_token", rows[0]?.token_hash.toString("base64url") ?? "");
  expect(await isSignedIn(thief)).toBe(false);
});
