import type { Message } from "../channel.ts";
import { type Fact, factsOf, webLink } from "./facts.ts";
import { headline, sentence, titleOf } from "./headline.ts";
import { oneLine } from "./plain-text.ts";

/** The texts of a message before formatting: each is one clean line, and none is escaped. */
export type MessageText = {
  headline: string;
  /** The page of the first event that has one. */
  url: string | null;
  parts: Part[];
  /** The number of alerts that are not among the parts. */
  leftOut: number;
  footer: string;
};

/** One alert. Its title is null when the headline already contains it. */
export type Part = { title: string | null; sentence: string; facts: Fact[]; url: string | null };

/** Builds the texts of a message, with at most `maxAlerts` alerts. */
export function messageText(message: Message, maxAlerts: number): MessageText {
  const { alerts } = message;
  const isSingle = alerts.length === 1;
  const parts = alerts.slice(0, maxAlerts).map((alert) => ({
    title: isSingle ? null : titleOf(alert),
    sentence: sentence(message, alert),
    facts: factsOf(alert),
    url: webLink(alert.url),
  }));
  return {
    headline: headline(message),
    url: parts.find(({ url }) => url !== null)?.url ?? null,
    parts,
    leftOut: alerts.length - parts.length,
    footer: `Tocsin · ${oneLine(message.org.name, 100)}`,
  };
}

/** Keeps the first parts that fit into `maxSize` together, at least one; the others are counted as left out. */
export function limitSize(text: MessageText, maxSize: number, sizeOf: (part: Part) => number): MessageText {
  let size = 0;
  const overflow = text.parts.findIndex((part) => {
    size += sizeOf(part);
    return size > maxSize;
  });
  if (overflow === -1) return text;
  const parts = text.parts.slice(0, Math.max(1, overflow));
  return { ...text, parts, leftOut: text.leftOut + text.parts.length - parts.length };
}

/** Returns the line that replaces the alerts that were left out. */
export function moreLine({ leftOut }: MessageText): string {
  return `… and ${leftOut} more ${leftOut === 1 ? "alert" : "alerts"}`;
}
