import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { SendResult } from "../../src/channels/channel.ts";
import { channelOf } from "../../src/channels/index.ts";
import { startProvider } from "./provider.ts";
import { sampleMessage } from "./sample.ts";

const provider = await startProvider();
const { url, deps, received } = provider;
afterAll(() => provider.close());
beforeEach(() => {
  received.length = 0;
});

const secret = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;
const bot_token = "123456789:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
const configs: Record<string, object> = {
  slack: { webhook_url: `${url}/services/T12345678/B12345678/sEcReTsEcReT` },
  discord: { webhook_url: `${url}/api/webhooks/123456789/sEcReTsEcReT` },
  teams: { webhook_url: `${url}/workflows/abc?sig=sEcReTsEcReT` },
  telegram: { bot_token, chat_id: "1" },
  webhook: { url: `${url}/hook`, secret, headers: { authorization: "Bearer sEcReTsEcReT" } },
  pagerduty: { routing_key: "sEcReTsEcReT".padEnd(32, "0") },
  opsgenie: { api_key: "sEcReTsEcReT", region: "us" },
  sms: { to: "+14155550100" },
};
const types = Object.keys(configs);

async function send(type: string, change = {}, kind: "fired" | "resolved" = "fired"): Promise<SendResult> {
  const outcome = await channelOf(type)?.send(sampleMessage({ kind }), configs[type], deps(change));
  if (!outcome) throw new Error(`There is no channel ${type}.`);
  return outcome;
}

const dead = { result: "failed", isDead: true };
const failed = { result: "failed", isDead: false };

describe("a reply in the provider's own format", () => {
  test.each([
    ["slack", 200, "ok", { result: "sent" }],
    ["slack", 200, '{"success":true}', { result: "sent" }],
    ["slack", 200, "<html>Login</html>", { result: "retry", isAmbiguous: true }],
    ["slack", 400, "invalid_payload", { ...failed, reason: "Slack replied with 400: invalid_payload." }],
    ["slack", 404, "no_service", dead],
    ["slack", 404, "channel_not_found", dead],
    ["slack", 410, "channel_is_archived", dead],
    ["slack", 403, "action_prohibited", dead],
    ["slack", 403, "invalid_token", dead],
    ["slack", 404, "<html>", failed],
    ["slack", 500, "rollup_error", { result: "retry" }],
    ["discord", 204, "", { result: "sent" }],
    ["discord", 404, { message: "Unknown Webhook", code: 10015 }, dead],
    ["discord", 401, { message: "Invalid Webhook Token", code: 50027 }, dead],
    ["discord", 400, { message: "Invalid Form Body", code: 50035 }, failed],
    [
      "discord",
      429,
      { message: "slow", retry_after: 1.234, global: false },
      { result: "retry", afterSeconds: 2 },
    ],
    ["telegram", 200, { ok: true }, { result: "sent" }],
    ["telegram", 401, { ok: false, description: "Unauthorized" }, dead],
    ["telegram", 403, { ok: false, description: "Forbidden: bot was blocked by the user" }, dead],
    ["telegram", 404, { ok: false, description: "Not Found" }, dead],
    ["telegram", 404, "<html>", failed],
    ["telegram", 400, { ok: false, description: "Bad Request: chat not found" }, dead],
    ["telegram", 400, { ok: false, description: "Bad Request: can't parse entities" }, failed],
    ["telegram", 429, { ok: false, parameters: { retry_after: 17 } }, { result: "retry", afterSeconds: 17 }],
    ["teams", 202, "", { result: "sent" }],
    ["teams", 200, "1", { result: "sent" }],
    [
      "teams",
      200,
      "failed with error: Microsoft Teams endpoint returned HTTP error 429",
      { result: "retry" },
    ],
    ["teams", 404, { error: { code: "WorkflowNotFound", message: "x" } }, dead],
    ["teams", 400, { error: { code: "WorkflowTriggerIsNotEnabled" } }, dead],
    ["teams", 400, { error: { code: "InvalidRequestContent" } }, failed],
    ["teams", 502, "", { result: "retry" }],
    ["webhook", 204, "", { result: "sent" }],
    ["webhook", 410, "", dead],
    ["webhook", 404, "", { result: "retry" }],
    ["webhook", 401, "", { result: "retry" }],
    ["pagerduty", 202, { status: "success" }, { result: "sent" }],
    ["pagerduty", 400, { status: "invalid event", errors: ["'routing_key' is invalid"] }, dead],
    ["pagerduty", 400, { message: "Invalid routing key" }, dead],
    [
      "pagerduty",
      400,
      { message: "bad", errors: ["summary"] },
      { ...failed, reason: "PagerDuty replied with 400: bad summary." },
    ],
    ["pagerduty", 429, "", { result: "retry" }],
    ["opsgenie", 202, { result: "ok" }, { result: "sent" }],
    ["opsgenie", 401, { message: "Could not authenticate" }, dead],
    ["opsgenie", 403, { message: "no" }, dead],
    ["opsgenie", 422, { message: "Request body is not processable." }, failed],
    ["opsgenie", 404, { message: "no" }, failed],
    ["sms", 201, { sid: "SM1" }, { result: "sent" }],
    ["sms", 400, { code: 21610, message: "unsubscribed" }, { result: "skipped" }],
    ["sms", 400, { code: 21211, message: "invalid" }, dead],
    ["sms", 400, { code: 21614, message: "not mobile" }, dead],
    ["sms", 400, { code: 21408, message: "region" }, failed],
    ["sms", 429, { code: 20429, message: "slow" }, { result: "retry" }],
    ["sms", 401, { code: 20003, message: "Authenticate" }, { result: "retry" }],
  ] as const)("%s %i %j", async (type, status, body, expected) => {
    provider.replyWith(status, body);
    const outcome = await send(type);
    expect(outcome).toMatchObject({ status, ...expected });
    if ("reason" in outcome) expect(outcome.reason).toMatch(/^[A-Z].*\.$/);
  });

  test("closing an alert that Opsgenie no longer has is skipped, not failed", async () => {
    provider.replyWith(404, { message: "Alert does not exist" });
    expect(await send("opsgenie", {}, "resolved")).toMatchObject({ result: "skipped" });
  });
});

describe.each(types)("%s", (type) => {
  test("waits for Retry-After, given in seconds or as a date", async () => {
    provider.replyWith(429, "", { "retry-after": "42" });
    expect(await send(type)).toMatchObject({ result: "retry", afterSeconds: 42, status: 429 });
    provider.replyWith(503, "<html>busy", { "retry-after": "Sun, 15 Nov 2026 03:01:10 GMT" });
    expect(await send(type)).toMatchObject({ result: "retry", afterSeconds: 60, status: 503 });
  });

  test("does not follow a redirect but retries later", async () => {
    provider.replyWith(307, "", { location: `${url}/elsewhere` });
    expect(await send(type)).toMatchObject({ result: "retry", status: 307 });
    expect(received.map(({ path }) => path)).not.toContain("/elsewhere");
  });

  test("marks the result ambiguous when the connection breaks before a reply", async () => {
    provider.respondWith((response) => response.destroy());
    expect(await send(type)).toMatchObject({ result: "retry", isAmbiguous: true, status: null });
  });

  test("marks the result unambiguous when the connection is refused", async () => {
    const nowhere = "http://127.0.0.1:1";
    const config = JSON.parse(JSON.stringify(configs[type]).replaceAll(url, nowhere)) as object;
    const urls = {
      telegram: nowhere,
      pagerduty: nowhere,
      opsgenie: { us: nowhere, eu: nowhere },
      twilio: nowhere,
    };
    const outcome = await channelOf(type)?.send(sampleMessage(), config, deps({ urls }));
    expect(outcome).toMatchObject({ result: "retry", isAmbiguous: false, status: null });
  });

  test("uses the status when the body breaks off or never ends", async () => {
    provider.respondWith((response) => {
      response.writeHead(500, { "content-length": "1000" });
      // Destroyed with a delay: buffered headers would be lost with the connection.
      response.write("half", () => setTimeout(() => response.destroy(), 50));
    });
    expect(await send(type)).toMatchObject({ result: "retry", status: 500 });

    const drips: NodeJS.Timeout[] = [];
    provider.respondWith((response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      drips.push(setInterval(() => response.write("."), 20));
    });
    // On a busy machine, the headers may need more than the first of these times.
    let reply = await send(type, { timeoutMs: 400 });
    for (const timeoutMs of [4_000, 30_000])
      if (reply.status === null) reply = await send(type, { timeoutMs });
    expect(reply).toMatchObject({ result: "sent", status: 200, excerpt: null });
    for (const drip of drips) clearInterval(drip);
  });

  test("times out without a reply and marks the result ambiguous", async () => {
    provider.respondWith(() => undefined);
    expect(await send(type, { timeoutMs: 100 })).toMatchObject({
      result: "retry",
      isAmbiguous: true,
      status: null,
    });
  });

  test("records 500 characters of a malformed reply on one line", async () => {
    provider.replyWith(500, `{"a":\u0000\n\u202e${"é".repeat(100_000)}`);
    const outcome = await send(type);
    expect(outcome).toMatchObject({ result: "retry", status: 500 });
    // Twilio's replies are about the operator's account: they go to the log instead.
    const recorded = type === "sms" ? outcome.operatorDetails?.split("500. ")[1] : outcome.excerpt;
    expect(recorded).toHaveLength(500);
    expect(recorded).toMatch(/^\{"a": é+…$/);
  });

  test("keeps secrets out of the recorded reply even if the provider echoes them", async () => {
    provider.respondWith((response, request) => {
      const message = `${request.path} ${JSON.stringify(request.headers)} ${request.body.slice(0, 200)}`;
      response
        .writeHead(400)
        .end(JSON.stringify({ message, description: message, ok: false, errors: [message] }));
    });
    const record = JSON.stringify(await send(type));
    const secrets = ["sEcReTsEcReT", bot_token, "AAAAAAAAAAAAAAAAAAAAAAAA", secret.slice(6), "hunter2-token"];
    const login = Buffer.from("AC0000:hunter2-token").toString("base64");
    for (const one of [...secrets, login]) expect(record).not.toContain(one);
    expect(record).toContain("•••");
  });
});

test.each([
  [401, { code: 20003, message: "Authenticate: account AC0000 is suspended" }],
  [403, { code: 20003, message: "Your account AC0000 has no funds" }],
  [400, { code: 21408, message: "Enable the region in the console of AC0000" }],
  [500, "upstream twilio-internal.example failed"],
])(
  "an error of the operator's Twilio account (%s) is a neutral sentence for organisations",
  async (status, reply) => {
    provider.replyWith(status, reply);
    const { operatorDetails, ...shown } = await send("sms");
    expect(JSON.stringify(shown)).not.toMatch(/AC0000|upstream|Twilio/i);
    expect(shown).toMatchObject({
      excerpt: null,
      status,
      reason: expect.stringMatching(/^The text message service did not accept the message \(\d+\)\. /),
    });
    expect(operatorDetails).toMatch(/AC0000|upstream/);
  },
);

test("an unreachable Twilio is a neutral sentence for organisations", async () => {
  const urls = { ...provider.deps().urls, twilio: "http://127.0.0.1:1" };
  const { operatorDetails, ...shown } = await send("sms", { urls });
  expect(JSON.stringify(shown)).not.toMatch(/127\.0\.0\.1|ECONN/);
  expect(shown).toMatchObject({ result: "retry", reason: expect.stringContaining("could not be reached") });
  expect(operatorDetails).toBeDefined();
});
