import fc from "fast-check";
import { expect, test } from "vitest";
import { hostileMessage } from "../../test/channels/hostile.ts";
import { alertFilledWith, sampleAlert, sampleMessage } from "../../test/channels/sample.ts";
import type { Message } from "./channel.ts";
import { fitSegments } from "./message/sms-length.ts";
import { discordBody } from "./providers/discord.ts";
import { alertMail } from "./providers/email.ts";
import { opsgenieRequest } from "./providers/opsgenie.ts";
import { pagerdutyBody } from "./providers/pagerduty.ts";
import { slackBody } from "./providers/slack.ts";
import { smsText } from "./providers/sms.ts";
import { teamsBody } from "./providers/teams.ts";
import { telegramBody } from "./providers/telegram.ts";

/** Worst cases: very long texts of the characters that grow most when escaped, and links of maximum length. */
const worstCases = ["&", '"', "\\", "[", "x", "漢", "𝕏", "€", "<@a.b", "\u200b"].flatMap((sign) =>
  [1, 30].map((count) => {
    const url = `https://example.com/${"a".repeat(470)}`;
    const alert = {
      ...alertFilledWith(sign.repeat(5_000)),
      url,
      transaction: { hash: sign.repeat(9_000), url },
    };
    const alerts = Array.from({ length: count }, () => alert) as Message["alerts"];
    return sampleMessage({ alerts, org: { id: "o", name: sign.repeat(9_000) } });
  }),
);

function always(check: (message: Message) => void): void {
  for (const message of worstCases) check(message);
  fc.assert(fc.property(hostileMessage, check), { numRuns: process.env.TEST_LONG ? 400 : 30 });
}

const lengths = (values: { length: number }[]) => Math.max(0, ...values.map(({ length }) => length));
const add = (numbers: number[]) => numbers.reduce((sum, one) => sum + one, 0);

test("a Slack message has at most 50 blocks, 150 characters of header, 3000 of text and 10 fields of 2000", () =>
  always((message) => {
    const { text, blocks } = slackBody(message);
    expect(blocks.length).toBeLessThanOrEqual(50);
    expect(text.length).toBeLessThanOrEqual(40_000);
    for (const block of blocks as { type: string; text?: { text: string }; fields?: { text: string }[] }[]) {
      expect(block.text?.text.length ?? 1).toBeGreaterThan(0);
      expect(block.text?.text.length ?? 0).toBeLessThanOrEqual(block.type === "header" ? 150 : 3000);
      expect(block.fields?.length ?? 0).toBeLessThanOrEqual(10);
      expect(block.fields?.every((field) => field.text !== "") ?? true).toBe(true);
      expect(lengths(block.fields?.map((field) => field.text) ?? [])).toBeLessThanOrEqual(2000);
    }
  }));

test("a Discord message has at most 10 embeds with 6000 characters together, each within its own limits", () =>
  always((message) => {
    const { content = "", embeds } = discordBody(message);
    const footers = embeds.map((embed) => ("footer" in embed ? (embed.footer as { text: string }).text : ""));
    const fields = embeds.flatMap((embed) => embed.fields);
    const sizes = [
      ...embeds.flatMap(({ title, description }) => [title.length, description.length]),
      ...fields.flatMap(({ name, value }) => [name.length, value.length]),
      ...footers.map(({ length }) => length),
    ];
    expect(add(sizes)).toBeLessThanOrEqual(6000);
    expect(sizes.slice(0, -embeds.length)).not.toContain(0);
    expect(content.length).toBeLessThanOrEqual(2000);
    expect(embeds.length).toBeLessThanOrEqual(10);
    expect(lengths(embeds.map(({ title }) => title))).toBeLessThanOrEqual(256);
    expect(lengths(embeds.map(({ description }) => description))).toBeLessThanOrEqual(4096);
    expect(lengths(embeds.map((embed) => embed.fields))).toBeLessThanOrEqual(25);
    expect(lengths(fields.map(({ value }) => value))).toBeLessThanOrEqual(1024);
    expect(lengths(footers)).toBeLessThanOrEqual(2048);
  }));

test("a Telegram message has at most 4096 characters without markup", () =>
  always((message) => {
    const { text } = telegramBody(message);
    expect(text).not.toContain("<b></b>");
    expect(text.replace(/<[^>]*>/g, "").replace(/&\w+;/g, "&").length).toBeLessThanOrEqual(4096);
  }));

test("a Teams card stays below the 21 KB above which Teams drops cards", () =>
  always((message) => {
    expect(Buffer.byteLength(JSON.stringify(teamsBody(message)))).toBeLessThan(21_500);
  }));

test("PagerDuty gets 1024 characters of summary, Opsgenie 130 of message and 15,000 of description", () =>
  always((message) => {
    const [alert] = message.alerts;
    const event = pagerdutyBody(message, alert, { routing_key: "0".repeat(32) });
    if ("payload" in event) {
      expect(event.payload.summary.length).toBeLessThanOrEqual(1024);
      expect(event.payload.source).not.toBe("");
      expect(lengths([event.payload.source, event.payload.group, event.payload.class])).toBeLessThanOrEqual(
        512,
      );
    }
    expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThan(512 * 1024);
    expect(event.dedup_key.length).toBeLessThanOrEqual(255);
    const { message: title = "", description = "" } = opsgenieRequest(message, alert).body as Record<
      string,
      string
    >;
    expect(title.length).toBeLessThanOrEqual(130);
    expect(description.length).toBeLessThanOrEqual(15_000);
  }));

test("a text message takes at most three segments", () =>
  always((message) => {
    expect(segments(smsText(message))).toBeLessThanOrEqual(3);
  }));

test.each(["€", "𝕏", "a€", "a𝕏"])("a text message of %j repeated takes at most three segments", (part) => {
  const title = part.repeat(300);
  expect(segments(fitSegments(title, ""))).toBeLessThanOrEqual(3);
});

test("a mail stays small however many alerts it contains", () =>
  always((message) => {
    const { html, text } = alertMail(message, { to: ["ann@example.org"] });
    expect(html.length + text.length).toBeLessThan(300_000);
  }));

test("alerts that do not fit are counted", () => {
  const alerts = Array.from({ length: 120 }, (_, index) => sampleAlert({ title: `Alert ${index}` }));
  const message = sampleMessage({ alerts: alerts as Message["alerts"] });
  const cases: [string, RegExp][] = [
    [JSON.stringify(slackBody(message)), /"… and 110 more alerts"/],
    [JSON.stringify(discordBody(message)), /"… and 1\d\d more alerts · Tocsin/],
    [telegramBody(message).text, /^… and 1\d\d more alerts$/m],
    [JSON.stringify(teamsBody(message)), /"… and 1\d\d more alerts"/],
    [alertMail(message, { to: ["ann@example.org"] }).text, /^… and 95 more alerts$/m],
  ];
  for (const [text, pattern] of cases) {
    const left = Number(/… and (\d+) more/.exec(text)?.[1]);
    expect(text).toMatch(pattern);
    expect(text).toContain(`Alert ${119 - left}`);
    expect(text).not.toContain(`Alert ${120 - left}`);
  }
});

/** Counts SMS segments: 160 or 153 GSM-7 characters, else 70 or 67 UTF-16 units. No character is divided between two. */
function segments(text: string): number {
  const isBasic =
    /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[~\]|€]*$/.test(
      text,
    );
  const sizes = [...text].map((character) =>
    isBasic ? (/[\^{}\\[~\]|€]/.test(character) ? 2 : 1) : character.length,
  );
  const [alone, together] = isBasic ? [160, 153] : [70, 67];
  if (sizes.reduce((sum, size) => sum + size, 0) <= alone) return 1;
  let [full, used] = [0, 0];
  for (const size of sizes) {
    if (used + size > together) [full, used] = [full + 1, 0];
    used += size;
  }
  return full + 1;
}
