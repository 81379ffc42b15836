import { expect, test } from "vitest";
import type { Channel } from "../../../src/wire/channels/channels.ts";
import { harness, type Person } from "../../support/harness.ts";
import { makeKeyClient } from "../orgs/keys.ts";
import { day, errorReply, hour, join, teamAdmin } from "../steps.ts";

const h = await harness({ env: { SMS_ALLOW: "+1,+4930,+41900" } });

const email = (...to: string[]) => ({ type: "email", name: "On-call", config: { to } });
const sms = (to: string) => ({ type: "sms", name: "Phone", config: { to } });
const slack = {
  type: "slack",
  name: "Ops",
  config: { webhook_url: "https://hooks.slack.com/services/T/B/x" },
};

let strangers = 0;
const stranger = () => `stranger${++strangers}@example.org`;
const alertsTo = (address: string) =>
  h.mails.filter(
    ({ to, additionalRecipients = [], subject }) =>
      [to, ...additionalRecipients].includes(address) && /Test of/.test(subject),
  );
const linksTo = (address: string) =>
  h.mails.filter(({ to, text }) => to === address && /confirm-recipient#/.test(text));

async function add({ client }: Person, body: object): Promise<Channel> {
  const reply = await client.post("/channels", body);
  expect([reply.status, reply.status === 200 ? "" : reply.text]).toEqual([200, ""]);
  return reply.body as Channel;
}

test("an account without a verified address creates no e-mail and SMS channels, but all others", async () => {
  const person = await h.signUp();
  await h.setTier(person.org_id, "team");
  const unverified = errorReply(403, "verification_required");
  for (const body of [email(person.user.email), sms("+15551234567")])
    expect(await person.client.post("/channels", body)).toMatchObject(unverified);
  const key = await makeKeyClient(h, person);
  expect(await key.post("/channels", email(person.user.email))).toMatchObject(unverified);
  const apply = { version: 1, channels: [email(stranger())] };
  const applied = await person.client.post("/config/apply", apply);
  expect([applied.status, applied.text]).toEqual([422, expect.stringContaining("verification_required")]);
  await add(person, slack);
  await h.runJobs();
  expect(h.mails.every(({ to }) => to === person.user.email)).toBe(true);
  await person.client.get("/auth/verify-email", { query: { token: await h.mailedToken(person.user.email) } });
  await add(person, email(person.user.email));
  expect((await key.post("/channels", sms("+15551234567"))).status).toBe(200);
});

test("a stranger gets one link and no alert until they confirm, and a member with a verified address needs none", async () => {
  const admin = await teamAdmin(h);
  const member = await join(h, admin, "viewer");
  const address = stranger();
  const channel = await add(admin, email(address, member.user.email));
  await add(admin, email(address.toUpperCase()));
  await h.runJobs();
  expect(linksTo(address)).toHaveLength(1);
  expect((await admin.client.post(`/channels/${channel.id}/test`)).status).toBe(200);
  expect([alertsTo(address).length, alertsTo(member.user.email).length]).toEqual([0, 1]);

  const alone = await add(admin, email(address));
  expect(await admin.client.post(`/channels/${alone.id}/test`)).toMatchObject(
    errorReply(400, "channel_test_failed"),
  );
  const token = /confirm-recipient#([\w-]+)/.exec(linksTo(address)[0]?.text ?? "")?.[1] ?? "";
  const preview = async () => (await h.anonymous().get(`/channel-recipients/${token}`)).body;
  const { name: org_name } = (await admin.client.get(`/orgs/${admin.org_id}`)).body as { name: string };
  expect(await preview()).toEqual({ org_name, email: address, is_confirmed: false });
  for (const _ of [1, 2])
    expect((await h.anonymous().post(`/channel-recipients/${token}/confirm`)).status).toBe(200);
  expect(await preview()).toMatchObject({ is_confirmed: true });
  expect(await h.anonymous().get(`/channel-recipients/${"x".repeat(43)}`)).toMatchObject(
    errorReply(410, "link_expired"),
  );
  expect((await admin.client.post(`/channels/${alone.id}/test`)).status).toBe(200);
  expect(alertsTo(address)).toHaveLength(1);
  const { body } = await admin.client.get("/audit-log", { query: { action: "channel.recipient_confirmed" } });
  expect(body).toMatchObject([{ subject: { type: "email", id: address } }]);

  // The confirmation holds for this org only.
  const other = await teamAdmin(h);
  const elsewhere = await add(other, email(address));
  expect((await other.client.post(`/channels/${elsewhere.id}/test`)).status).toBe(400);
});

test("a recipient who is added by a change is asked, and a former member is a stranger", async () => {
  const admin = await teamAdmin(h);
  const member = await join(h, admin, "viewer");
  const channel = await add(admin, email(member.user.email));
  const address = stranger();
  await admin.client.patch(`/channels/${channel.id}`, { config: { to: [address] } });
  await h.runJobs();
  expect(linksTo(address)).toHaveLength(1);
  expect((await admin.client.post(`/channels/${channel.id}/test`)).status).toBe(400);
  await admin.client.patch(`/channels/${channel.id}`, { config: { to: [member.user.email] } });
  await admin.client.delete(`/orgs/${admin.org_id}/members/${member.user.id}`);
  expect((await admin.client.post(`/channels/${channel.id}/test`)).status).toBe(400);
});

test("a link expires, and the next change of a channel sends a new one", async () => {
  const admin = await teamAdmin(h);
  const address = stranger();
  await add(admin, email(address));
  await h.runJobs();
  h.clock.advance(14 * day + hour);
  const token = /confirm-recipient#([\w-]+)/.exec(linksTo(address)[0]?.text ?? "")?.[1] ?? "";
  const confirm = (by: string) => h.anonymous().post(`/channel-recipients/${by}/confirm`);
  expect(await confirm(token)).toMatchObject(errorReply(410, "link_expired"));
  const again = await teamAdmin(h);
  await add(again, email(address));
  await h.runJobs();
  expect(linksTo(address)).toHaveLength(2);
});

test("all orgs together mail at most three links a day to an address, and an org at most 50 an hour", async () => {
  const address = stranger();
  for (let org = 0; org < 5; org++) await add(await teamAdmin(h), email(address));
  await h.runJobs();
  expect(linksTo(address)).toHaveLength(3);
  const admin = await teamAdmin(h);
  for (let channel = 0; channel < 3; channel++)
    await add(admin, email(...Array.from({ length: 16 }, stranger)));
  const tooMany = email(stranger(), stranger(), stranger());
  expect(await admin.client.post("/channels", tooMany)).toMatchObject(errorReply(429, "rate_limited"));
  // Nothing of the rejected channel was written or mailed.
  await h.runJobs();
  const last = `stranger${strangers - 2}@example.org`;
  expect(linksTo(last)).toEqual([]);
  h.clock.advance(hour + 1);
  await add(admin, tooMany);
});

test("addresses that reach one mailbox share its limit, also after their org was deleted", async () => {
  const variants = ["victim", "Victim+1", "victim+2", "v.i.c.t.i.m", "victim+3"].map(
    (name) => `${name}@gmail.com`,
  );
  const links = () =>
    h.mails.filter(({ to, text }) => /@gmail\.com$/.test(to) && /confirm-recipient#/.test(text));
  await add(await teamAdmin(h), email(...variants));
  await h.runJobs();
  expect(links()).toHaveLength(3);
  const admin = await teamAdmin(h);
  const org = async () => {
    const { body } = await admin.client.post("/orgs", { name: "Another" });
    const { id } = body as { id: string };
    await admin.client.post(`/orgs/${id}/switch`);
    return id;
  };
  for (let created = 0; created < 2; created++) {
    const id = await org();
    await add(admin, email("victim+4@gmail.com"));
    await h.runJobs();
    expect((await admin.client.delete(`/orgs/${id}`, { query: { name: "Another" } })).status).toBeLessThan(
      300,
    );
  }
  expect(links()).toHaveLength(3);
  // The next change of a channel asks again.
  h.clock.advance(day + 1);
  await org();
  await add(admin, email("victim+4@gmail.com"));
  await h.runJobs();
  expect(links()).toHaveLength(4);
});

test.each([
  ["+15551234567", 200],
  ["+4930123456", 200],
  // The operator allows this premium-rate prefix itself.
  ["+41900123456", 200],
  ["+491711234567", 422],
  ["+19005550100", 422],
  ["+8821612345678", 422],
  ["+9791234567890", 422],
])("an SMS channel to %s gets %s, by the prefixes that the operator allows", async (to, status) => {
  const admin = await teamAdmin(h);
  const reply = await admin.client.post("/channels", sms(to));
  expect(reply.status).toBe(status);
  if (status === 422) expect(reply.text).toContain("SMS_ALLOW");
});
