import fc from "fast-check";
import { createTransport } from "nodemailer";
import { describe, expect, test } from "vitest";
import { clickables, hostileMessage, isOwn, unsafeCharacters } from "../../test/channels/hostile.ts";
import { ownLinks } from "../../test/channels/sample.ts";
import { mailMessage } from "../lib/mail/mail-message.ts";
import type { Message } from "./channel.ts";
import { discordBody } from "./providers/discord.ts";
import { alertMail } from "./providers/email.ts";
import { opsgenieRequest } from "./providers/opsgenie.ts";
import { pagerdutyBody } from "./providers/pagerduty.ts";
import { slackBody } from "./providers/slack.ts";
import { smsText } from "./providers/sms.ts";
import { teamsBody } from "./providers/teams.ts";
import { telegramBody } from "./providers/telegram.ts";

/** Asserts that `problems` finds none in any hostile message. It parses the output independently of the formatter. */
function always(problems: (message: Message) => unknown[]): void {
  fc.assert(
    fc.property(hostileMessage, (message) => {
      expect(problems(message)).toEqual([]);
    }),
    { numRuns: process.env.TEST_LONG ? 400 : 30 },
  );
}

/** Returns every string in a value with its key. */
function strings(value: unknown, name = ""): { name: string; text: string }[] {
  if (typeof value === "string") return [{ name, text: value }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => strings(inner, key));
}

/** Returns the unexpected tags, foreign links and clickable texts in HTML. */
function htmlProblems(html: string, allowed: RegExp): string[] {
  const tags = html.match(/<[^>]*>/g) ?? [];
  const strange = tags.filter((tag) => !allowed.test(tag));
  const links = [...html.matchAll(/href="([^"]*)"/g)].map((match) => decode(match[1] ?? ""));
  const text = decode(html.replace(/<[^>]*>/g, " "));
  const shown = Object.values(ownLinks).reduce((rest, link) => rest.replaceAll(link, ""), text);
  return [...strange, ...links.filter((link) => !isOwn(link)), ...clickables(shown)];
}

function decode(text: string): string {
  return text.replace(/&(?:#(\d+)|(amp|lt|gt|quot));/g, (_, code: string, name: string) =>
    code ? String.fromCharCode(Number(code)) : ({ amp: "&", lt: "<", gt: ">", quot: '"' }[name] ?? ""),
  );
}

describe("with hostile text in every field", () => {
  test("a Slack message has no mention, link or markup from it", () =>
    always((message) => {
      const { blocks, text } = slackBody(message);
      const shown = strings(blocks).filter(({ name }) => name === "text");
      const ours = shown.filter(({ text }) => text.startsWith("<http"));
      const links = ours.flatMap(({ text }) => text.split(" · "));
      const plain = [text, ...shown.filter((one) => !ours.includes(one)).map(({ text }) => text)];
      return [
        ...links.filter(
          (link) => !isOwn(/^<([^|<>]+)\|[A-Z][a-z ]+>$/.exec(link)?.[1]?.replaceAll("&amp;", "&") ?? ""),
        ),
        ...plain.flatMap((line) => line.match(/[<>]|&(?!(amp|lt|gt);)/g) ?? []),
        ...plain.flatMap((line) => clickables(line.replace(/&(amp|lt|gt);/g, " "))),
        ...plain.flatMap((line) => unsafeCharacters(line.replaceAll("\n", ""))),
        ...strings(blocks)
          .filter(({ name, text }) => name === "type" && text === "mrkdwn")
          .slice(ours.length),
      ];
    }));

  test("a Discord message has no mention, formatting or foreign link", () =>
    always((message) => {
      const body = discordBody(message);
      const marked = [body, ...body.embeds].flatMap((part) =>
        strings(part).filter(({ name }) => ["content", "title", "description", "value"].includes(name)),
      );
      const texts = marked.map(({ text }) =>
        text
          .split("\n")
          .filter((line) => !isOwn(line))
          .join("\n"),
      );
      const footers = strings(body).filter(({ name }) => name === "text");
      return [
        ...(body.allowed_mentions.parse.length === 0 ? [] : ["mentions are parsed"]),
        ...body.embeds.flatMap((embed) => (!embed.url || isOwn(embed.url) ? [] : [embed.url])),
        ...texts.flatMap((text) => text.replace(/\\[^\p{L}\p{N}\s]/gu, "").match(/[\\*_~`|<>[\]()#]/g) ?? []),
        ...[...texts, ...footers.map(({ text }) => text)].flatMap((text) => [
          ...clickables(text),
          ...unsafeCharacters(text),
        ]),
      ];
    }));

  test("a Telegram message has only our tags, balanced, and nothing clickable", () =>
    always((message) => {
      const { text } = telegramBody(message);
      const words = decode(text.replace(/<[^>]*>/g, ""));
      return [
        ...htmlProblems(text, /^<(\/?[bi]|\/a|a href="[^"]*")>$/),
        ...unpaired(text),
        ...(text.match(/&(?!(amp|lt|gt|quot);)/g) ?? []),
        ...(words.match(/(?<![\p{L}\p{N}])[/#$][\p{L}\p{N}_]/gu) ?? []),
        ...unsafeCharacters(words.replaceAll("\n", "")),
      ];
    }));

  test("a Teams card has no Markdown link, tag or mention", () =>
    always((message) => {
      const [{ content } = { content: {} }] = teamsBody(message).attachments;
      const all = strings(content);
      const runs = all.filter(({ name }) => name === "text").map(({ text }) => text);
      return [
        ...all.filter(({ name, text }) => name === "url" && !isOwn(text)),
        ...all.filter(
          ({ name, text }) => name === "type" && /^(TextBlock|Fact.*|Input.*|.*Submit)$/.test(text),
        ),
        ...runs.flatMap((text) => text.match(/\]\(|\]\[|<[\w/!]|&[#\w]+;/g) ?? []),
        ...runs.flatMap((text) => [...clickables(text), ...unsafeCharacters(text)]),
      ];
    }));

  test("a mail has only our headers, tags and links", async () => {
    const composer = createTransport({ streamTransport: true, buffer: true });
    await fc.assert(
      fc.asyncProperty(hostileMessage, async (message) => {
        const mail = alertMail(message, {
          to: ["ann@example.org", "bob@example.org"],
          subject_prefix: "[ops]",
        });
        const { message: raw } = await composer.sendMail(mailMessage(mail, "Tocsin <tocsin@example.com>"));
        const [head = ""] = raw.toString().split("\r\n\r\n");
        const names = head
          .replace(/\r\n[ \t]+/g, " ")
          .split("\r\n")
          .map((line) => line.split(":")[0]);
        expect(names.sort()).toEqual(expectedHeaders);
        expect(Math.max(...head.split("\r\n").map((line) => line.length))).toBeLessThan(200);
        expect(mail.subject.length).toBeLessThanOrEqual(200);
        expect([...clickables(mail.subject), ...unsafeCharacters(mail.subject)]).toEqual([]);
        expect(htmlProblems(mail.html, mailTags)).toEqual([]);
        const shown = mail.text.split("\n").filter((line) => !isOwn(line.trim()));
        expect(shown.flatMap((line) => [...clickables(line), ...unsafeCharacters(line)])).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  test("a text message is one line without control characters, with only our link", () =>
    always((message) => {
      const text = smsText(message);
      const rest = text.endsWith(` ${ownLinks.event}`) ? text.slice(0, -ownLinks.event.length) : text;
      return [...clickables(rest), ...unsafeCharacters(text), ...(text.includes("\u2060") ? ["joiner"] : [])];
    }));

  test("PagerDuty and Opsgenie get plain lines and only our links", () =>
    always((message) => {
      const [alert] = message.alerts;
      const routing_key = "0".repeat(32);
      const all = [
        ...strings(pagerdutyBody(message, alert, { routing_key })),
        ...strings(opsgenieRequest(message, alert).body),
      ].filter(({ name }) => !["class", "client_url", "href"].includes(name));
      const lines = all.flatMap(({ text }) => text.split("\n"));
      const shown = lines.map((line) => line.replace(/^(Contract|Transaction): (?=http)/, ""));
      return shown
        .filter((line) => !isOwn(line))
        .flatMap((line) => [...clickables(line), ...unsafeCharacters(line)]);
    }));
});

const expectedHeaders = [
  "Auto-Submitted",
  "Content-Type",
  "Date",
  "From",
  "MIME-Version",
  "Message-ID",
  "References",
  "Subject",
  "To",
];

const mailTags =
  /^<(!doctype html|\/?(html|head|title|style|body|div|h1|h2|p|table|tr|th|td|a|br)( (lang|style|role|align|valign|href)="[^"<>]*")*|meta [a-z]+="[^"]*"( content="[^"]*")?)>$/;

/** Returns the tags that are not properly nested. */
function unpaired(html: string): string[] {
  const open: string[] = [];
  const wrong: string[] = [];
  for (const [, slash, name = ""] of html.matchAll(/<(\/?)([a-z]+)/g)) {
    if (!slash) open.push(name);
    else if (open.pop() !== name) wrong.push(name);
  }
  return [...wrong, ...open];
}
