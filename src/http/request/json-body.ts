/** Decodes UTF-8; undefined if it is invalid. */
export function readUtf8(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(body);
  } catch {
    return undefined;
  }
}

/** Parses JSON, or returns why it is invalid. */
export function parseJson(text: string | undefined): { value: unknown } | { problem: string } {
  if (text === undefined) return { problem: "is not valid UTF-8" };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { problem: "is not valid JSON" };
  }
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

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
