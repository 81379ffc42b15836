/**
 * Counts nesting and values outside strings, before parsing, so that deep or wide input costs nothing more. Works on bytes:
 * a byte of a longer UTF-8 sequence never equals one of these characters.
 */
export function measureJson(body: Uint8Array): { depth: number; values: number } {
  let level = 0;
  let depth = 0;
  let values = 1;
  let isInString = false;
  for (let at = 0; at < body.length; at++) {
    const code = body[at];
    if (isInString) {
      if (code === backslash) at++;
      else if (code === quote) isInString = false;
    } else if (code === quote) isInString = true;
    else if (code === openBrace || code === openBracket) {
      values++;
      depth = Math.max(depth, ++level);
    } else if (code === closeBrace || code === closeBracket) level--;
    else if (code === comma) values++;
  }
  return { depth, values };
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
