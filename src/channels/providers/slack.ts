import { channel, type Message, type Verdict } from "../channel.ts";
import { limitSize, type MessageText, messageText, moreLine, type Part } from "../message/message-text.ts";
import { cut, unlinked } from "../message/plain-text.ts";
import { textPreview } from "../message/preview.ts";
import { jsonHeaders, post } from "../sending/post.ts";
import { defaultVerdict, objectOf, type ProviderReply } from "../sending/provider-reply.ts";
import { secretsInUrl } from "../sending/scrub.ts";
import { type WebhookUrlConfig, webhookUrlConfig } from "../sending/webhook-url.ts";

/** A Slack channel, through an incoming webhook. */
export const slack = channel<WebhookUrlConfig>({
  type: "slack",
  title: "Slack",
  config: webhookUrlConfig(
    "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
    "The URL of an incoming webhook: in Slack, Apps, Incoming Webhooks, Add to Slack.",
  ),
  secrets: ["webhook_url"],
  urls: ["webhook_url"],
  kinds: ["fired", "renotified", "escalated", "resolved", "retracted", "test"],
  groups: true,
  spacingMs: 1000,
  preview: (message) => textPreview(messageText(message, maxAlerts)),
  send: (message, { webhook_url }, deps) =>
    post(deps, {
      url: webhook_url,
      headers: jsonHeaders,
      body: JSON.stringify(slackBody(message)),
      secrets: secretsInUrl(webhook_url),
      classifyReply,
    }),
});

// Four blocks per alert and four others stay below Slack's limit of fifty.
const maxAlerts = 10;

export function slackBody(message: Message) {
  const text = messageText(message, maxAlerts);
  return {
    // For notifications, and for clients that do not support blocks.
    text: fallback(text),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: "header", text: plain(text.headline, 150) },
      ...text.parts.flatMap(partBlocks),
      ...(text.leftOut > 0 ? [{ type: "section", text: plain(moreLine(text), 200) }] : []),
      { type: "context", elements: [plain(text.footer, 300)] },
    ],
  };
}

function fallback(whole: MessageText): string {
  const text = limitSize(whole, maxTextLength, (part) => partText(part).length);
  const more = text.leftOut > 0 ? [moreLine(text)] : [];
  return [escapeSlack(text.headline, 400), ...text.parts.map(partText), ...more].join("\n");
}

// Slack truncates text after 40,000 characters.
const maxTextLength = 30_000;

function partText({ title, sentence, facts }: Part): string {
  const lines = [title, sentence, ...facts.map(({ name, value }) => `${name}: ${value}`)];
  return lines
    .filter((line) => line !== null)
    .map((line) => escapeSlack(line, 3000))
    .join("\n");
}

function partBlocks({ title, sentence, facts, url }: Part) {
  const links = [
    ...(url === null ? [] : [{ name: "Open the event", url }]),
    ...facts.flatMap(({ name, url }) => (url === null ? [] : [{ name, url }])),
  ];
  return [
    ...(title === null ? [] : [{ type: "section", text: plain(title, 3000) }]),
    { type: "section", text: plain(sentence, 3000) },
    { type: "section", fields: facts.map(({ name, value }) => plain(`${name}: ${value}`, 2000)) },
    ...(links.length === 0
      ? []
      : [{ type: "context", elements: [{ type: "mrkdwn", text: linkLine(links) }] }]),
  ];
}

/** The only text in which Slack interprets markup: it contains nothing but our own labels and checked URLs. */
function linkLine(links: { name: string; url: string }[]): string {
  return links.map(({ name, url }) => `<${url.replaceAll("&", "&amp;")}|${name}>`).join(" · ");
}

function plain(text: string, max: number) {
  return { type: "plain_text", text: escapeSlack(text, max), emoji: false };
}

function escapeSlack(text: string, max: number): string {
  return cut(unlinked(text), max, (character) => entities[character] ?? character);
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

const deadReplies =
  /^(no_service|no_service_id|no_team|team_disabled|invalid_token|no_active_hooks|channel_not_found|channel_is_archived|action_prohibited|posting_to_general_channel_denied)$/;

// Slack replies with a single code. A 200 with other text comes from an intermediary such as a proxy.
function classifyReply(reply: ProviderReply): Verdict {
  const code = reply.text.trim();
  if (deadReplies.test(code)) {
    return {
      result: "failed",
      reason: `Slack no longer accepts messages at this URL (${code}).`,
      isDead: true,
    };
  }
  const verdict = defaultVerdict(reply, "Slack", /^[a-z_]{3,60}$/.test(code) ? code : "");
  if (verdict.result !== "sent" || isOk(code)) return verdict;
  return { result: "retry", reason: "Slack did not reply with ok.", isAmbiguous: true };
}

function isOk(text: string): boolean {
  if (text === "" || text === "ok") return true;
  try {
    return objectOf(JSON.parse(text)).ok !== false;
  } catch {
    return false;
  }
}
