import { type Fields, oneOrMore, textOf } from "./fields.ts";
import type { ChannelRef } from "./monitor.ts";

/** A channel of this service, or the reason why the exported channel cannot be converted. */
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

/** Longer than any URL, key or address of a channel config. */
const maxCharacters = 2_048;

/** Converts an exported channel. A placeholder of a secret is a problem. */
export function convertChannel({ type, config }: ChannelRef): ConvertedChannel {
  if (type === null || config === null) return { problem: "the export does not contain its config" };
  if (!Object.hasOwn(converters, type))
    return { problem: `the channel type ${type.slice(0, 40)} is not supported` };
  const strings = stringsIn(config);
  if (strings.some(({ length }) => length > maxCharacters)) return { problem: "its config is too long" };
  if (strings.some(isPlaceholder))
    return { problem: "its config contains a placeholder instead of a secret" };
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
