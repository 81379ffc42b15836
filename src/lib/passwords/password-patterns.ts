import { isCommonWord } from "./common-passwords.ts";

/**
 * The minimum number of pieces of a lower-case text, where a common word, a sequence, a year and a single character
 * are one piece each.
 */
export function countPieces(lower: string): number {
  const fewest = [0];
  for (let end = 1; end <= lower.length; end += 1) {
    let best = Number.POSITIVE_INFINITY;
    for (let start = Math.max(0, end - maxPieceLength); start < end; start += 1) {
      const before = fewest[start] ?? 0;
      if (before + 1 < best && isPiece(lower.slice(start, end))) best = before + 1;
    }
    fewest.push(best);
  }
  return fewest.at(-1) ?? 0;
}

/** The part whose repetition is the whole text, if there is one. */
export function repeatedPart(text: string): string | undefined {
  for (let length = 1; length * 2 <= text.length; length += 1) {
    if (text.startsWith(text.slice(length))) return text.slice(0, length);
  }
  return undefined;
}

/** True when the text has at most four different characters. */
export function hasFewCharacters(text: string): boolean {
  return new Set(text).size <= 4;
}

const maxPieceLength = 32;

function isPiece(part: string): boolean {
  if (part.length === 1) return true;
  if (part.length === 2) return false;
  return isSequence(part) || isYear(part) || (part.length >= 4 && isCommonWord(part));
}

// Keyboard rows (English, French, German), keyboard columns, the alphabet and the digits.
const rows = [
  "abcdefghijklmnopqrstuvwxyz",
  "1234567890",
  "!@#$%^&*()",
  "qwertyuiopasdfghjklzxcvbnm",
  "azertyuiopqsdfghjklmwxcvbn",
  "qwertzuiopasdfghjklyxcvbnm",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
  "1q2w3e4r5t6y7u8i9o0p",
];
const lines = rows.flatMap((row) => [row.repeat(4), [...row].reverse().join("").repeat(4)]);

function isSequence(part: string): boolean {
  return /^(.)\1+$/u.test(part) || lines.some((line) => line.includes(part));
}

function isYear(part: string): boolean {
  return /^(19|20)\d\d$/.test(part);
}
