/** The reason why a string cannot be stored, or undefined. PostgreSQL rejects NUL and lone surrogates. */
export function textProblem(text: string): string | undefined {
  if (text.includes("\u0000")) return "must not contain the NUL character";
  if (!text.isWellFormed()) return "must be valid Unicode (a lone surrogate was found)";
  return undefined;
}

/** True when a line of text has no control characters, so that it cannot break a header, a log or a terminal. */
export function isPlainLine(text: string): boolean {
  return !/[\p{Cc}\u2028\u2029]/u.test(text);
}
