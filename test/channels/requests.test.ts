import { Webhook } from "standardwebhooks";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { Message } from "../../src/channels/channel.ts";
import { channelOf } from "../../src/channels/index.ts";
import { startProvider } from "./provider.ts";
import { ownLinks, sampleAlert, sampleMessage } from "./sample.ts";

const provider = await startProvider();
const { received, deps, url } = provider;
afterAll(() => provider.close());
beforeEach(() => {
  received.length = 0;
  provider.replyWith(200, "ok");
});

const bot_token = "123456789:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
const routing_key = "0".repeat(32);
const two: Message["alerts"] = [
  sampleAlert(),
  sampleAlert({ event_id: "second", title: "Paused: Treasury" }),
];

/** Sends through a channel, and returns the result and the received requests with parsed JSON. */
async function send(type: string, config: object, message = sampleMessage(), change = {}) {
  const outcome = await channelOf(type)?.send(message, config, deps(change));
  const requests = received.map((one) => ({
    ...one,
    json: one.body.startsWith("{") ? JSON.parse(one.body) : null,
  }));
  return { outcome, requests, request: requests[0] };
}

describe("a Slack message", () => {
  test("consists of a header, a sentence, the facts and the links", async () => {
    const { outcome, request } = await send("slack", { webhook_url: `${url}/services/T1/B1/secret` });
    expect(outcome).toEqual({ status: 200, excerpt: "ok", result: "sent" });
    expect(request).toMatchObject({ method: "POST", path: "/services/T1/B1/secret" });
    expect(request?.headers["content-type"]).toBe("application/json");
    expect(request?.json.blocks.map((block: { type: string }) => block.type)).toEqual([
      "header",
      "section",
      "section",
      "context",
      "context",
    ]);
    expect(request?.json.blocks[0].text).toEqual({
      type: "plain_text",
      text: "Critical: Large withdrawals: Treasury on Ethereum",
      emoji: false,
    });
    expect(request?.json.blocks[3].elements[0].text).toBe(
      `<${ownLinks.event}|Open the event> · <${ownLinks.contract}|Contract> · <${ownLinks.transaction.replace("&", "&amp;")}|Transaction>`,
    );
    expect(request?.json.text).toContain("Measured: 3 events, at least 3");
    expect(request?.json).toMatchObject({ mrkdwn: false, unfurl_links: false });
  });
});

describe("a Discord message", () => {
  test("is one embed without mentions, sent with wait=true", async () => {
    provider.replyWith(200, { id: "1" });
    const { outcome, request } = await send("discord", {
      webhook_url: `${url}/api/webhooks/1/abc?thread_id=5`,
    });
    expect(outcome).toMatchObject({ result: "sent", status: 200 });
    expect(request?.path).toBe("/api/webhooks/1/abc?thread_id=5&wait=true");
    expect(request?.json).toMatchObject({
      allowed_mentions: { parse: [] },
      embeds: [
        {
          title: "Critical\\: Large withdrawals\\: Treasury on Ethereum",
          url: ownLinks.event,
          description: "Three withdrawals left the treasury within 5 minutes.",
          color: 0xd92d20,
          timestamp: "2026-11-15T03:00:05.000Z",
          footer: { text: "Tocsin · Example DAO" },
        },
      ],
    });
    expect(request?.json.embeds[0].fields[4]).toEqual({
      name: "Transaction",
      value: `${two[0].transaction?.hash}\n${ownLinks.transaction}`,
      inline: false,
    });
  });

  test("of several alerts has an embed for each", async () => {
    const { request } = await send("discord", { webhook_url: url }, sampleMessage({ alerts: two }));
    expect(request?.json.content).toBe("Critical\\: 2 alerts on Ethereum");
    expect(request?.json.embeds.map((embed: { title: string }) => embed.title)).toEqual([
      "Large withdrawals\\: Treasury on Ethereum",
      "Paused\\: Treasury",
    ]);
  });
});

describe("a Telegram message", () => {
  test("is HTML to a chat and its topic, without link previews", async () => {
    provider.replyWith(200, { ok: true, result: { message_id: 1 } });
    const { outcome, request } = await send("telegram", { bot_token, chat_id: "-100", thread_id: 7 });
    expect(outcome).toMatchObject({ result: "sent" });
    expect(request?.path).toBe(`/bot${bot_token}/sendMessage`);
    expect(request?.json).toMatchObject({
      chat_id: "-100",
      message_thread_id: 7,
      parse_mode: "HTML",
      link_preview_options: { is_disabled: true },
      disable_notification: false,
    });
    expect(request?.json.text).toMatch(
      /^<b>Critical: Large withdrawals: Treasury on Ethereum<\/b>\n\nThree /,
    );
    expect(request?.json.text).toContain(`<a href="${ownLinks.event}">Open the event</a>`);
  });

  test("follows a group that became a supergroup, once", async () => {
    const moved = {
      ok: false,
      error_code: 400,
      description: "upgraded",
      parameters: { migrate_to_chat_id: -1005 },
    };
    provider.respondWith((response, { body }) => {
      const isMoved = body.includes('"chat_id":"-5"');
      response.writeHead(isMoved ? 400 : 200).end(JSON.stringify(isMoved ? moved : { ok: true }));
    });
    const { outcome, requests } = await send("telegram", { bot_token, chat_id: "-5" });
    expect(outcome).toMatchObject({ result: "sent" });
    expect(requests.map(({ json }) => json.chat_id)).toEqual(["-5", -1005]);

    received.length = 0;
    provider.replyWith(400, moved);
    const again = await send("telegram", { bot_token, chat_id: -1005 });
    expect(again.outcome).toMatchObject({ result: "failed" });
    expect(again.requests).toHaveLength(2);
  });
});

describe("a Teams message", () => {
  test("is an adaptive card that shows texts verbatim", async () => {
    provider.replyWith(202);
    const { outcome, request } = await send("teams", { webhook_url: `${url}/workflows/1?sig=abcdef` });
    expect(outcome).toEqual({ status: 202, excerpt: null, result: "sent" });
    expect(request?.json).toMatchObject({
      type: "message",
      attachments: [
        { contentType: "application/vnd.microsoft.card.adaptive", content: { type: "AdaptiveCard" } },
      ],
    });
    const { body, actions } = request?.json.attachments[0].content ?? {};
    expect(new Set(body.map((block: { type: string }) => block.type))).toEqual(new Set(["RichTextBlock"]));
    expect(body[0].inlines[0]).toMatchObject({
      text: expect.stringMatching(/^Critical: /),
      color: "attention",
    });
    expect(actions).toEqual([{ type: "Action.OpenUrl", title: "Open the event", url: ownLinks.event }]);
  });
});

describe("a webhook", () => {
  const secret = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;

  test("has a signature that a Standard Webhooks library accepts", async () => {
    const headers = { Authorization: "Bearer abc", "X-Team": "ops" };
    const message = sampleMessage({ alerts: [sampleAlert({ title: "Größe <b>\u2028" })] });
    const { outcome, request } = await send("webhook", { url: `${url}/hook`, secret, headers }, message, {
      clock: { now: () => new Date(), sleep: async () => undefined },
    });
    expect(outcome).toMatchObject({ result: "sent" });
    expect(request?.headers).toMatchObject({ authorization: "Bearer abc", "x-team": "ops" });
    expect(request?.headers["webhook-id"]).toBe(message.id);
    const sent = request?.headers as Record<string, string>;
    expect(new Webhook(secret).verify(request?.body ?? "", sent)).toEqual(request?.json);
    expect(() => new Webhook(secret).verify(`${request?.body} `, sent)).toThrow();
  });

  test("contains the whole alert in snake case, and the time of the attempt", async () => {
    const { request } = await send("webhook", { url, secret }, sampleMessage({ alerts: two }));
    expect(request?.headers["webhook-timestamp"]).toBe(String(Date.parse("2026-11-15T03:00:10Z") / 1000));
    expect(request?.json).toMatchObject({
      type: "alert.fired",
      timestamp: "2026-11-15T03:00:05.000Z",
      data: { org: { name: "Example DAO" }, severity: "critical", alerts_left_out: 0 },
    });
    expect(request?.json.data.alerts[0]).toEqual({
      ...two[0],
      fired_at: "2026-11-15T03:00:00.000Z",
      resolved_at: null,
    });
    expect(request?.json.data.alerts).toHaveLength(2);
  });

  test("without a secret is not sent", async () => {
    const { outcome, requests } = await send("webhook", { url });
    expect(outcome).toMatchObject({ result: "failed", isDead: true });
    expect(requests).toEqual([]);
  });

  test("is not sent to addresses that the policy forbids, nor over plain http", async () => {
    for (const target of ["http://192.168.0.1/x", "http://169.254.169.254/latest", "http://8.8.8.8/x"]) {
      const { outcome } = await send("webhook", { url: target, secret });
      expect(outcome).toMatchObject({ result: "failed", isDead: false, status: null });
    }
  });
});

describe("PagerDuty", () => {
  test("gets a trigger with the facts and the event's id as its key", async () => {
    provider.replyWith(202, { status: "success", message: "Event processed", dedup_key: "x" });
    const config = { routing_key, severity_map: { critical: "error" } };
    const { outcome, request } = await send("pagerduty", config);
    expect(outcome).toMatchObject({ result: "sent", status: 202 });
    expect(request?.path).toBe("/v2/enqueue");
    expect(request?.json).toMatchObject({
      routing_key,
      dedup_key: two[0].event_id,
      event_action: "trigger",
      payload: {
        summary:
          "Critical: Large withdrawals: Treasury on Ethereum. Three withdrawals left the treasury within 5 minutes.",
        source: "Treasury",
        severity: "error",
        timestamp: "2026-11-15T03:00:00.000Z",
        class: "event_frequency",
        custom_details: { Measured: "3 events, at least 3" },
      },
      client_url: ownLinks.event,
    });
    expect(request?.json.links.map((link: { href: string }) => link.href)).toEqual([
      ownLinks.event,
      ownLinks.contract,
      ownLinks.transaction,
    ]);
  });

  test.each([
    ["fired", "trigger"],
    ["renotified", "trigger"],
    ["acknowledged", "acknowledge"],
    ["resolved", "resolve"],
    ["retracted", "resolve"],
  ] as const)("gets a %s message as %s, under the same key", async (kind, action) => {
    const { request } = await send("pagerduty", { routing_key }, sampleMessage({ kind }));
    expect(request?.json).toMatchObject({ event_action: action, dedup_key: two[0].event_id, routing_key });
  });

  test("gets one request per alert, up to the first failure", async () => {
    const { requests } = await send("pagerduty", { routing_key }, sampleMessage({ alerts: two }));
    expect(requests.map(({ json }) => json.dedup_key)).toEqual([two[0].event_id, "second"]);
    received.length = 0;
    provider.replyWith(500);
    const stopped = await send("pagerduty", { routing_key }, sampleMessage({ alerts: two }));
    expect(stopped.outcome).toMatchObject({ result: "retry" });
    expect(stopped.requests).toHaveLength(1);
  });
});

describe("Opsgenie", () => {
  const config = { api_key: "00000000-1111-2222", region: "eu" };

  test("gets an alert with the event's id as its alias, in its own region", async () => {
    provider.replyWith(202, { result: "Request will be processed" });
    const { outcome, request } = await send("opsgenie", config);
    expect(outcome).toMatchObject({ result: "sent" });
    expect(request).toMatchObject({
      path: "/eu/v2/alerts",
      headers: { authorization: "GenieKey 00000000-1111-2222" },
    });
    expect(request?.json).toMatchObject({
      message: "Critical: Large withdrawals: Treasury on Ethereum",
      alias: two[0].event_id,
      priority: "P1",
      source: "Tocsin",
      tags: ["tocsin", "critical", "ethereum"],
      details: { Measured: "3 events, at least 3" },
    });
    expect(request?.json.description).toContain(`\n${ownLinks.event}\n`);
  });

  test.each([
    ["acknowledged", "acknowledge"],
    ["resolved", "close"],
    ["retracted", "close"],
  ] as const)("gets a %s message as %s", async (kind, verb) => {
    const message = sampleMessage({ kind });
    const { request } = await send("opsgenie", { ...config, region: "us" }, message);
    expect(request?.path).toBe(`/us/v2/alerts/${two[0].event_id}/${verb}?identifierType=alias`);
    if (kind === "retracted")
      expect(request?.json.note).toContain("a chain reorganisation removed the block");
  });
});

describe("a text message", () => {
  const to = "+14155550100";

  test("is a form with the operator's credentials", async () => {
    provider.replyWith(201, { sid: "SM1", status: "queued" });
    const { outcome, request } = await send("sms", { to });
    expect(outcome).toMatchObject({ result: "sent", status: 201 });
    expect(request?.path).toBe("/2010-04-01/Accounts/AC0000/Messages.json");
    expect(request?.headers).toMatchObject({
      "content-type": "application/x-www-form-urlencoded",
      authorization: `Basic ${Buffer.from("AC0000:hunter2-token").toString("base64")}`,
    });
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      To: to,
      From: "+15005550006",
      Body: `Tocsin: Critical: Large withdrawals: Treasury on Ethereum. ${ownLinks.event}`,
    });
  });

  test("goes through a messaging service where the operator has one", async () => {
    const from = `MG${"0".repeat(32)}`;
    const { request } = await send("sms", { to }, sampleMessage(), {
      twilio: { accountSid: "AC0000", authToken: "hunter2-token", from },
    });
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toMatchObject({
      MessagingServiceSid: from,
    });
  });

  test("is not sent to a number that opted out, nor without an account", async () => {
    const out = await send("sms", { to }, sampleMessage(), {
      hasOptedOut: async (phone: string) => phone === to,
    });
    expect(out.outcome).toMatchObject({ result: "skipped" });
    const unset = await send("sms", { to }, sampleMessage(), { twilio: undefined });
    expect(unset.outcome).toMatchObject({
      result: "failed",
      isDead: false,
      reason: expect.stringContaining("Twilio"),
    });
    expect(unset.requests).toEqual([]);
  });
});
