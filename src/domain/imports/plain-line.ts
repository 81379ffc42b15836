/** Reduces a text to one line without control characters; "Unnamed" if nothing remains. */
export function plainLine(text: string, maxLength: number): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ").trim();
  return Array.from(line).slice(0, maxLength).join("").trim() || "Unnamed";
}
