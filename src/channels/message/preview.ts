import type { MessagePreview } from "../channel.ts";
import type { MessageText, Part } from "./message-text.ts";

/** The preview of a chat message: the headline, then what happened, the facts and the sender. */
export function textPreview({ headline, parts, footer }: MessageText): MessagePreview {
  return { format: "text", title: headline, text: [...parts.map(partText), footer].join("\n\n") };
}

function partText({ title, sentence, facts, url }: Part): string {
  const lines = [
    title,
    sentence,
    ...facts.map(({ name, value }) => `${name}: ${value}`),
    url && `Open the event: ${url}`,
  ];
  return lines.filter((line) => line !== null).join("\n");
}

export function jsonPreview(body: object): MessagePreview {
  return { format: "json", title: null, text: JSON.stringify(body, null, 2) };
}
