import { expect, test } from "vitest";
import { channels as kinds } from "../../../src/channels/index.ts";
import { operations } from "../../../src/http/routes/index.ts";
import { providerTimeoutMs } from "../../../src/lib/process/stop-deadlines.ts";
import type { Rule } from "../../../src/wire/alerts/rules.ts";
import type { Channel } from "../../../src/wire/channels/channels.ts";
import { Sink } from "../../delivery/sink.ts";
import { harness, type Person } from "../../support/harness.ts";
import { addContract, addRule, addTarget, freshId } from "../contracts/contract-steps.ts";
import { countByStatus, dump, errorReply, join, sendConcurrently, teamAdmin, unknownId } from "../steps.ts";

const h = await harness({ env: { OUTBOUND_ALLOW: "127.0.0.0/8" } });
const closed = await harness();
const sink = await Sink.start();

/** A valid config of each type, with its secrets. */
const configs: Record<string, { config: Record<string, unknown>; secrets: string[] }> = {
  email: { config: { to: ["oncall@example.com"], subject_prefix: "[ops]" }, secrets: [] },
  slack: {
    config: { webhook_url: "https://hooks.slack.com/services/T0/B0/hunter2hunter2" },
    secrets: ["hunter2"],
  },
  discord: {
    config: { webhook_url: "https://discord.com/api/webhooks/123456789012345678/hunter2hunter2" },
    secrets: ["hunter2"],
  },
  teams: {
    config: { webhook_url: "https://example.webhook.office.com/webhookb2/hunter2hunter2" },
    secrets: ["hunter2"],
  },
  telegram: {
    config: { bot_token: "123456789:AAhunter2hunter2hunter2hunter2hunter", chat_id: "-1001234567890" },
    secrets: ["hunter2"],
  },
  webhook: {
    config: {
      url: "https://example.com/hook",
      secret: `whsec_${Buffer.from("hunter2hunter2hunter2hunter2").toString("base64")}`,
      headers: { authorization: "Bearer hunter2" },
    },
    secrets: ["hunter2", Buffer.from("hunter2hunter2hunter2hunter2").toString("base64")],
  },
  pagerduty: { config: { routing_key: "0123456789abcdef0123456789abcdef" }, secrets: ["0123456789abcdef"] },
  opsgenie: {
    config: { api_key: "01234567-89ab-cdef-0123-456789abcdef", region: "eu" },
    secrets: ["01234567-89ab"],
  },
  sms: { config: { to: "+15551234567" }, secrets: [] },
  inbox: { config: {}, secrets: [] },
};

const bodyOf = (type: string) => ({ type, name: `My ${type}`, config: configs[type]?.config });
const post = async (person: Person, body: object) => {
  const reply = await person.client.post("/channels", body);
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body as Channel;
};
const hookTo = (url: string, more: object = {}) => ({
  type: "webhook",
  name: "Hook",
  config: { url, ...more },
});
const owner = async () => {
  const person = await h.personOn("enterprise");
  return person;
};
const locs = (body: unknown) =>
  (body as { detail: { loc: string[] }[] }).detail.map(({ loc }) => loc.join("."));

test("these tests have a config for every channel type", () => {
  expect(Object.keys(configs).sort()).toEqual(kinds.map(({ type }) => type).sort());
});

test.each(Object.keys(configs))(
  "a %s channel is created, listed and updated without returning a secret",
  async (type) => {
    const person = await owner();
    const created = await person.client.post("/channels", bodyOf(type));
    expect(created.status).toBe(200);
    const { id } = created.body as Channel;
    const listed = await person.client.get("/channels");
    const changed = await person.client.patch(`/channels/${id}`, { name: "Renamed" });
    expect(changed.body).toMatchObject({
      name: "Renamed",
      status: "ok",
      min_severity: "info",
      is_enabled: true,
    });
    const database = Object.values(await dump(h))
      .flat()
      .join("\n");
    for (const secret of configs[type]?.secrets ?? []) {
      for (const text of [created.text, listed.text, changed.text, database, h.lines.join("\n")])
        expect(text).not.toContain(secret);
    }
    expect(Object.keys((listed.body as Channel[])[0]?.config ?? {}).sort()).toEqual(
      Object.keys(configs[type]?.config ?? {}).sort(),
    );
  },
);

test.each(Object.keys(configs))(
  "updating a %s channel with its own masked config changes nothing",
  async (type) => {
    const person = await owner();
    const { id, config } = await post(person, bodyOf(type));
    const reply = await person.client.patch(`/channels/${id}`, { config });
    expect([reply.status, (reply.body as Channel).config]).toEqual([200, config]);
  },
);

test("a missing webhook signing secret is generated and shown once", async () => {
  const person = await owner();
  const { config } = await post(person, hookTo("https://example.com/hook"));
  expect(config.secret).toMatch(/^whsec_[A-Za-z0-9+/=]{32,}$/);
  const [listed] = (await person.client.get("/channels")).body as Channel[];
  expect(listed?.config).toEqual({ url: "https://example.com/hook", secret: "••••" });
});

test("a masked header keeps its value, and a changed or deleted header takes effect", async () => {
  const person = await owner();
  const created = await post(
    person,
    hookTo(sink.url("/kept"), { headers: { "x-key": "first", "x-more": "second" } }),
  );
  const change = { headers: { "x-key": "••••", "x-more": "changed", "x-new": "third" } };
  await person.client.patch(`/channels/${created.id}`, { config: change });
  expect((await person.client.post(`/channels/${created.id}/test`)).body).toEqual({ sent: true });
  const { headers } = sink.at("/kept")[0] ?? {};
  expect([headers?.["x-key"], headers?.["x-more"], headers?.["x-new"]]).toEqual([
    "first",
    "changed",
    "third",
  ]);
  await person.client.patch(`/channels/${created.id}`, { config: { headers: null } });
  await person.client.post(`/channels/${created.id}/test`);
  expect(sink.at("/kept")[1]?.headers["x-key"]).toBeUndefined();
});

test.each([
  ["scheme", "https://hooks.example.com/a", "http://127.0.0.1/a"],
  ["host", "https://hooks.example.com/a", "https://evil.example/a"],
  ["port", "https://hooks.example.com/a", "https://hooks.example.com:8443/a"],
  ["path", "https://hooks.example.com/a", "https://hooks.example.com/b"],
])("a new %s of a webhook drops its secret headers", async (_part, before, after) => {
  const person = await owner();
  const created = await post(person, hookTo(before, { headers: { "x-key": "hunter2" } }));
  const change = (config: object) => person.client.patch(`/channels/${created.id}`, { config });
  const masked = await change({ url: after, headers: { "x-key": "••••" } });
  expect([masked.status, locs(masked.body)]).toEqual([422, ["body.config.headers.x-key"]]);
  const same = await change({ url: `${before}?more=1` });
  expect((same.body as Channel).config.headers).toEqual({ "x-key": "••••" });
  const moved = await change({ url: after });
  expect([moved.status, (moved.body as Channel).config]).toEqual([200, { url: after, secret: "••••" }]);
  const given = await change({ url: before, headers: { "x-key": "another" } });
  expect((given.body as Channel).config.headers).toEqual({ "x-key": "••••" });
});

test("headers that were dropped with a new path are not sent there", async () => {
  const person = await owner();
  const created = await post(person, hookTo(sink.url("/mine"), { headers: { "x-key": "hunter2" } }));
  await person.client.patch(`/channels/${created.id}`, { config: { url: sink.url("/theirs") } });
  expect((await person.client.post(`/channels/${created.id}/test`)).body).toEqual({ sent: true });
  expect(sink.at("/theirs").map(({ headers }) => headers["x-key"])).toEqual([undefined]);
});

test.each([
  [{ type: "pigeon", name: "x", config: {} }, ["body.type"]],
  [{ type: "slack", name: "x" }, ["body.config.webhook_url"]],
  [{ type: "slack", name: "x", config: {} }, ["body.config.webhook_url"]],
  [
    { type: "slack", name: "", config: { webhook_url: 7, colour: "red" } },
    ["body.name", "body.config.webhook_url", "body.config.colour"],
  ],
  [
    { type: "slack", name: "x", config: { webhook_url: 7, colour: "red" } },
    ["body.config.webhook_url", "body.config.colour"],
  ],
  [hookTo("https://example.com/••••"), ["body.config.url"]],
  [hookTo("ftp://example.com"), ["body.config.url"]],
  [hookTo("http://example.com"), ["body.config.url"]],
  [hookTo("https://user:pass@example.com"), ["body.config.url"]],
  [{ ...hookTo("https://example.com"), min_severity: "loud" }, ["body.min_severity"]],
  [{ ...hookTo("https://example.com"), status: "ok" }, ["body.status"]],
])("the channel %j is rejected with every error", async (body, expected) => {
  const person = await closed.person();
  const reply = await person.client.post("/channels", body);
  expect([reply.status, locs(reply.body)]).toEqual([422, expected]);
});

test("an empty or invalid channel update gets 422, and an unknown channel 404", async () => {
  const person = await owner();
  const { id } = await post(person, bodyOf("slack"));
  for (const body of [
    {},
    { type: "email" },
    { config: { webhook_url: null } },
    { config: { to: ["a@b.co"] } },
  ])
    expect([(await person.client.patch(`/channels/${id}`, body)).status, body]).toEqual([422, body]);
  expect(await person.client.patch(`/channels/${freshId()}`, { name: "x" })).toMatchObject(
    errorReply(404, "not_found"),
  );
});

test("concurrent creations of channels do not exceed the tier's quota", async () => {
  for (const [tier, quota] of [
    ["free", 2],
    ["pro", 10],
  ] as const) {
    const person = await h.personOn(tier);
    const clients = Array.from({ length: quota + 6 }, () => person.client);
    const replies = await sendConcurrently(clients, (client) => client.post("/channels", bodyOf("sms")));
    expect(countByStatus(replies)).toEqual({ 200: quota, 403: 6 });
    expect(replies.find(({ status }) => status === 403)).toMatchObject(errorReply(403, "quota_exceeded"));
    expect((await person.client.get("/channels")).body).toHaveLength(quota);
  }
});

test("concurrent updates of different config fields of a channel are both saved", async () => {
  const person = await owner();
  const { id } = await post(person, bodyOf("email"));
  await Promise.all([
    person.client.patch(`/channels/${id}`, { config: { to: ["new@example.com"] } }),
    person.client.patch(`/channels/${id}`, { config: { subject_prefix: "[new]" } }),
  ]);
  const [channel] = (await person.client.get("/channels")).body as Channel[];
  expect(channel?.config).toEqual({ to: ["new@example.com"], subject_prefix: "[new]" });
});

test("deleting a channel removes it from the rules that use it", async () => {
  const person = await owner();
  const [deleted, stays] = [await post(person, bodyOf("slack")), await post(person, bodyOf("sms"))];
  const target = await addTarget(person, (await addContract(person)).id);
  const rule = await addRule(person, target.id, {
    channel_id: deleted.id,
    channel_ids: [deleted.id, stays.id],
  });
  expect(await person.client.delete(`/channels/${deleted.id}`)).toMatchObject({
    status: 200,
    body: { ok: true },
  });
  expect((await person.client.get(`/alerts/${rule.id}`)).body as Rule).toMatchObject({
    channel_id: null,
    channel_ids: [stays.id],
  });
  expect(await person.client.delete(`/channels/${deleted.id}`)).toMatchObject(errorReply(404, "not_found"));
});

test("a failed channel test reports the provider's reply", async () => {
  const person = await owner();
  sink.on("/refuses", () => ({ status: 403, body: "go away" }));
  const { id } = await post(
    person,
    hookTo(sink.url("/refuses"), { headers: { authorization: "Bearer hunter2" } }),
  );
  const reply = await person.client.post(`/channels/${id}/test`);
  expect(reply).toMatchObject(errorReply(400, "channel_test_failed"));
  expect((reply.body as { detail: string }).detail).toContain("403");
  const [channel] = (await person.client.get("/channels")).body as Channel[];
  expect(channel?.last_error).toContain("403");
  sink.on("/refuses", () => 200);
  expect((await person.client.post(`/channels/${id}/test`)).body).toEqual({ sent: true });
  const [recovered] = (await person.client.get("/channels")).body as Channel[];
  expect(recovered).toMatchObject({ status: "ok", last_error: null, last_success_at: expect.any(String) });
  expect(sink.at("/refuses").map(({ kind }) => kind)).toEqual(["test", "test"]);
});

test("a failed channel test is recorded in the audit log, and repeating its Idempotency-Key runs it again", async () => {
  const person = await owner();
  sink.on("/once", () => 500);
  const { id } = await post(person, hookTo(sink.url("/once")));
  const headers = { "idempotency-key": "try" };
  expect((await person.client.post(`/channels/${id}/test`, undefined, { headers })).status).toBe(400);
  sink.on("/once", () => 200);
  expect((await person.client.post(`/channels/${id}/test`, undefined, { headers })).status).toBe(200);
  const { body } = await person.client.get("/audit-log", { query: { action: "channel.tested" } });
  expect(body).toMatchObject([{ details: { sent: true } }, { details: { sent: false } }]);
});

test("channel tests are rate limited", async () => {
  const person = await owner();
  const { id } = await post(person, hookTo(sink.url("/often")));
  for (let count = 0; count < 60; count++)
    expect((await person.client.post(`/channels/${id}/test`)).status).toBe(200);
  expect(await person.client.post(`/channels/${id}/test`)).toMatchObject(errorReply(429, "rate_limited"));
});

test("a member sees all channels of the org", async () => {
  const admin = await teamAdmin(h);
  const member = await join(h, admin, "member");
  await member.client.post(`/orgs/${admin.org_id}/switch`);
  const { id } = await post(admin, bodyOf("sms"));
  expect((await member.client.get("/channels")).body).toMatchObject([{ id }]);
});

test("a channel is read by its id with masked secrets", async () => {
  const person = await owner();
  const { config, ...created } = await post(person, bodyOf("webhook"));
  const reply = await person.client.get(`/channels/${created.id}`);
  expect(reply).toMatchObject({ status: 200, body: created });
  for (const secret of configs.webhook?.secrets ?? []) expect(reply.text).not.toContain(secret);
  expect(config).toBeDefined();
});

test("a config is tested before a channel is created, and nothing of it is stored", async () => {
  const person = await owner();
  const { type, config } = hookTo(sink.url("/unsaved"), { headers: { authorization: "Bearer hunter2" } });
  expect(await person.client.post("/channels/test", { type, config })).toMatchObject({
    body: { sent: true },
  });
  expect(sink.at("/unsaved")).toMatchObject([
    { body: { type: "alert.test" }, headers: { authorization: "Bearer hunter2" } },
  ]);
  sink.on("/unsaved", () => 500);
  expect(await person.client.post("/channels/test", { type, config })).toMatchObject({
    ...errorReply(400, "channel_test_failed"),
    body: { detail: expect.stringContaining("500") },
  });
  expect((await person.client.get("/channels")).body).toEqual([]);
  const { body, text } = await person.client.get("/audit-log", { query: { action: "channel.tested" } });
  expect(body).toMatchObject([
    { subject: { type: "channel", id: null }, details: { type, sent: false } },
    { subject: { type: "channel", id: null }, details: { type, sent: true } },
  ]);
  expect(text).not.toContain("hunter2");
});

test("a change of a channel is tested before it is saved, with the secrets that it keeps", async () => {
  const person = await owner();
  const headers = { authorization: "Bearer hunter2" };
  const { body } = await person.client.post("/channels", hookTo(sink.url("/kept?version=1"), { headers }));
  const { id: channel_id } = body as Channel;
  const test = (more: object) =>
    person.client.post("/channels/test", { type: "webhook", config: {}, channel_id, ...more });
  // Another path gets no stored header.
  for (const url of [sink.url("/kept?version=2"), sink.url("/elsewhere")])
    expect(await test({ config: { url } })).toMatchObject({ body: { sent: true } });
  expect(sink.at("/kept?version=2")).toMatchObject([{ headers }]);
  expect(sink.at("/elsewhere")[0]?.headers).not.toHaveProperty("authorization");
  expect(await person.client.get(`/channels/${channel_id}`)).toMatchObject({
    body: { config: { url: sink.url("/kept?version=1") }, last_success_at: null },
  });
  expect(await test({ type: "slack" })).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ["body", "channel_id"] }] },
  });
  expect(await test({ channel_id: unknownId })).toMatchObject(errorReply(404, "not_found"));
});

test("an inbox is tested before it is created, and gets no message", async () => {
  const person = await owner();
  expect(await person.client.post("/channels/test", { type: "inbox", config: {} })).toMatchObject({
    body: { sent: true },
  });
  expect((await person.client.get("/inbox")).body).toMatchObject({ messages: [] });
});

test("a channel of a type without required fields needs no config, and another names the field that it lacks", async () => {
  const person = await owner();
  expect(await person.client.post("/channels", { type: "inbox", name: "Our inbox" })).toMatchObject({
    status: 200,
    body: { type: "inbox", config: {} },
  });
  for (const path of ["/channels", "/channels/test"]) {
    const body = { type: "webhook", ...(path === "/channels" && { name: "Hook" }) };
    expect(await person.client.post(path, body)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ["body", "config", "url"] }] },
    });
  }
});

test("a test before a channel is created has the conditions of a channel", async () => {
  const [one, unverified] = [await owner(), await h.person()];
  const test = (person: Person, body: object) => person.client.post("/channels/test", body);
  expect(await test(one, { type: "webhook", config: { url: "not a URL" } })).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ["body", "config", "url"] }] },
  });
  expect(await test(one, { type: "webhook", config: { url: sink.url(), secret: "••••" } })).toMatchObject({
    status: 422,
  });
  expect(await test(one, { type: "sms", config: { to: "+491711234567" } })).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ["body", "config", "to"] }] },
  });
  const strangers = { type: "email", config: { to: ["stranger@example.com"] } };
  expect(await test(one, strangers)).toMatchObject(errorReply(400, "channel_test_failed"));
  await h.runJobs();
  expect(h.mails.filter(({ to }) => to === "stranger@example.com")).toEqual([]);
  await h.app.db
    .updateTable("users")
    .set({ is_verified: false })
    .where("id", "=", unverified.user.id)
    .execute();
  expect(await test(unverified, strangers)).toMatchObject(errorReply(403, "verification_required"));
});

test("a channel test waits longer than a provider may take, so that its failure is reported and not a time-out", () => {
  const deadlines = operations
    .filter(({ id }) => id === "testChannel" || id === "testNewChannel")
    .map(({ limits }) => limits.deadlineMs ?? 0);
  expect(deadlines).toHaveLength(2);
  for (const deadlineMs of deadlines) expect(deadlineMs).toBeGreaterThan(2 * providerTimeoutMs);
});
