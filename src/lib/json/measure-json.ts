export type JsonSize = { depth: number; values: number };

/**
 * Counts nesting and values outside strings, before parsing, and stops at the first that exceeds its maximum, so that deep or
 * wide input costs nothing more. Works on bytes: a byte of a longer UTF-8 sequence never equals one of these characters.
 */
export function measureJson(body: Uint8Array, max: JsonSize): JsonSize {
  let [level, depth, values] = [0, 0, 1];
  for (let index = 0; index < body.length; index++) {
    const meaning = meanings[body[index] ?? 0];
    if (meaning === otherCharacter) continue;
    if (meaning === quote) index = endOfString(body, index + 1);
    else if (meaning === close) level--;
    else values++;
    if (meaning === open) depth = Math.max(depth, ++level);
    if (values > max.values || depth > max.depth) break;
  }
  return { depth, values };
}

/** Returns the place of the quote that ends a string. */
function endOfString(body: Uint8Array, start: number): number {
  let offset = start;
  while (offset < body.length && body[offset] !== 0x22) offset += body[offset] === 0x5c ? 2 : 1;
  return offset;
}

const [otherCharacter, quote, comma, open, close] = [0, 1, 2, 3, 4];
/** The meaning of each byte outside a string. */
const meanings = new Uint8Array(256);
for (const [characters, meaning] of [
  ['"', quote],
  [",", comma],
  ["[{", open],
  ["]}", close],
] as const)
  for (const character of characters) meanings[character.charCodeAt(0)] = meaning ?? otherCharacter ?? 0;
