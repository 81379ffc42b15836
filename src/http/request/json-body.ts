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
