import { expect, test } from "vitest";
import type { User } from "../../../src/wire/accounts/auth.ts";
import { goodPassword, harness, type Person } from "../../support/harness.ts";
import { day, dump, errorReply, hour } from "../steps.ts";

const h = await harness();

const verify = (token: string) => h.anonymous().get("/auth/verify-email", { query: { token } });
const resend = ({ client }: Person) => client.post("/auth/resend-verification");
const isVerified = async ({ client }: Person) => ((await client.get("/auth/me")).body as User).is_verified;
const mailsTo = (email: string) => h.mails.filter((mail) => mail.to === email).length;

test("the link mailed at sign-up verifies the address and starts no session", async () => {
  const ada = await h.signUp();
  const token = await h.mailedToken(ada.user.email);
  const stranger = h.anonymous();
  expect(await stranger.get("/auth/verify-email", { query: { token } })).toMatchObject({
    status: 200,
    body: { ok: true },
  });
  expect(stranger.cookies.size).toBe(0);
  expect(await isVerified(ada)).toBe(true);
});

test("opening a verification link again gets the same reply and changes nothing", async () => {
  const ada = await h.signUp();
  const token = await h.mailedToken(ada.user.email);
  const first = await verify(token);
  const before = await dump(h);
  for (let visit = 0; visit < 5; visit++) expect((await verify(token)).text).toBe(first.text);
  expect(await dump(h)).toEqual(before);
});

test("a verification link expires after a day, used or not", async () => {
  const [early, late] = [await h.signUp(), await h.signUp()];
  const tokens = [await h.mailedToken(early.user.email), await h.mailedToken(late.user.email)] as const;
  h.clock.advance(day - 60);
  expect((await verify(tokens[0])).status).toBe(200);
  h.clock.advance(61);
  for (const token of tokens) expect(await verify(token)).toMatchObject(errorReply(400, "invalid_token"));
  expect(await isVerified(late)).toBe(false);
  expect(await isVerified(early)).toBe(true);
});

test.each(["unknown", "B".repeat(43), "'; drop table users; --"])(
  "the unknown verification token %j is rejected",
  async (token) => {
    expect(await verify(token)).toMatchObject(errorReply(400, "invalid_token"));
  },
);

test.each([{}, { token: "" }, { token: "x".repeat(201) }])(
  "the verification query %j gets 422",
  async (query) => {
    const reply = await h.anonymous().get("/auth/verify-email", { query: query as Record<string, string> });
    expect(reply).toMatchObject({ status: 422, body: { detail: [{ loc: ["query", "token"] }] } });
  },
);

test("a password reset token does not verify the address", async () => {
  const ada = await h.signUp();
  await h.anonymous().post("/auth/forgot-password", { email: ada.user.email });
  expect(await verify(await h.mailedToken(ada.user.email))).toMatchObject(errorReply(400, "invalid_token"));
  expect(await isVerified(ada)).toBe(false);
});

test("a verification link can be mailed again, and each of the links succeeds once one was used", async () => {
  const ada = await h.signUp();
  const first = await h.mailedToken(ada.user.email);
  expect(await resend(ada)).toMatchObject({ status: 200, body: { ok: true } });
  const second = await h.mailedToken(ada.user.email);
  expect(second).not.toBe(first);
  expect((await verify(second)).status).toBe(200);
  expect((await verify(first)).status).toBe(200);
  h.clock.advance(day);
  expect(await verify(first)).toMatchObject(errorReply(400, "invalid_token"));
});

test("an older verification link works until one of the links is used", async () => {
  const ada = await h.signUp();
  const first = await h.mailedToken(ada.user.email);
  await resend(ada);
  await h.runJobs();
  expect((await verify(first)).status).toBe(200);
});

test("three resends an hour are allowed, and the fourth gets a correct Retry-After", async () => {
  const ada = await h.signUp();
  for (let time = 0; time < 3; time++) expect((await resend(ada)).status).toBe(200);
  const reply = await resend(ada);
  expect(reply).toMatchObject(errorReply(429, "rate_limited"));
  const wait = Number(reply.headers["retry-after"]);
  expect(wait).toBeGreaterThan(hour - 60);
  expect(wait).toBeLessThanOrEqual(hour);
  h.clock.advance(wait - 10);
  expect((await resend(ada)).status).toBe(429);
  h.clock.advance(10);
  expect((await resend(ada)).status).toBe(200);
  await h.runJobs();
  expect(mailsTo(ada.user.email)).toBe(1 + 4);
});

test("resends are counted per user, even from the same IP address", async () => {
  const [ada, bob] = [await h.signUp(), await h.signUp()];
  for (let time = 0; time < 4; time++) await resend(ada);
  expect((await bob.client.post("/auth/resend-verification", undefined, { ip: ada.client.ip })).status).toBe(
    200,
  );
});

test("two sessions of one user share one resend limit", async () => {
  const ada = await h.signUp();
  const phone = h.anonymous();
  await phone.post("/auth/login", { email: ada.user.email, password: goodPassword });
  for (let time = 0; time < 3; time++) await resend(ada);
  expect(await phone.post("/auth/resend-verification")).toMatchObject(errorReply(429, "rate_limited"));
});

test("a resend for a verified user sends no mail", async () => {
  const ada = await h.signUp();
  await verify(await h.mailedToken(ada.user.email));
  expect(await resend(ada)).toMatchObject({ status: 200, body: { ok: true } });
  await h.runJobs();
  expect(mailsTo(ada.user.email)).toBe(1);
});

test("a resend requires a session", async () => {
  expect(await h.anonymous().post("/auth/resend-verification")).toMatchObject(
    errorReply(401, "unauthenticated"),
  );
});
