import { type Fields, oneOrMore, textOf } from "./fields.ts";
import type { ChannelRef } from "./monitor.ts";

/** A channel of ours, or why an export's cannot be one. */
export type ConvertedChannel = { type: string; config: Fields } | { problem: string };

const converters: Record<string, (config: Fields) => { type: string; config: Fields }> = {
  slack: ({ url }) => ({ type: "slack", config: { webhook_url: oneOrMore(url)[0] } }),
  discord: ({ url }) => ({ type: "discord", config: { webhook_url: oneOrMore(url)[0] } }),
  webhook: ({ url }) => ({ type: "webhook", config: { url: oneOrMore(url)[0] } }),
  email: ({ emails }) => ({ type: "email", config: { to: oneOrMore(emails) } }),
  telegram: ({ botToken, chatId }) => ({
    type: "telegram",
    config: { bot_token: botToken, chat_id: chatId },
  }),
  "pager-duty": ({ routingKey }) => ({ type: "pagerduty", config: { routing_key: routingKey } }),
  opsgenie: ({ apiKey, instanceLocation }) => ({
    type: "opsgenie",
    config: {
      api_key: apiKey,
      region: String(instanceLocation ?? "US").toLowerCase() === "eu" ? "eu" : "us",
    },
  }),
};

/** Longer than any URL, key or address that a channel takes. */
const maxCharacters = 2_048;

/** What an export says of a channel, in our own terms. What only stands for a secret is none. */
export function convertChannel({ type, config }: ChannelRef): ConvertedChannel {
  if (type === null || config === null) return { problem: "the export does not say where it leads" };
  if (!Object.hasOwn(converters, type))
    return { problem: `channels of the type ${type.slice(0, 40)} do not exist here` };
  const strings = stringsIn(config);
  if (strings.some(({ length }) => length > maxCharacters)) return { problem: "its config is too long" };
  if (strings.some(isPlaceholder)) return { problem: "its secret is only a placeholder" };
  return (converters[type] as (typeof converters)[string])(config);
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

function isPlaceholder(text: string): boolean {
  return textOf(text) === null || /\$\{|\{\{|YOUR[_-]|<[^>]*>|REPLACE|PLACEHOLDER|^x{4,}$/i.test(text);
}
