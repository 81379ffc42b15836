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

/** Writes a time such as "2026-01-31 12:00:00 UTC". */
export function timeText(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** Writes a duration in its two largest units, such as "2 h 5 min". */
export function durationText(seconds: number): string {
  const total = Math.max(0, Math.round(seconds));
  const parts = units.map(([size, name], index) => {
    const larger = units[index - 1]?.[0] ?? Number.POSITIVE_INFINITY;
    return { count: Math.floor((total % larger) / size), name };
  });
  const first = parts.findIndex(({ count }) => count > 0);
  if (first === -1) return "0 s";
  const shown = parts.slice(first, first + 2).filter(({ count }) => count > 0);
  return shown.map(({ count, name }) => `${count} ${name}`).join(" ");
}

const units = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
  [1, "s"],
] as const;
