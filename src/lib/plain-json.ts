import { setOwn } from "./set-own.ts";

/** A value as the database can hold it: big integers become decimal text, and text from a chain loses what is no text. */
export function toPlain(value: unknown): unknown {
  if (typeof value === "string") return plainText(value);
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return value.map(toPlain);
  if (typeof value !== "object" || value === null) return value;
  const plain: { [name: string]: unknown } = {};
  for (const key of Object.keys(value)) setOwn(plain, plainText(key), toPlain((value as typeof plain)[key]));
  return plain;
}

/** PostgreSQL takes neither a NUL nor half a character. */
function plainText(text: string): string {
  return (text.includes("\0") ? text.replaceAll("\0", "") : text).toWellFormed();
}
