import { channel, type Message, type Verdict } from "../channel.ts";
import { type MessageText, messageText, moreLine, type Part, withinRoom } from "../message/message-text.ts";
import { cut, unlinked } from "../message/plain-text.ts";
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
  kinds: ["fired", "renotified", "resolved", "retracted", "test"],
  groups: true,
  spacingMs: 1000,
  send: (message, { webhook_url }, deps) =>
    post(deps, {
      url: webhook_url,
      headers: jsonHeaders,
      body: JSON.stringify(slackBody(message)),
      secrets: secretsInUrl(webhook_url),
      classifyReply,
    }),
});

// Four blocks an alarm and four around them stay below the fifty that a message may have.
const maxAlarms = 10;

export function slackBody(message: Message) {
  const story = messageText(message, maxAlarms);
  return {
    // For notifications, and for what reads Slack's format without its blocks.
    text: fallback(story),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: "header", text: plain(story.headline, 150) },
      ...story.parts.flatMap(partBlocks),
      ...(story.leftOut > 0 ? [{ type: "section", text: plain(moreLine(story), 200) }] : []),
      { type: "context", elements: [plain(story.footer, 300)] },
    ],
  };
}

function fallback(whole: MessageText): string {
  const story = withinRoom(whole, textRoom, (part) => partText(part).length);
  const more = story.leftOut > 0 ? [moreLine(story)] : [];
  return [escapeSlack(story.headline, 400), ...story.parts.map(partText), ...more].join("\n");
}

// Slack cuts a text after 40,000 characters.
const textRoom = 30_000;

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

/** The only text that Slack reads for markup: words and addresses of our own. */
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

const gone =
  /^(no_service|no_service_id|no_team|team_disabled|invalid_token|no_active_hooks|channel_not_found|channel_is_archived|action_prohibited|posting_to_general_channel_denied)$/;

// Slack answers in one word. Answers of 200 that are neither that word nor JSON come from something in between.
function classifyReply(answer: ProviderReply): Verdict {
  const word = answer.text.trim();
  if (gone.test(word)) {
    return {
      result: "failed",
      reason: `Slack no longer takes messages at this URL (${word}).`,
      isDead: true,
    };
  }
  const verdict = defaultVerdict(answer, "Slack", /^[a-z_]{3,60}$/.test(word) ? word : "");
  if (verdict.result !== "sent" || isAgreement(word)) return verdict;
  return { result: "retry", reason: "Slack's answer was not its usual ok.", isAmbiguous: true };
}

function isAgreement(word: string): boolean {
  if (word === "" || word === "ok") return true;
  try {
    return objectOf(JSON.parse(word)).ok !== false;
  } catch {
    return false;
  }
}
