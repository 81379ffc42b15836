import { z } from "zod";
import { type ChannelDeps, channel, type Message, type Verdict } from "../channel.ts";
import { messageText, moreLine, type Part, withinRoom } from "../message/message-text.ts";
import { cut, unlinked } from "../message/plain-text.ts";
import { jsonHeaders, post } from "../sending/post.ts";
import { defaultVerdict, objectOf, type ProviderReply, textOf, wait } from "../sending/provider-reply.ts";

const config = z.strictObject({
  bot_token: z
    .string()
    .regex(/^\d{5,20}:[A-Za-z0-9_-]{30,64}$/, "must be a bot's token, as BotFather gives it")
    .meta({
      description: "The bot's token, from @BotFather.",
      examples: ["123456789:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"],
    }),
  chat_id: z
    .union([z.int(), z.string().regex(/^(-?\d{1,19}|@[A-Za-z]\w{3,31})$/, "must be a number or @name")])
    .meta({ description: "The chat: its number, or @name of a public one.", examples: ["-1001234567890"] }),
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
  kinds: ["fired", "renotified", "resolved", "retracted", "test"],
  groups: true,
  spacingMs: 1000,
  async send(message, config, deps) {
    const { outcome, movedTo } = await sendTo(config.chat_id, message, config, deps);
    // A group that grew has a new number; the message follows it, once.
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
    classifyReply(answer) {
      const { migrate_to_chat_id } = objectOf(answer.json.parameters);
      movedTo = Number.isSafeInteger(migrate_to_chat_id) ? Number(migrate_to_chat_id) : undefined;
      return classifyReply(answer);
    },
  });
  return { outcome, movedTo };
}

function threadOf({ thread_id }: Config) {
  return thread_id === undefined ? {} : { message_thread_id: thread_id };
}

/** A message has 4096 characters; signs of markup do not count, but are counted here all the same. */
const longest = 4096;

export function telegramBody(message: Message) {
  const whole = messageText(message, 20);
  const top = `<b>${escapeTelegram(whole.headline, 500)}</b>`;
  const bottom = `<i>${escapeTelegram(whole.footer, 300)}</i>`;
  const room = longest - top.length - bottom.length - 60;
  const story = withinRoom(whole, room, (part) => partText(part).length + 2);
  const more = story.leftOut > 0 ? [moreLine(story)] : [];
  return {
    text: [top, ...story.parts.map(partText), ...more, bottom].join("\n\n"),
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
  const still = unlinked(text).replace(clickable, "$&\u2060");
  return cut(still, max, (character) => entities[character] ?? character);
}

// Telegram makes commands, hashtags and cashtags clickable without being asked.
const clickable = /(?<![\p{L}\p{N}])[/#$](?=[\p{L}\p{N}_])/gu;

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const gone = /chat not found|thread not found|topic_|not enough rights|chat_write_forbidden|peer_id_invalid/i;

function classifyReply(answer: ProviderReply): Verdict {
  const { status, json } = answer;
  const description = textOf(json.description);
  const isGone = [401, 403, 404].includes(status) || (status === 400 && gone.test(description));
  // A page that is not Telegram's own, such as a proxy's, says nothing about the bot.
  if (isGone && json.ok === false) {
    return { result: "failed", reason: `Telegram refuses this bot or chat: ${description}.`, isDead: true };
  }
  const verdict = defaultVerdict(answer, "Telegram", description);
  if (verdict.result !== "retry") return verdict;
  return { ...verdict, afterSeconds: wait(objectOf(json.parameters).retry_after) ?? answer.afterSeconds };
}
