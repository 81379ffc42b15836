import { expect, test } from "vitest";
import { webhookBody } from "../../src/channels/providers/webhook.ts";
import { errorStatus } from "../../src/errors/app-error.ts";
import { tools } from "../../src/http/mcp/tools.ts";
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
  for (const code of ["nothing", "__proto__", "constructor", "nothing.md"])
    expect((await h.anonymous().get(`//docs/errors/${code}`)).status).toBe(404);
});

/** Every link of a page: in Markdown, or in HTML. */
function linksIn(text: string): string[] {
  const found = [...text.matchAll(/\]\(([^)\s]+)\)/g), ...text.matchAll(/href="([^"]+)"/g)];
  // The dashboard is not documentation: it leads visitors to the log-in page.
  return found.map(([, link = ""]) => link).filter((link) => link.startsWith("/") && link !== "/");
}

test("from llms.txt, every page is reachable as Markdown and as HTML, and no link is broken", async () => {
  const seen = new Map<string, number>();
  const waiting = ["/llms.txt", "/docs"];
  const [sections, ids] = [new Set<string>(), new Set<string>()];
  for (let link = waiting.pop(); link; link = waiting.pop()) {
    const path = link.replace(/#.*/, "");
    if (link !== path) sections.add(link);
    if (seen.has(path)) continue;
    const { status, text, headers } = await h.anonymous().get(`/${path}`);
    seen.set(path, status);
    if (path.endsWith(".md")) {
      expect([path, headers["content-type"]]).toEqual([path, "text/markdown; charset=utf-8"]);
      expect([path, text]).toEqual([path, expect.stringMatching(/^# \S/)]);
      expect([path, text]).toEqual([path, expect.not.stringMatching(/<\/?(p|li|code|a)\b/)]);
    }
    for (const [, id] of text.matchAll(/ id="([^"]+)"/g)) ids.add(`${path}#${id}`);
    if (path.startsWith("/docs") || path === "/llms.txt") waiting.push(...linksIn(text));
  }
  expect([...seen].filter(([, status]) => status !== 200)).toEqual([]);
  const html = [...seen.keys()].filter((path) => path.startsWith("/docs") && !path.endsWith(".md"));
  expect(html.length).toBeGreaterThan(Object.keys(errorStatus).length);
  expect(html.filter((path) => !seen.has(`${path}.md`))).toEqual([]);
  expect(seen.has("/openapi.json")).toBe(true);
  expect(sections.size).toBeGreaterThan(100);
  expect([...sections].filter((section) => !ids.has(section))).toEqual([]);
});

test("the page about agents names every tool", async () => {
  const { text } = await h.anonymous().get("//docs/agents.md");
  for (const name of tools().keys()) expect(text).toContain(`\`${name}\`: `);
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
