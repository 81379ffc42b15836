/** The first sentence of a description; the rest explains special cases. */
export function firstSentence(text: string): string {
  return /^.+?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;
}
