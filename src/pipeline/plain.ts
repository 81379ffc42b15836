/** A value as the database can hold it: big integers become decimal text, and text from a chain loses its NULs. */
export function toPlain(value: unknown): unknown {
  if (typeof value === "string")
    return value.includes("\0") ? value.replaceAll("\0", "") : value.toWellFormed();
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return value.map(toPlain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, toPlain(part)]));
}
