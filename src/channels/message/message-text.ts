import type { Message } from "../channel.ts";
import { type Fact, factsOf, webLink } from "./facts.ts";
import { headline, sentence, titleOf } from "./headline.ts";
import { oneLine } from "./plain-text.ts";

/** A message in words, before it has a format: every text is one clean line, and none of it is escaped. */
export type MessageText = {
  headline: string;
  /** The event's page of the first alarm that has one. */
  url: string | null;
  parts: Part[];
  /** How many alarms are not among the parts. */
  leftOut: number;
  footer: string;
};

/** One alarm. Its title is null where the headline says it already. */
export type Part = { title: string | null; sentence: string; facts: Fact[]; url: string | null };

/** Tells a message, with so many alarms at most. */
export function messageText(message: Message, maxAlarms: number): MessageText {
  const { alerts } = message;
  const isAlone = alerts.length === 1;
  const parts = alerts.slice(0, maxAlarms).map((alert) => ({
    title: isAlone ? null : titleOf(alert),
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

/** As many of the first parts as have room together, at least one; what has none is counted as left out. */
export function withinRoom(story: MessageText, room: number, sizeOf: (part: Part) => number): MessageText {
  let used = 0;
  const fitting = story.parts.findIndex((part) => {
    used += sizeOf(part);
    return used > room;
  });
  if (fitting === -1) return story;
  const parts = story.parts.slice(0, Math.max(1, fitting));
  return { ...story, parts, leftOut: story.leftOut + story.parts.length - parts.length };
}

/** What stands in place of the alarms that have no room. */
export function moreLine({ leftOut }: MessageText): string {
  return `… and ${leftOut} more ${leftOut === 1 ? "alarm" : "alarms"}`;
}
