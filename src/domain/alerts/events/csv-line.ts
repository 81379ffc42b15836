/**
 * Returns a line of CSV (RFC 4180). A text that a spreadsheet would run as a formula starts with an apostrophe: names and
 * messages contain what strangers wrote to a chain.
 */
export function toCsvLine(values: readonly (string | number | Date | null)[]): string {
  return `${values.map(toField).join(",")}\r\n`;
}

function toField(value: string | number | Date | null): string {
  if (value === null) return "";
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
