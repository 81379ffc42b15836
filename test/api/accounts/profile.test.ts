import { expect, test } from "vitest";
import type { Session } from "../../../src/wire/accounts/auth.ts";
import type { Invite } from "../../../src/wire/orgs/invites.ts";
import { goodPassword, harness, type Person } from "../../support/harness.ts";
import { day, errorReply, teamAdmin, tokenIn, unknownId } from "../steps.ts";

const h = await harness();
const newPassword = "an entirely different phrase";

const logIn = async (email: string, password: string) => {
  const client = h.anonymous();
  return { client, reply: await client.post("/auth/login", { email, password }) };
};
const sessionsOf = async ({ client }: Pick<Person, "client">) =>
  (await client.get("/auth/sessions")).body as Session[];

test("a person changes their name, which other members see", async () => {
  const person = await h.person();
  const renamed = await person.client.patch("/auth/me", { name: " Grace  Hopper " });
  expect(renamed).toMatchObject({ status: 200, body: { id: person.user.id, name: "Grace  Hopper" } });
  expect((await person.client.get(`/orgs/${person.org_id}/members`)).body).toMatchObject([
    { name: "Grace  Hopper" },
  ]);
  expect((await person.client.patch("/auth/me", { name: "a\nb" })).status).toBe(422);
});

test("a new password replaces the old one and ends the other sessions", async () => {
  const person = await h.person();
  const { email } = person.user;
  const other = await logIn(email, goodPassword);
  const body = { current_password: goodPassword, new_password: newPassword };
  expect(await person.client.post("/auth/change-password", body)).toMatchObject({ status: 200 });
  expect((await person.client.get("/auth/me")).status).toBe(200);
  expect((await other.client.get("/auth/me")).status).toBe(401);
  expect((await logIn(email, goodPassword)).reply.status).toBe(401);
  expect((await logIn(email, newPassword)).reply.status).toBe(200);
  await h.runJobs();
  const subjects = h.mails.filter(({ to }) => to === email).map(({ subject }) => subject);
  expect(subjects).toContain("Your password was changed");
});

test("a password change needs the current password, and guesses of it are limited like log-ins", async () => {
  const person = await h.person();
  const change = (current_password: string, new_password = newPassword) =>
    person.client.post("/auth/change-password", { current_password, new_password });
  expect(await change(goodPassword, "short")).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ["body", "new_password"], type: "weak_password" }] },
  });
  for (let n = 0; n < 10; n++)
    expect(await change("a wrong guess")).toMatchObject(errorReply(400, "wrong_password"));
  expect(await change(goodPassword)).toMatchObject(errorReply(429, "rate_limited"));
  expect((await person.client.get("/auth/me")).status).toBe(200);
});

test("a person lists their sessions and ends one or all others", async () => {
  const [person, stranger] = [await h.person(), await h.person()];
  const { email } = person.user;
  const [first, second] = [await logIn(email, goodPassword), await logIn(email, goodPassword)];
  const listed = await sessionsOf(person);
  expect(listed.map(({ is_current }) => is_current)).toEqual([false, false, true]);
  expect(listed[0]).toMatchObject({ ip: second.client.ip });
  const [newest] = listed;
  const path = `/auth/sessions/${newest?.id}`;
  expect(await stranger.client.delete(path)).toMatchObject(errorReply(404, "not_found"));
  expect(await person.client.delete(path)).toMatchObject({ status: 200, body: { ok: true } });
  expect((await second.client.get("/auth/me")).status).toBe(401);
  expect(await person.client.delete(path)).toMatchObject(errorReply(404, "not_found"));
  expect((await person.client.delete("/auth/sessions")).status).toBe(200);
  expect((await first.client.get("/auth/me")).status).toBe(401);
  expect(await sessionsOf(person)).toHaveLength(1);
  expect(await sessionsOf(stranger)).toHaveLength(1);
  h.clock.advance(8 * day);
  expect(await person.client.delete(`/auth/sessions/${unknownId}`)).toMatchObject({ status: 401 });
});

test.each(["closed", "approval"] as const)(
  "with sign-up in the mode %s, a person with an invite signs up and joins",
  async (mode) => {
    const open = await harness();
    const admin = await teamAdmin(open);
    const closed = await harness({ env: { SIGNUP_MODE: mode }, address: open.address });
    const email = `guest.${mode}@example.com`;
    const invite = await admin.client.post(`/orgs/${admin.org_id}/invites`, { email, role: "member" });
    const invite_token = tokenIn((invite.body as Invite).invite_url ?? "");
    const signUp = (body: object) => {
      const client = closed.anonymous();
      return client
        .post("/auth/signup", { password: goodPassword, ...body })
        .then((reply) => ({ client, reply }));
    };
    const denied =
      mode === "closed"
        ? errorReply(403, "signup_closed")
        : { status: 200, body: { status: "pending_approval" } };
    for (const body of [
      { email: `other.${mode}@example.com`, invite_token },
      { email: `third.${mode}@example.com`, invite_token: "unknown" },
      { email: `fourth.${mode}@example.com` },
    ])
      expect((await signUp(body)).reply).toMatchObject(denied);
    const { client, reply } = await signUp({ email: email.toUpperCase(), invite_token });
    expect(reply).toMatchObject({ status: 200, body: { status: "active" } });
    expect((await client.post(`/invites/${invite_token}/accept`)).status).toBe(204);
    expect((await client.get("/orgs")).text).toContain(admin.org_id);
    // The invite is used.
    expect((await signUp({ email: `late.${mode}@example.com`, invite_token })).reply).toMatchObject(denied);
  },
);
