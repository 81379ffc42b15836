import { expect, test } from "vitest";
import { webhookBody } from "../../src/channels/providers/webhook.ts";
import { errorStatus } from "../../src/errors/app-error.ts";
import { WebhookMessage } from "../../src/wire/channels/webhook-message.ts";
import { sampleAlert, sampleMessage } from "../channels/sample.ts";
import { harness } from "../support/harness.ts";

const h = await harness();

test("every error code has a page that says what to do, and the list links to all of them", async () => {
  const list = await h.anonymous().get("//docs/errors");
  expect([list.status, list.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
  for (const [code, status] of Object.entries(errorStatus)) {
    expect(list.text).toContain(`href="/docs/errors/${code}"`);
    const page = await h.anonymous().get(`//docs/errors/${code}`);
    expect([code, page.status]).toEqual([code, 200]);
    expect(page.text).toContain(`Status ${status}.`);
    expect(page.text).toMatch(/What to do<\/h2><p>[A-Z].+\.<\/p>/);
    expect(page.headers["content-security-policy"]).toContain("default-src 'none'");
  }
  for (const code of ["nothing", "__proto__", "constructor"])
    expect((await h.anonymous().get(`//docs/errors/${code}`)).status).toBe(404);
});

test.each(["fired", "resolved", "test"] as const)(
  "the body of a webhook message of the kind %s is as the webhooks section describes it",
  (kind) => {
    const full = sampleMessage({ kind });
    const bare = sampleAlert({
      rule: null,
      contract: null,
      decoded: null,
      transaction: null,
      block_number: null,
    });
    for (const message of [full, sampleMessage({ kind, alerts: [bare] })]) {
      const sent: unknown = JSON.parse(JSON.stringify(webhookBody(message)));
      expect(WebhookMessage.safeParse(sent).error).toBeUndefined();
    }
  },
);

test("the OpenAPI document describes the signed webhook", async () => {
  const { body } = await h.anonymous().get("//openapi.json");
  expect(body).toMatchObject({
    webhooks: {
      alert: {
        post: {
          parameters: [{ name: "webhook-id" }, { name: "webhook-timestamp" }, { name: "webhook-signature" }],
          requestBody: {
            content: { "application/json": { schema: { $ref: "#/components/schemas/WebhookMessage" } } },
          },
        },
      },
    },
  });
});
