import { afterAll, beforeEach, expect, test } from "vitest";
import { messageHour } from "../../../src/delivery/message-limits.ts";
import { limitRecipients, recipientLimits } from "../../../src/delivery/recipient-limits.ts";
import { sendMail } from "../../../src/jobs/send-mail.ts";
import { summariseMessages } from "../../../src/jobs/summarise-messages.ts";
import type { Channel } from "../../../src/wire/channels/channels.ts";
import type { SmsNumber, SmsNumberRequested } from "../../../src/wire/channels/sms-numbers.ts";
import { startProvider } from "../../channels/provider.ts";
import { harness, type Person } from "../../support/harness.ts";
import { day, errorReply, hour, join, teamAdmin } from "../steps.ts";

const twilio = await startProvider();
afterAll(twilio.close);
const account = {
  TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`,
  TWILIO_AUTH_TOKEN: "0123456789abcdef",
  TWILIO_FROM: "+15005550006",
};
const h = await harness({
  env: { ...account, TWILIO_API_URL: twilio.url, OUTBOUND_ALLOW: "127.0.0.0/8", SMS_ALLOW: "+1" },
});
beforeEach(() => {
  twilio.replyWith(201, { sid: "SM1" });
  // The limits of one test must not reach into the next.
  h.clock.advance(day);
});

let phones = 0;
const freshPhone = () => `+4917${String(++phones).padStart(8, "0")}`;
const textsTo = (phone: string) =>
  twilio.received
    .map(({ body }) => new URLSearchParams(body))
    .filter((form) => form.get("To") === phone)
    .map((form) => form.get("Body") ?? "");
const codeTo = (phone: string) => /\b\d{6}\b/.exec(textsTo(phone).at(-1) ?? "")?.[0] ?? "";
/** A code that differs from the given one. */
const otherThan = (code: string, by = 1) => String((Number(code) + by) % 1_000_000).padStart(6, "0");
const sms = (to: string) => ({ type: "sms", name: "Phone", config: { to } });

async function request({ client }: Person, phone: string): Promise<SmsNumber> {
  const reply = await client.post("/sms-numbers", { phone });
  expect(reply).toMatchObject({ status: 200, body: { status: "code_sent", number: { phone } } });
  return (reply.body as SmsNumberRequested).number as SmsNumber;
}

const confirm = ({ client }: Person, { id }: SmsNumber, code: string) =>
  client.post(`/sms-numbers/${id}/confirm`, { code });

test("an org sends to a number outside SMS_ALLOW once an admin confirmed it with the code that was sent to it", async () => {
  const [admin, other, phone] = [await teamAdmin(h), await teamAdmin(h), freshPhone()];
  const member = await join(h, admin, "member");
  const isRejected = { status: 422, text: expect.stringContaining("POST /sms-numbers") };
  expect(await member.client.post("/channels", sms(phone))).toMatchObject(isRejected);
  const number = await request(admin, phone);
  expect(await member.client.post("/channels", sms(phone))).toMatchObject(isRejected);
  expect(textsTo(phone)).toEqual([expect.stringMatching(/^Tocsin: \d{6} is the code/)]);
  const confirmed = await confirm(admin, number, codeTo(phone));
  expect(confirmed).toMatchObject({ status: 200, body: { phone, confirmed_at: expect.any(String) } });

  const made = await member.client.post("/channels", sms(phone));
  expect(made.status).toBe(200);
  const path = `/channels/${(made.body as Channel).id}/test`;
  expect((await member.client.post(path)).status).toBe(200);
  expect(textsTo(phone)).toHaveLength(2);
  // The confirmation holds for this org only.
  expect(await other.client.post("/channels", sms(phone))).toMatchObject(isRejected);
  expect((await other.client.get("/sms-numbers")).body).toEqual([]);

  // Every message is checked again, so deleting the number ends them.
  expect((await admin.client.delete(`/sms-numbers/${number.id}`)).status).toBe(200);
  expect(await member.client.post(path)).toMatchObject(errorReply(400, "channel_test_failed"));
  expect(textsTo(phone)).toHaveLength(2);
  const { body } = await admin.client.get("/audit-log");
  const actions = (body as { action: string; subject: { id: string } }[])
    .filter(({ subject }) => subject.id === phone)
    .map(({ action }) => action);
  expect(actions).toEqual(["sms_number.deleted", "sms_number.confirmed", "sms_number.code_sent"]);
});

test("a code allows five attempts, even if they are sent at once, and none after it was used", async () => {
  const [admin, phone] = [await teamAdmin(h), freshPhone()];
  const number = await request(admin, phone);
  const first = codeTo(phone);
  const guesses = Array.from({ length: 12 }, (_, index) =>
    confirm(admin, number, otherThan(first, index + 1)),
  );
  const codes = (await Promise.all(guesses)).map(({ body }) => (body as { code: string }).code);
  expect(codes.filter((code) => code === "invalid_code")).toHaveLength(5);
  expect(codes.filter((code) => code === "code_expired")).toHaveLength(7);
  expect(await confirm(admin, number, first)).toMatchObject(errorReply(410, "code_expired"));

  const again = await request(admin, phone);
  expect(again.id).toBe(number.id);
  const second = codeTo(phone);
  if (first !== second)
    expect(await confirm(admin, number, first)).toMatchObject(errorReply(400, "invalid_code"));
  const replies = await Promise.all([1, 2, 3].map(() => confirm(admin, number, second)));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect(await confirm(admin, number, second)).toMatchObject(errorReply(409, "conflict"));

  // After a deletion the used code is worth nothing, and the limit of codes is not reset.
  await admin.client.delete(`/sms-numbers/${number.id}`);
  const renewed = await request(admin, phone);
  if (codeTo(phone) !== second)
    expect(await confirm(admin, renewed, second)).toMatchObject(errorReply(400, "invalid_code"));
  expect(await confirm(admin, number, second)).toMatchObject(errorReply(404, "not_found"));
});

test("a code expires after ten minutes, and a wrong one can be corrected under the same Idempotency-Key", async () => {
  const [admin, phone] = [await teamAdmin(h), freshPhone()];
  const number = await request(admin, phone);
  h.clock.advance(10 * 60);
  expect(await confirm(admin, number, codeTo(phone))).toMatchObject(errorReply(410, "code_expired"));
  await request(admin, phone);
  const attempt = (code: string, key: string) =>
    admin.client.request(
      "POST",
      `/sms-numbers/${number.id}/confirm`,
      { code },
      {
        headers: { "idempotency-key": key },
      },
    );
  expect((await attempt(otherThan(codeTo(phone)), "wrong")).status).toBe(400);
  for (const _ of [1, 2]) expect((await attempt(codeTo(phone), "right")).status).toBe(200);
});

test("the code of one org and number confirms neither another org's nor another number", async () => {
  const [admin, other, phone] = [await teamAdmin(h), await teamAdmin(h), freshPhone()];
  const number = await request(admin, phone);
  const code = codeTo(phone);
  const theirs = await request(other, phone);
  if (codeTo(phone) !== code)
    expect(await confirm(other, theirs, code)).toMatchObject(errorReply(400, "invalid_code"));
  expect(await confirm(other, number, code)).toMatchObject(errorReply(404, "not_found"));
  expect(await other.client.delete(`/sms-numbers/${number.id}`)).toMatchObject(errorReply(404, "not_found"));
  const second = await request(admin, freshPhone());
  if (codeTo(second.phone) !== code)
    expect(await confirm(admin, second, code)).toMatchObject(errorReply(400, "invalid_code"));
  expect((await confirm(admin, number, code)).status).toBe(200);
});

test("a number gets at most 5 codes a day from all orgs, an org sends 5 an hour and a user 10 a day", async () => {
  const phone = freshPhone();
  const orgs = await Promise.all(Array.from({ length: 8 }, () => teamAdmin(h)));
  const replies = await Promise.all(orgs.map(({ client }) => client.post("/sms-numbers", { phone })));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(5);
  for (const reply of replies.filter(({ status }) => status !== 200)) {
    expect(reply).toMatchObject(errorReply(429, "rate_limited"));
    expect(Number(reply.headers["retry-after"])).toBeGreaterThan(hour);
  }
  expect(textsTo(phone)).toHaveLength(5);

  const admin = await teamAdmin(h);
  const send = () => admin.client.post("/sms-numbers", { phone: freshPhone() });
  for (const sent of [5, 5, 0]) {
    const statuses = (await Promise.all(Array.from({ length: 7 }, send))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(sent);
    expect(statuses.filter((status) => status === 429)).toHaveLength(7 - sent);
    h.clock.advance(hour + 1);
  }
});

test("a number that needs no code gets none", async () => {
  const [admin, phone] = [await teamAdmin(h), freshPhone()];
  expect((await admin.client.post("/sms-numbers", { phone: "+15551234567" })).body).toEqual({
    status: "no_code_needed",
    number: null,
  });
  expect(textsTo("+15551234567")).toEqual([]);
  await confirm(admin, await request(admin, phone), codeTo(phone));
  expect(await admin.client.post("/sms-numbers", { phone })).toMatchObject({ body: { status: "confirmed" } });
  expect(textsTo(phone)).toHaveLength(1);
});

test("no code goes to satellite, shared-cost and premium-rate numbers, to a number that opted out, or from an unverified account", async () => {
  const admin = await teamAdmin(h);
  for (const phone of [
    "+8821612345678",
    "+9791234567890",
    "+881612345678",
    "+49900123456",
    "+449098790000",
    "0171",
    "+49171x",
  ])
    expect((await admin.client.post("/sms-numbers", { phone })).status).toBe(422);
  const phone = freshPhone();
  await h.app.db.insertInto("sms_opt_outs").values({ phone, opted_out_at: h.clock.now() }).execute();
  expect(await admin.client.post("/sms-numbers", { phone })).toMatchObject(errorReply(409, "conflict"));
  const newcomer = await h.signUp();
  expect(await newcomer.client.post("/sms-numbers", { phone: freshPhone() })).toMatchObject(
    errorReply(403, "verification_required"),
  );
  expect(textsTo(phone)).toEqual([]);
  expect(textsTo(freshPhone())).toEqual([]);
});

test.each([
  ["an invalid number", 400, { code: 21211, message: "secret detail" }, 422],
  ["rejected credentials", 401, { code: 20003, message: "secret detail" }, 503],
  ["an outage", 500, "secret detail", 503],
])(
  "after a reply about %s nothing is stored, an earlier code stays valid and the caller sees no details",
  async (_name, status, body, expected) => {
    const [admin, phone] = [await teamAdmin(h), freshPhone()];
    const number = await request(admin, phone);
    const code = codeTo(phone);
    twilio.replyWith(status, body);
    const reply = await admin.client.post("/sms-numbers", { phone });
    expect(reply.status).toBe(expected);
    expect(reply.text).not.toContain("secret detail");
    expect(h.lines.some((line) => line.includes("secret detail"))).toBe(true);
    expect(h.lines.some((line) => line.includes(code))).toBe(false);
    expect((await confirm(admin, number, code)).status).toBe(200);
  },
);

test("a request for a code gets 503 with the reason if there is no Twilio account", async () => {
  const bare = await harness({ env: { SMS_ALLOW: "" } });
  const admin = await teamAdmin(bare);
  expect(await admin.client.post("/sms-numbers", { phone: freshPhone() })).toMatchObject(
    errorReply(503, "sms_not_configured"),
  );
});

test("a number whose code was not entered is deleted after a day", async () => {
  const [admin, kept] = [await teamAdmin(h), freshPhone()];
  await confirm(admin, await request(admin, kept), codeTo(kept));
  await request(admin, freshPhone());
  h.clock.advance(day + hour);
  await h.runJobs();
  expect((await admin.client.get("/sms-numbers")).body).toMatchObject([{ phone: kept }]);
});

test("a number gets a bounded number of texts from all orgs together, and one summary of the rest", async () => {
  const [mine, other, phone] = [await teamAdmin(h), await teamAdmin(h), "+14155550177"];
  const channel = (await mine.client.post("/channels", sms(phone))).body as Channel;
  const admit = limitRecipients(h.app);
  const { ofOthers, reserved } = recipientLimits.sms;
  const counted = { recipient: `sms:${phone}`, hour: messageHour(h.clock.now()) };
  await h.app.db
    .insertInto("recipient_messages")
    .values([
      { ...counted, org_id: other.org_id, messages: ofOthers },
      { ...counted, org_id: mine.org_id, messages: reserved },
    ])
    .execute();
  expect((await admit(mine.org_id, "sms", [phone])).admitted).toEqual([]);
  expect(await mine.client.post(`/channels/${channel.id}/test`)).toMatchObject({
    ...errorReply(400, "channel_test_failed"),
    text: expect.stringContaining("the limit of messages per hour"),
  });
  expect(textsTo(phone)).toEqual([]);
  h.clock.advance(hour);
  await summariseMessages.run(h.app);
  await sendMail.run(h.app);
  expect(textsTo(phone)).toEqual([
    expect.stringMatching(/^Tocsin: 2 further alerts to this number were left out/),
  ]);
  expect((await mine.client.post(`/channels/${channel.id}/test`)).status).toBe(200);
});
