export type JsonSize = { depth: number; values: number };

/**
 * Counts nesting and values outside strings, before parsing, and stops at the first that exceeds its maximum, so that deep or
 * wide input costs nothing more. Works on bytes: a byte of a longer UTF-8 sequence never equals one of these characters.
 */
export function measureJson(body: Uint8Array, max: JsonSize): JsonSize {
  let [level, depth, values] = [0, 0, 1];
  for (let at = 0; at < body.length; at++) {
    const meaning = meanings[body[at] ?? 0];
    if (meaning === other) continue;
    if (meaning === quote) at = endOfString(body, at + 1);
    else if (meaning === close) level--;
    else values++;
    if (meaning === open) depth = Math.max(depth, ++level);
    if (values > max.values || depth > max.depth) break;
  }
  return { depth, values };
}

/** Returns the place of the quote that ends a string. */
function endOfString(body: Uint8Array, start: number): number {
  let at = start;
  while (at < body.length && body[at] !== 0x22) at += body[at] === 0x5c ? 2 : 1;
  return at;
}

const [other, quote, comma, open, close] = [0, 1, 2, 3, 4];
/** The meaning of each byte outside a string. */
const meanings = new Uint8Array(256);
for (const [characters, meaning] of [
  ['"', quote],
  [",", comma],
  ["[{", open],
  ["]}", close],
] as const)
  for (const character of characters) meanings[character.charCodeAt(0)] = meaning ?? other ?? 0;
