import { setOwn } from "./set-own.ts";

/**
 * Converts a value to JSON that the database can store: bigints become decimal strings, and characters that
 * PostgreSQL rejects are removed.
 */
export function toPlain(value: unknown): unknown {
  if (typeof value === "string") return plainText(value);
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return value.map(toPlain);
  if (typeof value !== "object" || value === null) return value;
  const plain: { [name: string]: unknown } = {};
  for (const key of Object.keys(value)) setOwn(plain, plainText(key), toPlain((value as typeof plain)[key]));
  return plain;
}

/** PostgreSQL rejects NUL and lone surrogates. */
function plainText(text: string): string {
  return (text.includes("\0") ? text.replaceAll("\0", "") : text).toWellFormed();
}
