import { z } from "zod";
import { type ChannelDeps, channel, type Message, type Verdict } from "../channel.ts";
import { limitSize, messageText, moreLine, type Part } from "../message/message-text.ts";
import { cut, unlinked } from "../message/plain-text.ts";
import { textPreview } from "../message/preview.ts";
import { jsonHeaders, post } from "../sending/post.ts";
import {
  defaultVerdict,
  objectOf,
  type ProviderReply,
  parseWait,
  textOf,
} from "../sending/provider-reply.ts";

const config = z.strictObject({
  bot_token: z
    .string()
    .regex(/^\d{5,20}:[A-Za-z0-9_-]{30,64}$/, "must be a bot token from BotFather")
    .meta({
      description: "The bot's token, from @BotFather.",
      examples: ["123456789:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"],
    }),
  chat_id: z
    .union([z.int(), z.string().regex(/^(-?\d{1,19}|@[A-Za-z]\w{3,31})$/, "must be a number or @name")])
    .meta({
      description: "The chat: its numeric id, or the @name of a public chat.",
      examples: ["-1001234567890"],
    }),
  thread_id: z
    .int()
    .min(1)
    .optional()
    .meta({ description: "The topic, in a group that has topics.", examples: [7] }),
});
type Config = z.infer<typeof config>;

/** A Telegram chat, through a bot that is a member of it. */
export const telegram = channel<Config>({
  type: "telegram",
  title: "Telegram",
  config,
  secrets: ["bot_token"],
  urls: [],
  kinds: ["fired", "renotified", "escalated", "resolved", "retracted", "test"],
  groups: true,
  spacingMs: 1000,
  preview: (message) => textPreview(messageText(message, 20)),
  async send(message, config, deps) {
    const { outcome, movedTo } = await sendTo(config.chat_id, message, config, deps);
    // A group that became a supergroup has a new id; the message is sent there once.
    return movedTo === undefined ? outcome : (await sendTo(movedTo, message, config, deps)).outcome;
  },
});

async function sendTo(chat_id: string | number, message: Message, config: Config, deps: ChannelDeps) {
  let movedTo: number | undefined;
  const outcome = await post(deps, {
    url: `${deps.urls.telegram}/bot${config.bot_token}/sendMessage`,
    headers: jsonHeaders,
    body: JSON.stringify({ chat_id, ...threadOf(config), ...telegramBody(message) }),
    secrets: [config.bot_token, config.bot_token.split(":")[1] ?? ""],
    classifyReply(reply) {
      const { migrate_to_chat_id } = objectOf(reply.json.parameters);
      movedTo = Number.isSafeInteger(migrate_to_chat_id) ? Number(migrate_to_chat_id) : undefined;
      return classifyReply(reply);
    },
  });
  return { outcome, movedTo };
}

function threadOf({ thread_id }: Config) {
  return thread_id === undefined ? {} : { message_thread_id: thread_id };
}

/** Telegram's limit excludes markup, but it is simpler to count it too. */
const maxLength = 4096;

export function telegramBody(message: Message) {
  const whole = messageText(message, 20);
  const top = `<b>${escapeTelegram(whole.headline, 500)}</b>`;
  const bottom = `<i>${escapeTelegram(whole.footer, 300)}</i>`;
  const maxSize = maxLength - top.length - bottom.length - 60;
  const text = limitSize(whole, maxSize, (part) => partText(part).length + 2);
  const more = text.leftOut > 0 ? [moreLine(text)] : [];
  return {
    text: [top, ...text.parts.map(partText), ...more, bottom].join("\n\n"),
    parse_mode: "HTML",
    link_preview_options: { is_disabled: true },
    disable_notification: message.severity === "info" || message.kind === "resolved",
  };
}

function partText({ title, sentence, facts, url }: Part): string {
  const lines = facts.map((fact) => {
    const value = escapeTelegram(fact.value, 300);
    return `<b>${fact.name}:</b> ${fact.url === null ? value : link(fact.url, value)}`;
  });
  return [
    ...(title === null ? [] : [`<b>${escapeTelegram(title, 300)}</b>`]),
    escapeTelegram(sentence, 1000),
    ...lines,
    ...(url === null ? [] : [link(url, "Open the event")]),
  ].join("\n");
}

function link(url: string, html: string): string {
  return `<a href="${url.replaceAll("&", "&amp;")}">${html}</a>`;
}

function escapeTelegram(text: string, max: number): string {
  const neutral = unlinked(text).replace(clickable, "$&\u2060");
  return cut(neutral, max, (character) => entities[character] ?? character);
}

// Telegram makes commands, hashtags and cashtags clickable.
const clickable = /(?<![\p{L}\p{N}])[/#$](?=[\p{L}\p{N}_])/gu;

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const deadReplies =
  /chat not found|thread not found|topic_|not enough rights|chat_write_forbidden|peer_id_invalid/i;

function classifyReply(reply: ProviderReply): Verdict {
  const { status, json } = reply;
  const description = textOf(json.description);
  const isDead = [401, 403, 404].includes(status) || (status === 400 && deadReplies.test(description));
  // A reply without `ok` comes from an intermediary such as a proxy, and says nothing about the bot.
  if (isDead && json.ok === false) {
    return { result: "failed", reason: `Telegram rejects this bot or chat: ${description}.`, isDead: true };
  }
  const verdict = defaultVerdict(reply, "Telegram", description);
  if (verdict.result !== "retry") return verdict;
  return { ...verdict, afterSeconds: parseWait(objectOf(json.parameters).retry_after) ?? reply.afterSeconds };
}
