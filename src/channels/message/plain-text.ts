/** Returns text as one line of at most `max` UTF-16 units, without line breaks, invisible or direction-changing characters. */
export function oneLine(text: string, max: number): string {
  // Text from a chain may be megabytes long, so most of it is cut before the expensive steps.
  const line = text
    .slice(0, 10 * max + 100)
    .toWellFormed()
    .replace(invisible, "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return cut(line, max);
}

// Format characters (zero width, direction, tags) and letters without a visible glyph.
const invisible = /\p{Cf}|\u034f|[\u115f\u1160\u2800\u3164\uffa0]/gu;

/** Escapes character by character and stops before the limit, so that no escape or surrogate pair is split. */
export function cut(text: string, max: number, escapeOne = (character: string) => character): string {
  let whole = "";
  let fitting = "";
  for (const character of text) {
    whole += escapeOne(character);
    if (whole.length > max) return max > 0 ? `${fitting.trimEnd()}…` : "";
    if (whole.length < max) fitting = whole;
  }
  return whole;
}

/** Word joiner: invisible, and not allowed in names or URLs, so text that contains it is not recognised as one. */
const joiner = "\u2060";

/**
 * Breaks up links, addresses and mentions, so that no client makes them clickable. Anyone can choose a name on a chain, and
 * one that reads "claim at https://…" must not become a link.
 */
export function unlinked(text: string, separator = joiner): string {
  return text.replace(linkParts, `$&${separator}`);
}

/** The full stop and the characters that browsers and keyboards take for one. */
const dots = "[.。．｡․﹒]";
/** Schemes that clients make a link without "//" after them. */
const schemes =
  "tel|sms|smsto|callto|mailto|facetime|skype|whatsapp|geo|magnet|data|javascript|bitcoin|ethereum|solana";

// The colon of "://" and of such a scheme, the at sign of a name, the dot before a top-level domain, the dots inside an IP address.
const linkParts = new RegExp(
  `:(?=//)|(?<=\\b(?:${schemes})):(?=\\S)|[@＠](?=\\S)|${dots}(?=[\\p{L}\\p{M}])|(?<=\\d${dots}\\d+)${dots}(?=\\d)`,
  "giu",
);
