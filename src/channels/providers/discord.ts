import { channel, type Message, type Verdict } from "../channel.ts";
import { colourOf } from "../message/colour.ts";
import type { Fact } from "../message/facts.ts";
import { limitSize, messageText, moreLine, type Part } from "../message/message-text.ts";
import { cut, unlinked } from "../message/plain-text.ts";
import { textPreview } from "../message/preview.ts";
import { jsonHeaders, post } from "../sending/post.ts";
import { defaultVerdict, type ProviderReply, parseWait, textOf } from "../sending/provider-reply.ts";
import { secretsInUrl } from "../sending/scrub.ts";
import { type WebhookUrlConfig, webhookUrlConfig } from "../sending/webhook-url.ts";

/** A Discord channel, through a webhook. */
export const discord = channel<WebhookUrlConfig>({
  type: "discord",
  title: "Discord",
  config: webhookUrlConfig(
    "https://discord.com/api/webhooks/000000000000000000/XXXXXXXXXXXXXXXX",
    "The URL of a webhook: in Discord, Edit Channel, Integrations, Webhooks, Copy Webhook URL.",
  ),
  secrets: ["webhook_url"],
  urls: ["webhook_url"],
  kinds: ["fired", "renotified", "escalated", "resolved", "retracted", "test"],
  groups: true,
  spacingMs: 1000,
  preview: (message) => textPreview(messageText(message, maxEmbeds)),
  send: (message, { webhook_url }, deps) =>
    post(deps, {
      url: confirmedUrl(webhook_url),
      headers: jsonHeaders,
      body: JSON.stringify(discordBody(message)),
      secrets: secretsInUrl(webhook_url),
      classifyReply,
    }),
});

// Without `wait`, Discord replies before it has stored the message and does not report a failure.
function confirmedUrl(text: string): URL {
  const url = new URL(text);
  url.searchParams.set("wait", "true");
  return url;
}

const maxEmbeds = 10;
/** The part of Discord's 6000 characters per message that alerts may use. */
const maxAlertCharacters = 5000;

export function discordBody(message: Message) {
  const whole = messageText(message, maxEmbeds);
  const text = limitSize(whole, maxAlertCharacters, (part) => sizeOf(embedOf(part, whole.headline)));
  const embeds = text.parts.map((part) => ({
    ...embedOf(part, text.headline),
    color: colourOf(message).number,
    timestamp: message.at.toISOString(),
  }));
  const last = embeds.at(-1);
  const more = text.leftOut > 0 ? `${moreLine(text)} · ` : "";
  // Discord shows a footer verbatim, so it is not escaped.
  if (last) Object.assign(last, { footer: { text: `${more}${cut(unlinked(text.footer), 300)}` } });
  const content = message.alerts.length === 1 ? {} : { content: escapeDiscord(text.headline, 400) };
  return { ...content, embeds, allowed_mentions: { parse: [] } };
}

function embedOf({ title, sentence, facts, url }: Part, headline: string) {
  return {
    title: escapeDiscord(title ?? headline, 256),
    ...(url === null ? {} : { url }),
    description: escapeDiscord(sentence, 1200),
    fields: facts.map(fieldOf),
  };
}

function fieldOf({ name, value, url }: Fact) {
  const shown = url === null ? escapeDiscord(value, 450) : `${escapeDiscord(value, 350)}\n${url}`;
  return { name, value: shown, inline: false };
}

function sizeOf({ title, description, fields }: ReturnType<typeof embedOf>): number {
  const inFields = fields.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
  return title.length + description.length + inFields;
}

function escapeDiscord(text: string, max: number): string {
  return cut(unlinked(text), max, (character) =>
    /[\\*_~`|>#[\]()<:+-]/.test(character) ? `\\${character}` : character,
  );
}

/** Unknown Webhook and Invalid Webhook Token: Discord blocks clients that keep using such a URL. */
const deadCodes = new Set([10015, 50027]);

function classifyReply(reply: ProviderReply): Verdict {
  const { json } = reply;
  if (deadCodes.has(Number(json.code))) {
    return { result: "failed", reason: "Discord reports that this webhook no longer exists.", isDead: true };
  }
  const verdict = defaultVerdict(reply, "Discord", textOf(json.message));
  if (verdict.result !== "retry") return verdict;
  return { ...verdict, afterSeconds: parseWait(json.retry_after) ?? reply.afterSeconds };
}
