import type { Issue } from "../../errors/app-error.ts";
import { measureJson } from "../../lib/json/measure-json.ts";

/** Deeper than any of our schemas, and shallow enough for recursion. */
const maxDepth = 64;

export type Read = { value: unknown } | { issues: Issue[] };

/** Parses a JSON body with at most `maxValues` values, or returns why it cannot be. */
export function readJson(body: Uint8Array, maxValues: number): Read {
  const { depth, values } = measureJson(body, { depth: maxDepth, values: maxValues });
  if (depth > maxDepth) return invalidBody(`is nested deeper than ${maxDepth} levels`, "json_too_deep");
  if (values > maxValues)
    return invalidBody(`has more than ${maxValues} values; send less at once`, "json_too_long");
  const text = readUtf8(body);
  if (text === undefined) return invalidBody("is not valid UTF-8", "json_invalid");
  try {
    return { value: JSON.parse(text) };
  } catch {
    return invalidBody("is not valid JSON", "json_invalid");
  }
}

/** Decodes UTF-8; undefined if it is invalid. */
export function readUtf8(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(body);
  } catch {
    return undefined;
  }
}

export function invalidBody(msg: string, type: string): { issues: Issue[] } {
  return { issues: [{ loc: ["body"], msg, type }] };
}
