import { expect, test } from "vitest";
import type { Faults } from "../../../src/faults.ts";
import type { Invite } from "../../../src/wire/orgs/invites.ts";
import { goodPassword, harness } from "../../support/harness.ts";
import { dump, tokenIn } from "../steps.ts";

let onFault: Faults["hit"] = () => undefined;
const staffEmail = "gate@example.com";
const h = await harness({
  env: { SIGNUP_MODE: "approval", STAFF_EMAIL: staffEmail },
  faults: { hit: (point) => onFault(point) },
});

const password = "mallard trombone velvet 91";
const newPassword = "quarry lantern saffron 47";
const wrongPassword = "a guess that was wrong 13";
const bearer = "tocsin_notarealkeybutstillsecret";
const secrets = await useEverySecret();
const database = Object.values(await dump(h))
  .flat()
  .join("\n");
const log = h.lines.join("\n");

/** Sends every request that creates or accepts a secret, including failing ones, and returns the secrets. */
async function useEverySecret(): Promise<Record<string, string>> {
  const staff = await h.staff();
  const people = [];
  for (const email of ["ada@example.com", "bob@example.com"]) {
    const client = h.anonymous();
    const reply = await client.post("/auth/signup", { email, password });
    const approval = await h.mailedToken(staffEmail);
    await h.anonymous().get(`/signup-approvals/${approval}`);
    await h.anonymous().post(`/signup-approvals/${approval}/approve`);
    await h.anonymous().post(`/signup-approvals/${approval}/approve`);
    const verification = mailed(email, "verify-email");
    await h.anonymous().get("/auth/verify-email", { query: { token: verification } });
    await client.post("/auth/login", { email, password });
    const org_id = (reply.body as { active_org_id: string }).active_org_id;
    people.push({
      client,
      email,
      org_id,
      approval,
      verification,
      session: client.cookies.get("access_token") ?? "",
    });
  }
  const [ada, bob] = people as [(typeof people)[0], (typeof people)[0]];

  await h.setTier(ada.org_id, "team");
  const headers = { "idempotency-key": "tour" };
  const invited = await ada.client.post(
    `/orgs/${ada.org_id}/invites`,
    { email: bob.email, role: "member" },
    { headers },
  );
  const invite = tokenIn((invited.body as Invite).invite_url ?? "");
  await h.anonymous().get(`/invites/${invite}`);
  await ada.client.post(`/invites/${invite}/accept`);
  await bob.client.post(`/invites/${invite}/accept`);

  await h.anonymous().post("/auth/forgot-password", { email: ada.email });
  const reset = await h.mailedToken(ada.email);
  await sendFailingRequests(ada.email, reset, invite);
  await h.anonymous().post("/auth/reset-password", { token: reset, new_password: newPassword });
  await ada.client.get("/auth/me", { headers: { authorization: `Bearer ${bearer}` } });
  await h.anonymous().post("/auth/forgot-password", { email: bob.email });
  return {
    password,
    "new password": newPassword,
    "wrong password": wrongPassword,
    "password of staff": goodPassword,
    "bearer token": bearer,
    invite,
    reset,
    "session of staff": staff.cookies.get("admin_token") ?? "",
    ...Object.fromEntries(
      people.flatMap((one) => [
        [`approval of ${one.email}`, one.approval],
        [`verification of ${one.email}`, one.verification],
        [`session of ${one.email}`, one.session],
      ]),
    ),
  };
}

/** Sends requests that fail, because error logs are the likeliest to reveal secrets. */
async function sendFailingRequests(email: string, reset: string, invite: string): Promise<void> {
  await h.anonymous().post("/auth/login", { email, password: wrongPassword });
  await h.anonymous().post("/auth/signup", { email, password: wrongPassword });
  await h
    .anonymous()
    .post("/auth/login", { email: [wrongPassword], password: [wrongPassword], token: reset });
  await h.anonymous().get(`//links/invite/${invite}`);
  await h.anonymous().get(`//nowhere/${reset}?token=${reset}`);
  onFault = (point) => {
    if (point === "write.before_commit") throw new Error("the process died");
  };
  await h.anonymous().post("/auth/reset-password", { token: reset, new_password: newPassword });
  await h.anonymous().post("/auth/signup", { email: "carol@example.com", password });
  onFault = () => undefined;
  const usual = h.app.mailer;
  h.app.mailer = { ...usual, send: async (mail) => Promise.reject(new Error(`no way to ${mail.id}`)) };
  await h.anonymous().post("/auth/forgot-password", { email });
  await h.runJobs();
  h.app.mailer = usual;
}

function mailed(to: string, page: string): string {
  const texts = h.mails.filter((mail) => mail.to === to).map((mail) => mail.text);
  return tokenIn(texts.find((text) => text.includes(`/links/${page}#`))?.match(/\S+#[\w-]+/)?.[0] ?? "");
}

/** The encodings in which a secret could appear in a log or a dump. */
function encodingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    encodeURIComponent(secret),
    bytes.toString("hex"),
    bytes.toString("base64").replace(/=+$/, ""),
  ];
}

test.each(Object.entries(secrets))(
  "the %s appears neither in the log nor in the database",
  (_what, secret) => {
    expect(secret.length).toBeGreaterThan(12);
    for (const encoding of encodingsOf(secret)) {
      expect(log.includes(encoding)).toBe(false);
      expect(database.includes(encoding)).toBe(false);
    }
  },
);

test("the set-up requests reached the log and the database", () => {
  expect(h.lines.length).toBeGreaterThan(30);
  for (const text of ["request failed", "mail not sent", "/signup-approvals/:token", "the process died"]) {
    expect(log).toContain(text);
  }
  for (const text of [
    "ada@example.com",
    "signup.approved",
    "invite.accepted",
    "user.password_reset",
    "$argon2id$",
  ]) {
    expect(database).toContain(text);
  }
});

test("every log line is JSON, and lines of requests carry the request id", async () => {
  for (const line of h.lines) expect(() => JSON.parse(line)).not.toThrow();
  const reply = await h.anonymous().get("/auth/me");
  expect(h.lines.at(-1)).toContain(reply.headers["x-request-id"]);
});

test("mailed links carry their token in the fragment, which is not sent to servers", () => {
  for (const { text } of h.mails) {
    for (const [link] of text.matchAll(/https?:\/\/\S+/g)) {
      const url = new URL(link);
      expect(`${url.pathname}${url.search}`).not.toMatch(/[\w-]{43}/);
    }
  }
});

test("replies to links forbid caching and the referrer", async () => {
  const reply = await h.anonymous().get(`/invites/${secrets.invite}`);
  expect(reply.headers).toMatchObject({ "cache-control": "no-store", "referrer-policy": "no-referrer" });
});

test("a token hash from the database is not accepted as a token", async () => {
  const rows = await h.app.db.selectFrom("invites").select("token_hash").execute();
  for (const { token_hash } of rows) {
    for (const coding of ["base64url", "hex"] as const) {
      expect((await h.anonymous().get(`/invites/${token_hash.toString(coding)}`)).status).toBe(404);
    }
  }
});
