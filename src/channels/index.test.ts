import { expect, test } from "vitest";
import { channelOf, channels } from "./index.ts";

const hook = "https://hooks.example.com/services/T000/B000/XXXX";
const bot_token = "123456789:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const url = "https://example.com/hook";

/** Configs that each channel type accepts and rejects. */
const configs: Record<string, { good: object[]; bad: object[] }> = {
  email: {
    good: [
      { to: ["ann@example.org"] },
      { to: ["ann@example.org", "bob@example.org"], subject_prefix: "[ops]" },
    ],
    bad: [
      { to: [] },
      { to: ["ann"] },
      { to: ["ann@example.org\r\nBcc: eve@example.net"] },
      { to: ["ann@example.org", "ANN@example.org"] },
      { to: Array.from({ length: 21 }, (_, index) => `a${index}@example.org`) },
      { to: ["ann@example.org"], subject_prefix: "a\r\nBcc: x" },
      { to: "ann@example.org" },
    ],
  },
  slack: {
    good: [{ webhook_url: hook }],
    bad: [{ webhook_url: "hooks" }, { webhook_url: "ftp://a.example/" }, {}],
  },
  discord: { good: [{ webhook_url: hook }], bad: [{ webhook_url: "https://a:b@example.com/" }] },
  teams: { good: [{ webhook_url: hook }], bad: [{ webhook_url: `https://e.com/${"a".repeat(2048)}` }] },
  telegram: {
    good: [
      { bot_token, chat_id: "-1001234567890" },
      { bot_token, chat_id: 42, thread_id: 7 },
      { bot_token, chat_id: "@alerts_here" },
    ],
    bad: [
      { bot_token: "123:abc", chat_id: "1" },
      { bot_token: `${bot_token}/../x`, chat_id: "1" },
      { bot_token, chat_id: "" },
      { bot_token, chat_id: 1.5 },
      { bot_token, chat_id: "1", thread_id: 0 },
      { bot_token },
    ],
  },
  webhook: {
    good: [{ url }, { url, secret }, { url, headers: { Authorization: "Bearer 1", "x-key": "2" } }],
    bad: [
      { url: "nowhere" },
      { url, secret: "hunter2" },
      { url, secret: "whsec_c2hvcnQ=" },
      { url, secret: `whsec_${Buffer.alloc(65).toString("base64")}` },
      { url, headers: { "x-key": "a\r\nX-Other: b" } },
      { url, headers: { "x key": "a" } },
      { url, headers: { "x-key": "é" } },
      { url, headers: { "": "a" } },
      { url, headers: { "x-key": "a", "X-Key": "b" } },
      { url, headers: Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`x-${index}`, "a"])) },
      ...[
        "Host",
        "content-length",
        "Content-Type",
        "transfer-encoding",
        "webhook-id",
        "Webhook-Signature",
      ].map((name) => ({ url, headers: { [name]: "a" } })),
    ],
  },
  pagerduty: {
    good: [
      { routing_key: "0".repeat(32) },
      { routing_key: "0".repeat(32), severity_map: { warning: "error" } },
    ],
    bad: [
      { routing_key: "short" },
      { routing_key: "0".repeat(32), severity_map: { warning: "loud" } },
      { routing_key: "0".repeat(32), severity_map: { high: "error" } },
    ],
  },
  opsgenie: {
    good: [{ api_key: "00000000-0000-0000-0000-000000000000", region: "eu" }],
    bad: [
      { api_key: "00000000" },
      { api_key: "00000000\r\nx: y", region: "us" },
      { api_key: "00000000", region: "uk" },
    ],
  },
  sms: {
    good: [{ to: "+14155550100" }],
    bad: [
      { to: "14155550100" },
      { to: "+0123456789" },
      { to: "+1 415 555 0100" },
      { to: "+1415555010012345" },
    ],
  },
  inbox: { good: [{}], bad: [{ to: "someone" }, { url: "https://example.com" }] },
};

test("every channel type has tests, and is found by its name", () => {
  expect(channels.map(({ type }) => type).sort()).toEqual(Object.keys(configs).sort());
  for (const channel of channels) expect(channelOf(channel.type)).toBe(channel);
  expect(channelOf("pigeon")).toBeUndefined();
});

test.each(channels)("$type accepts documented configs and rejects others", ({ type, config }) => {
  const { good, bad } = configs[type] ?? { good: [], bad: [] };
  for (const one of good) expect(config.safeParse(one)).toMatchObject({ success: true, data: one });
  for (const one of bad) expect(config.safeParse(one), JSON.stringify(one)).toMatchObject({ success: false });
  expect(config.safeParse({ ...good[0], other: 1 }).success).toBe(false);
});

test("validation errors of a config do not contain its secrets", () => {
  const problems = [
    channelOf("telegram")?.config.safeParse({ bot_token: "123:hunter2", chat_id: "1" }),
    channelOf("webhook")?.config.safeParse({ url, secret: "hunter2", headers: { "x-key": "hunter2\n" } }),
    channelOf("slack")?.config.safeParse({ webhook_url: "hunter2" }),
  ];
  expect(JSON.stringify(problems.map((problem) => problem?.error?.issues))).not.toContain("hunter2");
});

test.each(channels)("the secrets and URLs of $type are fields of its config", ({ type, secrets, urls }) => {
  const fields = new Set((configs[type]?.good ?? []).flatMap((one) => Object.keys(one)));
  for (const name of [...secrets, ...urls]) expect(fields).toContain(name);
});

test("only webhook, PagerDuty and Opsgenie get acknowledgements, and only the latter two do not group alerts", () => {
  const notified = channels.filter(({ kinds }) => kinds.includes("acknowledged")).map(({ type }) => type);
  expect(notified.sort()).toEqual(["opsgenie", "pagerduty", "webhook"]);
  expect(
    channels
      .filter(({ groups }) => !groups)
      .map(({ type }) => type)
      .sort(),
  ).toEqual(["opsgenie", "pagerduty"]);
  for (const { kinds } of channels) {
    expect(kinds).toEqual(
      expect.arrayContaining(["fired", "renotified", "escalated", "resolved", "retracted", "test"]),
    );
  }
});

test("a webhook without a secret gets a generated one; a given secret is kept", () => {
  const webhook = channelOf("webhook");
  const made = webhook?.complete?.({ url }, (length) => Buffer.alloc(length, 1));
  expect(made).toEqual({ url, secret: `whsec_${Buffer.alloc(32, 1).toString("base64")}` });
  expect(webhook?.config.safeParse(made).success).toBe(true);
  expect(webhook?.complete?.({ url, secret }, () => Buffer.alloc(0))).toEqual({ url, secret });
});
