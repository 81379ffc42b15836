/** One line that nothing can break, hide in or turn around, of at most so many UTF-16 units. */
export function oneLine(text: string, max: number): string {
  // A stranger's text may be megabytes long; what is far beyond the limit need not be read.
  const line = text
    .slice(0, 10 * max + 100)
    .toWellFormed()
    .replace(unseen, "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return cut(line, max);
}

// Format characters (zero width, direction, tags) and letters that are drawn as nothing.
const unseen = /\p{Cf}|\u034f|[\u115f\u1160\u2800\u3164\uffa0]/gu;

/** Escapes character by character and stops before the limit, so that neither an escape nor a pair is cut in two. */
export function cut(text: string, max: number, inPlace = (character: string) => character): string {
  let whole = "";
  let beginning = "";
  for (const character of text) {
    whole += inPlace(character);
    if (whole.length > max) return max > 0 ? `${beginning.trimEnd()}…` : "";
    if (whole.length < max) beginning = whole;
  }
  return whole;
}

/** Invisible, and no part of any name or address: what it stands in is no longer recognised as one. */
const joiner = "\u2060";

/**
 * Text in which no reader finds a link, an address or a mention to make clickable: names on a chain are chosen by
 * strangers, and one that reads "claim at https://…" must not become a way to click on.
 */
export function unlinked(text: string): string {
  return text.replace(linking, `$&${joiner}`);
}

// The colon of "://", the at sign of a name, the dot before a top-level domain, the dots inside an IP address.
const linking = /:(?=\/\/)|[@＠](?=\S)|[.。．｡](?=[\p{L}\p{M}])|(?<=\d[.]\d+)\.(?=\d)/gu;
